import { modelConfigFromJson } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { candidateConfig } from "./candidate-config.ts";
import { afterSweep } from "./candidates.ts";

const { config } = modelConfigFromJson(
  JSON.stringify({
    name: "base",
    max_batch_size: 8,
    version_policy: { specific: { versions: [2] } },
    instance_group: [{ name: "base_0", count: 2 }, { name: "mine" }],
    dynamic_batching: { preferred_batch_size: [4], max_queue_delay_microseconds: 50 },
    parameters: { intra_op_thread_count: { string_value: "2" } },
  }),
);
if (config === undefined) throw new Error("the configuration of the test is wrong");
const laid = (given: Readonly<Record<string, unknown>>) => JSON.parse(candidateConfig(config, given, "trial"));

describe("candidateConfig()", () => {
  it("is that of the model under another name, without its version policy, and with groups named anew", () => {
    const same = laid({ name: "other", version_policy: { latest: {} } });
    expect(same).toMatchObject({ name: "trial", max_batch_size: 8, dynamic_batching: { preferred_batch_size: [4] } });
    expect(same.version_policy).toBeUndefined();
    expect(same.instance_group.map(({ name }: { name: string }) => name)).toEqual(["", "mine"]);
  });

  it.each([
    ["max_batch_size", 4],
    ["maxBatchSize", 4],
  ])("has %s as it is given", (field, value) => {
    expect(laid({ [field]: value })).toMatchObject({ max_batch_size: 4, dynamic_batching: {} });
  });

  it.each([
    [2, [8], []],
    [16, [8], []],
    [4, [2, 4, 8], [2, 4]],
    [8, [8], [8]],
  ])(
    "at most %d a batch keeps of the preferred sizes %j those that fit and were not filled in",
    (most, sizes, left) => {
      const sized = modelConfigFromJson(
        JSON.stringify({ name: "base", max_batch_size: 8, dynamic_batching: { preferred_batch_size: sizes } }),
      ).config;
      if (sized === undefined) throw new Error("the configuration of the test is wrong");
      const { dynamic_batching: batching } = JSON.parse(candidateConfig(sized, { max_batch_size: most }, "trial"));
      expect(batching.preferred_batch_size).toEqual(left);
    },
  );

  it("replaces a field whole, takes one away for null, and lets one scheduler take the place of the other", () => {
    expect(laid({ dynamic_batching: {} }).dynamic_batching).toEqual({});
    expect(laid({ dynamicBatching: null })).not.toHaveProperty("dynamic_batching");
    const sequences = laid({ sequence_batching: { max_sequence_idle_microseconds: 5 } });
    expect([sequences.dynamic_batching, sequences.sequence_batching]).toEqual([
      undefined,
      { max_sequence_idle_microseconds: 5 },
    ]);
  });
});

describe("a candidate's time", () => {
  it.each([
    ["is over when it has passed", { made: "x", expiresAtMs: 1_000 }, false, "expired"],
    ["goes on until then", { made: "x", expiresAtMs: 1_001 }, false, 1_001],
    ["has a minute left while it is in use", { made: "x", expiresAtMs: 1_000 }, true, 61_000],
    ["is not shortened by use", { made: "x", expiresAtMs: 99_000 }, true, 99_000],
    ["does not end while it is being made", { made: undefined, expiresAtMs: 0 }, false, 61_000],
  ] as const)("%s", (_, row, inUse, expected) => {
    expect(afterSweep(row, { inUse, nowMs: 1_000 })).toBe(expected);
  });
});
