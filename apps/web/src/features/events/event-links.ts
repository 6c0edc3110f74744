import type { ModelEvent } from "@nereid/services";
import { modelPath } from "../models/model-name-cell.tsx";
import { withNode } from "../nodes/chosen-node.ts";

export interface EventLink {
  readonly label: string;
  readonly href: string;
}

/** Seconds on both sides of an event that its charts show. */
const AROUND_S = 300;

const path = (base: string, params: Record<string, string>) => `${base}?${new URLSearchParams(params)}`;

/** Node as addresses name it: nothing for the local one. */
export const nodeOf = ({ node }: Pick<ModelEvent, "node">): string | null => (node === "local" ? null : node);

/**
 * Where to go on from an event: what changed, the same length of time before and after it, the charts of that moment. `now` in Unix
 * seconds bounds what came after.
 */
export function eventLinks(event: ModelEvent, now: number): EventLink[] {
  const { t, kind, model, change, auditId } = event;
  const links: EventLink[] = [];
  if (model !== null) {
    const base = modelPath(model);
    if (change !== null) links.push({ label: "What changed", href: path(`${base}/config`, change) });
    const after = Math.ceil(t);
    const to = Math.min(after + AROUND_S, Math.floor(now));
    if (kind !== "alert" && kind !== "objective" && to > after) {
      const compared = { from: String(after), to: String(to), compare: "true" };
      links.push({ label: "Before and after", href: path(`${base}/latency`, compared) });
    }
    const around = { from: String(Math.floor(t) - AROUND_S), to: String(Math.ceil(t) + AROUND_S) };
    links.push({ label: "Charts then", href: path(`${base}/latency`, around) });
  }
  if (kind === "alert") links.push({ label: "Alerts", href: "/alerts?state=all" });
  if (kind === "objective") links.push({ label: "Objectives", href: "/settings/slos" });
  if ((kind === "node" || kind === "drain") && model === null) {
    links.push({ label: "Node", href: `/nodes/${encodeURIComponent(event.node)}` });
  }
  if (auditId !== null) links.push({ label: "Audit entry", href: path("/audit", { id: auditId }) });
  return links.map(({ label, href }) => ({ label, href: withNode(href, nodeOf(event)) }));
}
