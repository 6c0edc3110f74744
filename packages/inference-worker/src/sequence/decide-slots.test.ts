import { describe, expect, it } from "vitest";
import { decideSlots, type ReadySlot } from "./decide-slots.ts";

const POLICY = { slots: 4, maxQueueDelayNs: 0, minimumSlotUtilization: 0 };

function ready(slot: number, sinceNs = 0, shapeKey = ""): ReadySlot {
  return { slot, sinceNs, shapeKey };
}

function places(slots: readonly ReadySlot[], policy = POLICY, nowNs = 0): unknown {
  const decision = decideSlots(slots, policy, nowNs);
  return decision.action === "send" ? decision.places.map((slot) => slot?.slot ?? "null") : decision;
}

describe("decideSlots()", () => {
  it.each([
    ["nothing", [], { action: "none" }],
    ["the first", [ready(0)], [0]],
    ["with null requests before", [ready(2)], ["null", "null", 2]],
    ["in the order of the slots, none after the last", [ready(3), ready(1)], ["null", 1, "null", 3]],
    ["the shape of the oldest", [ready(0, 5, "a"), ready(1, 4, "b"), ready(2, 6, "b")], ["null", 1, 2]],
  ])("sends %s", (_, slots, expected) => {
    expect(places(slots)).toEqual(expected);
  });

  const waiting = { slots: 4, maxQueueDelayNs: 100, minimumSlotUtilization: 0.5 };
  it.each([
    ["one of four, fresh", [ready(0, 10)], waiting, 20, { action: "wait", untilNs: 110 }],
    ["one of four, one nanosecond before the delay", [ready(0, 10)], waiting, 109, { action: "wait", untilNs: 110 }],
    ["one of four, after the delay", [ready(0, 10)], waiting, 110, [0]],
    ["two of four", [ready(0, 10), ready(1, 15)], waiting, 20, [0, 1]],
    ["no utilization", [ready(0, 10)], { ...waiting, minimumSlotUtilization: 0 }, 20, [0]],
    ["no delay", [ready(0, 10)], { ...waiting, maxQueueDelayNs: 0 }, 20, [0]],
  ])("waits for utilization or delay: %s", (_, slots, policy, nowNs, expected) => {
    expect(places(slots, policy, nowNs)).toEqual(expected);
  });
});
