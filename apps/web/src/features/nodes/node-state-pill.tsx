import type { NodeChoice, NodeFacts } from "@nereid/services";
import { Badge, formatClock } from "@nereid/ui";
import { CircleCheck, CircleDashed, CirclePause, OctagonX } from "lucide-react";
import { type NodeState, nodeState } from "./node-words.ts";

const ICONS: Readonly<Record<NodeState, typeof CircleCheck>> = {
  ok: CircleCheck,
  draining: CirclePause,
  "not-ready": CirclePause,
  connecting: CircleDashed,
  down: OctagonX,
};

export interface NodeStatePillProps {
  readonly node: Pick<NodeChoice, "connection" | "cordoned">;
  readonly facts: Pick<NodeFacts, "ready" | "draining"> | null;
}

/** Health of a node: icon and words, and since when it is stale. */
export function NodeStatePill({ node, facts }: NodeStatePillProps) {
  const { state, label, tone } = nodeState(node, facts);
  const Icon = ICONS[state];
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>
        <Icon aria-hidden />
        {label}
        {state === "down" ? ` since ${formatClock(Math.floor(node.connection.since / 1000))}` : ""}
      </Badge>
      {node.cordoned ? <Badge tone="warn">Cordoned</Badge> : null}
    </span>
  );
}
