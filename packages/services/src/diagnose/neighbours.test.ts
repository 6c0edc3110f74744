import type { SeriesBucket } from "@nereid/client";
import { expect, it } from "vitest";
import { sumsOf } from "../history/series-sums.ts";
import { seriesOf } from "../testing/buckets.ts";
import { neighboursIn } from "./neighbours.ts";

const question = { model: "own", seconds: 2 };
const totals = (...series: SeriesBucket[]) => series.map((one) => ({ model: one.model, sums: sumsOf(one) }));

it("tells the busiest other models of the window, by their instances' time or by their batches", () => {
  const all = totals(
    seriesOf("own", [1], { busyNs: 9e8 }),
    seriesOf("batched", [80], { inferences: 4, executions: 1 }),
    seriesOf("busy", [1], { busyNs: 6e8 }),
    seriesOf("idle", []),
  );
  expect(neighboursIn(all, question)).toEqual([
    { model: "busy", computeMsPerSecond: 300 },
    { model: "batched", computeMsPerSecond: 2.5 },
  ]);
});

it("of two hundred models it looks at all, and shows five", () => {
  const all = Array.from({ length: 200 }, (_, index) => seriesOf(`m${index}`, [1], { busyNs: (index + 1) * 1e6 }));
  const shown = neighboursIn(totals(...all), question);
  expect(shown.map(({ model }) => model)).toEqual(["m199", "m198", "m197", "m196", "m195"]);
});
