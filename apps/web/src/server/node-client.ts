import { setTimeout as sleep } from "node:timers/promises";
import { connectNode, type NodeLink, type NodeSpec, systemClock } from "@nereid/services";

const LONGEST_BACKOFF_MS = 2_000;
const TIMEOUT_MS = 10_000;

const LINKS = new WeakMap<NodeSpec, NodeLink>();

/**
 * The way to a node. One per bundle and not part of the shared runtime: its errors must be instances of the NereidError class that the
 * code around it knows, and Next gives each of its bundles a copy of that class.
 */
export function linkTo(spec: NodeSpec): NodeLink {
  const known = LINKS.get(spec) ?? openLink(spec);
  LINKS.set(spec, known);
  return known;
}

/** A way to a server that is used once. */
export function openLink(spec: NodeSpec): NodeLink {
  return connectNode(spec, {
    clock: systemClock,
    timeoutMs: TIMEOUT_MS,
    pause: (ms, signal) => sleep(ms, undefined, { signal }),
    backoff: async (attempt, signal) => {
      const ms = Math.min(LONGEST_BACKOFF_MS, 250 * 2 ** (attempt - 1));
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    },
  });
}
