import type { NodeChoice, NodeFacts } from "@nereid/services";

export type NodeState = "ok" | "draining" | "not-ready" | "connecting" | "down";

export interface NodeStateWords {
  readonly state: NodeState;
  readonly label: string;
  readonly tone: "ok" | "warn" | "bad" | "neutral";
}

/** How a node stands, from the stream of its seconds and, where it was asked, its own words. */
export function nodeState(
  { connection }: Pick<NodeChoice, "connection">,
  facts: Pick<NodeFacts, "ready" | "draining"> | null | undefined,
): NodeStateWords {
  if (connection.state === "down") return { state: "down", label: "Unreachable", tone: "bad" };
  if (connection.state === "connecting") return { state: "connecting", label: "Connecting", tone: "neutral" };
  if (facts?.draining === true) return { state: "draining", label: "Draining", tone: "warn" };
  if (facts?.ready === false) return { state: "not-ready", label: "Not ready", tone: "warn" };
  return { state: "ok", label: "Healthy", tone: "ok" };
}

export const KIND_WORDS = { nereid: "Nereid", triton: "Triton" } as const;

const MODES = {
  none: "none: all models at start",
  explicit: "explicit: by request",
  poll: "poll: follows the repository",
} as const;

export function controlModeWords(mode: NodeFacts["controlMode"]): string {
  return mode === null ? "not told" : MODES[mode];
}

/** One sentence about all of them. */
export function nodesSentence(
  nodes: readonly (Pick<NodeChoice, "connection"> & { facts: NodeFacts | null })[],
): string {
  const wrong = nodes.filter((node) => nodeState(node, node.facts).state !== "ok").length;
  const count = nodes.length === 1 ? "1 node" : `${nodes.length} nodes`;
  return wrong === 0 ? `${count}, all healthy.` : `${count}, ${wrong} not healthy.`;
}
