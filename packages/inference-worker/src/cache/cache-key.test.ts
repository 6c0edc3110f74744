import type { ParameterValue } from "@nereid/protocol";
import { describe, expect, it } from "vitest";
import { cacheKey, contentKeyOf, withContentKey } from "./cache-key.ts";

const tensor = (name: string) => ({
  name,
  datatype: "UINT8" as const,
  dims: [-1],
  modelDims: [-1],
  variable: true,
  optional: false,
  labels: [],
});
const input = (name: string, shape: readonly number[], ...bytes: number[]) => ({
  spec: tensor(name),
  shape,
  bytes: Uint8Array.from(bytes),
});
const request = (inputs: ReturnType<typeof input>[], parameters: Record<string, ParameterValue> = {}) => ({
  inputs,
  parameters: new Map(Object.entries(parameters)),
});
const model = { name: "m", version: "1" };
const base = request([input("A", [2], 1, 2), input("B", [1], 3)], { p: 1 });

describe("cacheKey()", () => {
  it("is the same whatever the order of inputs and parameters", () => {
    const [a, b] = base.inputs;
    const turned = request(
      [b, a].flatMap((one) => one ?? []),
      { q: "x", p: 1 },
    );
    expect(cacheKey(model, turned)).toBe(cacheKey(model, request([...base.inputs], { p: 1, q: "x" })));
  });

  it.each([
    ["another model", { ...model, name: "n" }, base],
    ["another version", { ...model, version: "2" }, base],
    ["other content of the model", { ...model, contentKey: "x" }, base],
    ["another value", model, request([input("A", [2], 1, 9), input("B", [1], 3)], { p: 1 })],
    ["another shape with the same bytes", model, request([input("A", [1, 2], 1, 2), input("B", [1], 3)], { p: 1 })],
    ["bytes on the other side of a border", model, request([input("A", [1], 1), input("B", [2], 2, 3)], { p: 1 })],
    ["an input fewer", model, request([input("A", [2], 1, 2)], { p: 1 })],
    ["another parameter", model, request([...base.inputs], { p: 2 })],
    ["a parameter of another type", model, request([...base.inputs], { p: "1" })],
    ["no parameter", model, request([...base.inputs])],
  ])("differs for %s", (_what, subject, other) => {
    expect(cacheKey(subject, other)).not.toBe(cacheKey(model, base));
  });

  it("has no parameters for a model that does not see them, such as forwarded headers", () => {
    const batch = { ...model, execution: "batch" as const };
    expect(cacheKey(batch, request([...base.inputs], { "x-request": "1" }))).toBe(cacheKey(batch, base));
  });
});

describe("withContentKey()", () => {
  it("asks anew at every request: the models of an ensemble change under it", () => {
    let step = withContentKey(model, () => "first");
    const ensemble = withContentKey({ name: "e", version: "1" }, () => contentKeyOf(() => step));
    const before = cacheKey(ensemble, base);
    expect(cacheKey(ensemble, base)).toBe(before);
    step = withContentKey(model, () => "second");
    expect(cacheKey(ensemble, base)).not.toBe(before);
  });
});
