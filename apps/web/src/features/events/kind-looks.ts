import type { EventKind } from "@nereid/services";
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BellRing,
  CircleX,
  Eraser,
  Gauge,
  History,
  type LucideIcon,
  Power,
  RotateCcw,
  Route,
  Server,
  Settings2,
  Split,
  Trash2,
  UploadCloud,
} from "lucide-react";

export interface KindLook {
  readonly Icon: LucideIcon;
  /** Letter of the mark on a chart. */
  readonly mark: string;
  /** Name of the kind in a list of kinds. */
  readonly name: string;
  /** Something went wrong, and nobody asked for it. */
  readonly trouble: boolean;
}

const look = (Icon: LucideIcon, mark: string, name: string, trouble = false): KindLook => ({
  Icon,
  mark,
  name,
  trouble,
});

/** How each kind of event is shown, everywhere. */
export const KIND_LOOKS: Readonly<Record<EventKind, KindLook>> = {
  deploy: look(UploadCloud, "D", "Deployments"),
  config: look(Settings2, "C", "Configurations"),
  load: look(ArrowUpFromLine, "L", "Loads"),
  unload: look(ArrowDownToLine, "U", "Unloads"),
  rollback: look(History, "R", "Rollbacks"),
  traffic: look(Split, "T", "Traffic"),
  rollout: look(Route, "S", "Rollouts"),
  restart: look(RotateCcw, "!", "Crashes", true),
  "load-failed": look(CircleX, "F", "Failed loads", true),
  evict: look(Eraser, "E", "Evictions"),
  delete: look(Trash2, "X", "Removals"),
  alert: look(BellRing, "A", "Alerts", true),
  objective: look(Gauge, "O", "Objectives"),
  node: look(Server, "N", "Nodes"),
  drain: look(Power, "P", "Drains and cordons"),
};
