import { describe, expect, it } from "vitest";
import { connectionState } from "./connection.ts";

const facts = { now: 10_000, startedAt: 9_000, lastArrival: undefined, staleAfterMs: 3_000 };
const connecting = { state: "connecting", since: 9_000 } as const;

describe("connectionState", () => {
  it("stays connecting for a while, then is down since the start", () => {
    expect(connectionState(facts, connecting)).toBe(connecting);
    expect(connectionState({ ...facts, now: 12_001 }, connecting)).toEqual({ state: "down", since: 9_000 });
  });

  it("is live from the first bucket", () => {
    expect(connectionState({ ...facts, lastArrival: 9_900 }, connecting)).toEqual({ state: "live", since: 10_000 });
  });

  it("an outage began when the node was last heard, and lasts until it is heard again", () => {
    const live = { state: "live", since: 9_500 } as const;
    const down = connectionState({ ...facts, lastArrival: 10_000, now: 13_001 }, live);
    expect(down).toEqual({ state: "down", since: 10_000 });
    expect(connectionState({ ...facts, lastArrival: 10_000, now: 60_000 }, down)).toBe(down);
    expect(connectionState({ ...facts, lastArrival: 61_000, now: 61_000 }, down)).toEqual({
      state: "live",
      since: 61_000,
    });
  });
});
