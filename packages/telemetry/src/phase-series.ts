import { LatencyHistogram } from "./latency-histogram.ts";
import type { FailureReason, Phase, SuccessObservation } from "./phase-durations.ts";

const NS_PER_US = 1000;

/**
 * What is counted under one set of labels: a model version as a whole, or its instances on one GPU (metrics.md §2.1). Observing
 * costs a few additions.
 */
export class PhaseSeries {
  readonly histograms: Readonly<Record<Phase, LatencyHistogram>> = {
    request: new LatencyHistogram(),
    queue: new LatencyHistogram(),
    computeInput: new LatencyHistogram(),
    computeInfer: new LatencyHistogram(),
    computeOutput: new LatencyHistogram(),
  };
  /** Time spent by phase in microseconds; every request truncated on its own, as Triton counts. */
  readonly microseconds: Record<Phase, number> = {
    request: 0,
    queue: 0,
    computeInput: 0,
    computeInfer: 0,
    computeOutput: 0,
  };
  readonly failures: Record<FailureReason, number> = { REJECTED: 0, CANCELED: 0, BACKEND: 0, OTHER: 0 };
  inferences = 0;
  executions = 0;

  get success(): number {
    return this.histograms.request.count;
  }

  recordSuccess(observation: SuccessObservation): void {
    const { requestNs, queueNs, computeInputNs, computeInferNs, computeOutputNs } = observation;
    // Spelled out: looking the phases up by name would cost more than recording them.
    const { histograms, microseconds } = this;
    histograms.request.record(requestNs);
    histograms.queue.record(queueNs);
    microseconds.request += Math.trunc(requestNs / NS_PER_US);
    microseconds.queue += Math.trunc(queueNs / NS_PER_US);
    if (observation.cacheHit === true) return;
    this.inferences += observation.batchSize;
    histograms.computeInput.record(computeInputNs);
    histograms.computeInfer.record(computeInferNs);
    histograms.computeOutput.record(computeOutputNs);
    microseconds.computeInput += Math.trunc(computeInputNs / NS_PER_US);
    microseconds.computeInfer += Math.trunc(computeInferNs / NS_PER_US);
    microseconds.computeOutput += Math.trunc(computeOutputNs / NS_PER_US);
  }
}
