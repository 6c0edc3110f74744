import fc from "fast-check";
import { expect, it } from "vitest";
import { latencyAt, latencyPlace, movedLimit, prepareFrontier } from "./prepare-frontier.ts";

const point = (id: string, throughput: number, p99Ms: number) => ({ id, throughput, p99Ms, measured: true });

it("places points on a linear and a logarithmic axis, and joins the front from left to right", () => {
  const { points, front, throughput, latency } = prepareFrontier(
    [point("a", 100, 1), point("b", 50, 10), point("none", 5, 0)],
    ["a", "b", "gone"],
    100,
  );
  expect([throughput.max, latency.min, latency.max]).toEqual([100, 1, 100]);
  expect(points.map(({ id, x, y }) => [id, x, y])).toEqual([
    ["a", 1, 1],
    ["b", 0.5, 0.5],
  ]);
  expect(front.map(({ id }) => id)).toEqual(["b", "a"]);
});

it("has a scale without points", () => {
  expect(prepareFrontier([], [], null)).toMatchObject({ points: [], front: [], throughput: { max: 1 } });
});

it("height and latency are each other's reverse, and keys stay inside", () => {
  const scale = { min: 0.1, max: 1000, ticks: [] };
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 1000, noNaN: true }),
      fc.constantFrom("ArrowUp", "PageDown", "End"),
      (ms, key) => {
        expect(latencyAt(scale, latencyPlace(scale, ms)) / ms).toBeCloseTo(1, 1);
        const moved = movedLimit(ms, key, scale) ?? Number.NaN;
        expect(moved).toBeGreaterThanOrEqual(0.1);
        expect(moved).toBeLessThanOrEqual(1000);
      },
    ),
  );
  expect(movedLimit(10, "ArrowUp", scale)).toBe(10.5);
  expect(movedLimit(10, "a", scale)).toBeNull();
});
