import { describe, expect, it } from "vitest";
import { parseOptions } from "./parse-options.ts";

const parse = (...args: string[]) => {
  const parsed = parseOptions(["--model-repository=/models", ...args], {}, () => undefined);
  if (parsed.kind !== "run") throw new Error("help");
  return parsed.options.loading;
};
const EXPLICIT = "--model-control-mode=explicit";

describe("loading options", () => {
  it("are off by default, and a load stands back", () => {
    expect(parse()).toEqual({ onDemand: undefined, memoryBudgetBytes: undefined, priority: "low" });
  });

  it("take what is given", () => {
    expect(
      parse(
        EXPLICIT,
        "--load-on-demand=true",
        "--load-on-demand-wait-secs=5",
        "--load-on-demand-idle-secs=7",
        "--model-memory-budget-bytes=1000000",
        "--load-priority=normal",
      ),
    ).toEqual({ onDemand: { waitSecs: 5, idleSecs: 7 }, memoryBudgetBytes: 1_000_000, priority: "normal" });
    expect(parse(EXPLICIT, "--load-on-demand=true").onDemand).toEqual({ waitSecs: 60, idleSecs: 300 });
  });

  it.each([
    [["--load-on-demand=true"], /requires setting '--model-control-mode=explicit'/],
    [[EXPLICIT, "--load-on-demand=true", "--load-on-demand-wait-secs=0"], /load-on-demand-wait-secs/],
    [["--model-memory-budget-bytes=0"], /model-memory-budget-bytes/],
    [["--load-priority=high"], /expected gentle, low or normal, got "high"/],
  ])("refuse %j", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});
