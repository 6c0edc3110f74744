import { parseModelConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { batchSizeSamples, batchSizesOf } from "./batch-size-samples.ts";
import { specOf, tensor } from "./testing/spec-of.ts";

const sizes = (largest: number, kind: "off" | "powers" | "all") =>
  batchSizeSamples(specOf(largest, tensor("X", [1])), kind, []).map(({ batchSize }) => batchSize);

describe("batchSizeSamples()", () => {
  it.each([
    [8, "off", []],
    [8, "powers", [1, 2, 4, 8]],
    [12, "powers", [1, 2, 4, 8, 12]],
    [1, "powers", [1]],
    [0, "powers", [1]],
    [4, "all", [1, 2, 3, 4]],
    [0, "all", [1]],
  ] as const)("for a largest batch of %d, %s", (largest, kind, expected) => {
    expect(sizes(largest, kind)).toEqual(expected);
  });

  it("takes the size of variable dims from a sample, else 1, and leaves optional inputs out", () => {
    const spec = specOf(2, tensor("X", [-1, 3]), tensor("Y", [-1]), tensor("O", [1], true));
    const known = {
      name: "s",
      count: 1,
      batchSize: 1,
      inputs: [{ name: "X", datatype: "UINT8" as const, dims: [5, 3], bytes: new Uint8Array(15) }],
    };
    const [first] = batchSizeSamples(spec, "all", [known]);
    expect(first?.inputs.map(({ name, dims, bytes }) => [name, dims, bytes.length])).toEqual([
      ["X", [5, 3], 15],
      ["Y", [1], 1],
    ]);
  });
});

describe("batchSizesOf()", () => {
  const configOf = (text: string) => {
    const { config } = parseModelConfig(text, { file: "config.pbtxt" });
    if (config === undefined) throw new Error("not a configuration");
    return config;
  };
  const parameter = (value: string) =>
    configOf(`parameters { key: "warm_up_batch_sizes" value: { string_value: "${value}" } }`);

  it("prefers what the model says", () => {
    expect(batchSizesOf(configOf(""), "powers")).toBe("powers");
    expect(batchSizesOf(parameter("off"), "powers")).toBe("off");
    expect(batchSizesOf(parameter("all"), "off")).toBe("all");
    expect(() => batchSizesOf(parameter("some"), "off")).toThrow("must be off, powers or all, got 'some'");
  });
});
