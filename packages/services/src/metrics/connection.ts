/** How the control plane stands with a node. `since` is when that began, in milliseconds since the epoch. */
export interface NodeConnection {
  readonly state: "connecting" | "live" | "down";
  readonly since: number;
}

export interface ConnectionFacts {
  readonly now: number;
  readonly startedAt: number;
  /** When the last bucket arrived; undefined before the first. */
  readonly lastArrival: number | undefined;
  readonly staleAfterMs: number;
}

/**
 * State of the connection from what was seen of it. A node sends a bucket every second, traffic or not, so silence means
 * that it or the way to it is down; the outage began when it was last heard.
 */
export function connectionState(facts: ConnectionFacts, previous: NodeConnection): NodeConnection {
  const heard = facts.lastArrival ?? facts.startedAt;
  const silent = facts.now - heard > facts.staleAfterMs;
  const state = silent ? "down" : facts.lastArrival === undefined ? "connecting" : "live";
  if (state === previous.state) return previous;
  return { state, since: state === "down" ? heard : facts.now };
}
