import { expect, it } from "vitest";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { rememberedNeighbours } from "./neighbours.ts";

const question = { model: "own", from: 10, to: 12 };

it("tells the busiest other models of the window, by their instances' time or by their batches", () => {
  const buckets = [
    bucketOf(9, seriesOf("before", [1], { busyNs: 9e8 })),
    bucketOf(10, seriesOf("own", [1], { busyNs: 9e8 }), seriesOf("busy", [1], { busyNs: 4e8 })),
    bucketOf(11, seriesOf("busy", [1], { busyNs: 2e8 }), seriesOf("batched", [80], { inferences: 4, executions: 1 })),
    bucketOf(12, seriesOf("after", [1], { busyNs: 9e8 })),
  ];
  expect(rememberedNeighbours(buckets, question)).toEqual([
    { model: "busy", computeMsPerSecond: 300 },
    { model: "batched", computeMsPerSecond: 2.5 },
  ]);
});

it("does not answer for seconds that are not remembered", () => {
  expect(rememberedNeighbours([bucketOf(11, seriesOf("other", [1]))], question)).toBeUndefined();
  expect(rememberedNeighbours([], question)).toBeUndefined();
});

it("of two hundred models it looks at all, and shows five", () => {
  const series = Array.from({ length: 200 }, (_, index) => seriesOf(`m${index}`, [1], { busyNs: (index + 1) * 1e6 }));
  const shown = rememberedNeighbours([bucketOf(10, ...series)], question);
  expect(shown?.map(({ model }) => model)).toEqual(["m199", "m198", "m197", "m196", "m195"]);
});
