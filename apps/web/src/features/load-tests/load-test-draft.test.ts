import { loadTestSpec } from "@nereid/services/load-test-spec";
import { describe, expect, it } from "vitest";
import { draftOf, EMPTY_DRAFT, type LoadTestDraft, readDraft } from "./load-test-draft.ts";
import { PRESETS } from "./presets.ts";

const problemsOf = (fields: Partial<LoadTestDraft>) => {
  const read = readDraft({ ...EMPTY_DRAFT, model: "m", ...fields });
  return read.kind === "wrong" ? read.problems : {};
};

describe("the form of a load test", () => {
  it.each([
    { load: { kind: "concurrency", from: 1, to: 9, step: 2 }, shapes: { A: [3, 4], B: [1] }, batch: 4 },
    { load: { kind: "rate", from: 10.5, to: 20, step: 2, distribution: "constant" }, goodWithinMs: 20, version: "3" },
    { load: { kind: "bursts", from: 10, to: 20, step: 5, size: 3 }, input: { kind: "fixture", name: "one" } },
    {
      load: { kind: "knee", from: 10, to: 900, factor: 2, limitMs: 20, percentile: 95 },
      protocol: "grpc",
      streaming: true,
    },
    {
      load: { kind: "recorded", seconds: 60, speed: 2 },
      input: { kind: "json", text: "{}" },
      sequences: { length: 5 },
    },
    {
      load: { kind: "rate", from: 10, to: 10 },
      thresholds: [
        { kind: "latency", percentile: 50, atMostMs: 5 },
        { kind: "latency", percentile: 99, atMostMs: 20 },
        { kind: "throughput", atLeast: 9 },
        { kind: "error-share", atMost: 0.001 },
        { kind: "goodput", atLeast: 0.99 },
      ],
    },
  ])("means what it was made from: %#", (fields) => {
    const spec = loadTestSpec.parse({ model: "m", ...fields });
    expect(readDraft(draftOf(spec))).toEqual({ kind: "right", spec });
  });

  it.each(PRESETS.map(({ name, fields }) => [name, fields] as const))(
    "has a preset %s that can be begun",
    (_name, fields) => {
      expect(readDraft({ ...EMPTY_DRAFT, model: "m", ...fields }).kind).toBe("right");
    },
  );

  it("says at the field what is wrong there", () => {
    expect(problemsOf({ model: "" })).toHaveProperty("model");
    expect(problemsOf({ from: "8", to: "4" })).toEqual({ to: "is below the first level" });
    expect(problemsOf({ to: "1000", step: "1" })).toEqual({ step: expect.stringContaining("100 levels") });
    expect(problemsOf({ duration: "" })).toEqual({ duration: "must be a number" });
    expect(problemsOf({ duration: "9999" })).toEqual({ duration: "must be at most 3600" });
    expect(problemsOf({ shapes: "A=3" })).toHaveProperty("shapes");
    expect(problemsOf({ p50: "5", goodput: "120" })).toHaveProperty("goodput");
    expect(problemsOf({ input: "fixture" })).toHaveProperty("fixture");
    expect(problemsOf({ sequences: true, length: "0" })).toHaveProperty("length");
  });
});
