import { CircleCheck, CircleDashed, CircleHelp, LoaderCircle, OctagonX } from "lucide-react";
import { Badge, type BadgeProps } from "./badge.tsx";

export type PillState = "ready" | "loading" | "unloading" | "unavailable" | "failed" | "unloaded" | "unknown";

const LOOK = {
  ready: { tone: "ok", label: "Ready", Icon: CircleCheck, spin: false },
  loading: { tone: "busy", label: "Loading", Icon: LoaderCircle, spin: true },
  unloading: { tone: "busy", label: "Unloading", Icon: LoaderCircle, spin: true },
  unavailable: { tone: "bad", label: "Unavailable", Icon: OctagonX, spin: false },
  failed: { tone: "bad", label: "Load failed", Icon: OctagonX, spin: false },
  unloaded: { tone: "neutral", label: "Not loaded", Icon: CircleDashed, spin: false },
  unknown: { tone: "neutral", label: "Unknown", Icon: CircleHelp, spin: false },
} as const satisfies Record<
  PillState,
  { tone: BadgeProps["tone"]; label: string; Icon: typeof CircleCheck; spin: boolean }
>;

/** State of a model or version: icon and word, never colour alone. */
export function StatePill({ state }: { readonly state: PillState }) {
  const { tone, label, Icon, spin } = LOOK[state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className={spin ? "animate-spin" : undefined} />
      {label}
    </Badge>
  );
}
