import { healthWarnings, histogramRows, type MeasuredDuration, phaseMeanUs } from "@nereid/perf";
import type { LoadLevel } from "@nereid/services/load-test-report";
import { isOpenLoop, type LoadTestSpec } from "@nereid/services/load-test-spec";
import { judgeThresholds } from "../perf/check/judge-scenario.ts";

/** Rows of a histogram to a factor of two. */
const ROWS_PER_OCTAVE = 4;

/** A measured level as it is kept and shown. Pure. */
export function levelReport(
  { tally, whole, failure }: MeasuredDuration,
  { spec, level, offered }: { readonly spec: LoadTestSpec; readonly level: number; readonly offered: number | null },
): LoadLevel {
  const { seconds, answered, failed, late, good, averageMs, maxMs, server, generator } = tally.figures;
  const { batch, load, thresholds, goodWithinMs } = spec;
  const ended = answered + failed;
  const goodShare = ended === 0 ? 0 : good / ended;
  const percentileMs = (percentile: number) => tally.percentileMs(percentile);
  return {
    level,
    offered,
    seconds,
    whole,
    client: {
      answered,
      failed,
      late,
      throughput: tally.throughput(batch),
      goodput: tally.goodput(batch),
      goodShare,
      averageMs,
      p50: percentileMs(50),
      p90: percentileMs(90),
      p95: percentileMs(95),
      p99: percentileMs(99),
      p999: percentileMs(99.9),
      maxMs,
    },
    server: serverOf(server[0]),
    generator,
    warnings: healthWarnings(tally.health, isOpenLoop(load) ? "open" : "closed"),
    judgements: judgeThresholds(
      { thresholds, goodWithinMs: goodWithinMs ?? undefined },
      {
        percentileMs,
        throughput: tally.throughput(batch),
        failedShare: ended === 0 ? 1 : failed / ended,
        goodShare,
      },
    ),
    histogram: histogramRows(tally.toSparse(), ROWS_PER_OCTAVE),
    failure: failure ?? null,
  };
}

function serverOf(served: MeasuredDuration["tally"]["figures"]["server"][number] | undefined): LoadLevel["server"] {
  if (served === undefined || served.phases.success.count === 0) return null;
  const ms = (phase: Parameters<typeof phaseMeanUs>[1]) => phaseMeanUs(served, phase) / 1000;
  return {
    queueMs: ms("queue"),
    computeInputMs: ms("computeInput"),
    computeInferMs: ms("computeInfer"),
    computeOutputMs: ms("computeOutput"),
    executions: served.executions,
    batchMean: served.executions === 0 ? 0 : served.inferences / served.executions,
  };
}
