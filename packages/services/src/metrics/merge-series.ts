import type { SeriesBucket } from "@nereid/client";
import { mergeSparse, type SparseHistogram } from "@nereid/telemetry";

/** Counts and sums of several series added up; percentiles come from the added histograms, never from averages. */
export interface MergedSeries {
  readonly success: number;
  readonly failure: number;
  readonly inferences: number;
  readonly executions: number;
  readonly sumNs: SeriesBucket["sumNs"];
  readonly latency: SparseHistogram;
}

/** Adds series of any number of versions or seconds. */
export function mergeSeries(series: Iterable<SeriesBucket>): MergedSeries {
  const total = { success: 0, failure: 0, inferences: 0, executions: 0 };
  const sumNs = { request: 0, queue: 0, computeInput: 0, computeInfer: 0, computeOutput: 0 };
  const histograms: SparseHistogram[] = [];
  for (const one of series) {
    total.success += one.success;
    total.failure += one.failure;
    total.inferences += one.inferences;
    total.executions += one.executions;
    sumNs.request += one.sumNs.request;
    sumNs.queue += one.sumNs.queue;
    sumNs.computeInput += one.sumNs.computeInput;
    sumNs.computeInfer += one.sumNs.computeInfer;
    sumNs.computeOutput += one.sumNs.computeOutput;
    histograms.push(one.latency);
  }
  return { ...total, sumNs, latency: mergeSparse(histograms) };
}
