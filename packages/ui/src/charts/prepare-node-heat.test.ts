import { describe, expect, it } from "vitest";
import { prepareNodeHeat } from "./prepare-node-heat.ts";

const METRICS = [{ key: "cpu", label: "CPU", hot: 0.9, format: (value: number | null) => String(value) }];
const node = (id: string, cpu: number | null, stale = false) => ({ id, name: id, stale, values: { cpu } });

describe("the heat map of nodes", () => {
  it.each([
    [0, 0],
    [0.35, 0],
    [0.4, 1],
    [0.6, 2],
    [0.8, 3],
    [0.9, 4],
    [2, 4],
  ])("shades %s of 0.9 with level %s", (value, level) => {
    expect(prepareNodeHeat([node("a", value)], METRICS)[0]?.cells).toEqual([
      { key: "cpu", text: String(value), level },
    ]);
  });

  it("does not shade what is unknown or stale, and says it all the same", () => {
    const rows = prepareNodeHeat([node("a", null), node("b", 1, true)], METRICS);
    expect(rows.flatMap(({ cells }) => cells.map(({ text, level }) => [text, level]))).toEqual([
      ["null", null],
      ["1", null],
    ]);
  });

  it("puts the hottest first and leaves the rest in order", () => {
    const rows = prepareNodeHeat([node("a", 0.1), node("b", 0.1), node("c", 0.9)], METRICS);
    expect(rows.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  });
});
