import { describe, expect, it } from "vitest";
import { servingWatch } from "./serving-watch.ts";

function watched() {
  const state = { executions: 0, pending: 0, nowMs: 0 };
  const served = {
    statistics: {
      get pending() {
        return state.pending;
      },
    },
    get instanceStates() {
      return [{ executions: state.executions }];
    },
  };
  const entries = [{ versions: new Map([["1", { served }]]) }];
  const manager = { entries } as unknown as Parameters<typeof servingWatch>[0] extends () => infer M ? M : never;
  return { state, isServing: servingWatch(() => manager, { wallMs: () => state.nowMs }) };
}

describe("servingWatch()", () => {
  it("says no while nobody asks anything", () => {
    const { state, isServing } = watched();
    expect(isServing()).toBe(false);
    state.nowMs = 10_000;
    expect(isServing()).toBe(false);
  });

  it("says yes for a second after an execution, and while a request waits", () => {
    const { state, isServing } = watched();
    isServing();
    state.executions = 3;
    expect(isServing()).toBe(true);
    state.nowMs = 900;
    expect(isServing()).toBe(true);
    state.nowMs = 1_100;
    expect(isServing()).toBe(false);
    state.pending = 1;
    expect(isServing()).toBe(true);
    state.nowMs = 60_000;
    expect(isServing()).toBe(true);
  });
});
