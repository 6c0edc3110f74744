import { generatorWarnings } from "../load/health.ts";
import { percentileOf } from "../load/latency-figures.ts";
import { type LoadWindow, latenciesUs, throughputOf } from "../load/load-window.ts";
import { phaseMeanUs } from "../load/server-figures.ts";
import type { ExperimentSpec, ExperimentWindow } from "./experiment-types.ts";

type Place = Pick<ExperimentWindow, "pair" | "side">;
type Question = Pick<ExperimentSpec, "requestBatch" | "goodWithinMs" | "load">;

/** What of a measured window an experiment keeps. Pure. */
export function experimentWindow(window: LoadWindow, place: Place, question: Question): ExperimentWindow {
  const { requestBatch, goodWithinMs, load } = question;
  const sorted = latenciesUs(window).toSorted();
  const throughput = throughputOf(window, requestBatch);
  const good = goodWithinMs === null ? sorted.length : sorted.filter((us) => us <= goodWithinMs * 1000).length;
  const ended = window.requests.length + window.failed;
  const [served] = window.server;
  const counted = served !== undefined && served.phases.success.count > 0;
  const compute = (["computeInput", "computeInfer", "computeOutput"] as const).reduce(
    (sum, phase) => sum + (counted ? phaseMeanUs(served, phase) : 0),
    0,
  );
  return {
    ...place,
    throughput,
    goodput: sorted.length === 0 ? 0 : (throughput * good) / sorted.length,
    p50: percentileOf(sorted, 50) / 1000,
    p99: percentileOf(sorted, 99) / 1000,
    requests: ended,
    failed: ended === 0 ? 0 : window.failed / ended,
    queueMs: counted ? phaseMeanUs(served, "queue") / 1000 : null,
    computeMs: counted ? compute / 1000 : null,
    meanBatch: counted && served.executions > 0 ? served.inferences / served.executions : null,
    warnings: generatorWarnings(window, load.kind === "concurrency" ? "closed" : "open"),
  };
}
