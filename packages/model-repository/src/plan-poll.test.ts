import { describe, expect, it } from "vitest";
import { planPoll } from "./plan-poll.ts";

const seen = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe("planPoll()", () => {
  it("waits while a model's files change and loads once two looks agree", () => {
    const none = seen({});
    expect(planPoll(none, none, seen({ m: "half" }))).toEqual({ load: [], unload: [], unsettled: true });
    expect(planPoll(none, seen({ m: "half" }), seen({ m: "whole" }))).toEqual({
      load: [],
      unload: [],
      unsettled: true,
    });
    expect(planPoll(none, seen({ m: "whole" }), seen({ m: "whole" }))).toEqual({
      load: ["m"],
      unload: [],
      unsettled: false,
    });
  });

  it("does nothing for a model that was acted on, loaded or failed", () => {
    const same = seen({ m: "a" });
    expect(planPoll(same, same, same)).toEqual({ load: [], unload: [], unsettled: false });
  });

  it("loads a changed model again", () => {
    expect(planPoll(seen({ m: "a" }), seen({ m: "b" }), seen({ m: "b" })).load).toEqual(["m"]);
  });

  it("unloads a model only after it was gone in two looks", () => {
    const acted = seen({ m: "a" });
    expect(planPoll(acted, seen({ m: "a" }), seen({}))).toEqual({ load: [], unload: [], unsettled: true });
    expect(planPoll(acted, seen({}), seen({}))).toEqual({ load: [], unload: ["m"], unsettled: false });
  });
});
