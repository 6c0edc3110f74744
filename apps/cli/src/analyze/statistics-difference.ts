import type { StatisticsAnswer } from "@nereid/client";
import type { LoadWindow, TuningPhases, TuningProbe } from "@nereid/perf";

type Rows = StatisticsAnswer["model_stats"];

function sizesOf(rows: Rows) {
  const sizes = new Map<number, { count: number; inferNs: number; aroundNs: number }>();
  for (const { batch_size, compute_input, compute_infer, compute_output } of rows.flatMap((row) => row.batch_stats)) {
    const sum = sizes.get(batch_size) ?? { count: 0, inferNs: 0, aroundNs: 0 };
    sizes.set(batch_size, {
      count: sum.count + compute_infer.count,
      inferNs: sum.inferNs + compute_infer.ns,
      aroundNs: sum.aroundNs + compute_input.ns + compute_output.ns,
    });
  }
  return sizes;
}

/** Executions between two looks by the size of their batch. */
export function executionsOf(before: StatisticsAnswer, after: StatisticsAnswer): TuningProbe["executions"] {
  const then = sizesOf(before.model_stats);
  return [...sizesOf(after.model_stats)].flatMap(([batchSize, now]) => {
    const was = then.get(batchSize) ?? { count: 0, inferNs: 0, aroundNs: 0 };
    const count = now.count - was.count;
    if (count <= 0) return [];
    const inferUs = (now.inferNs - was.inferNs) / count / 1000;
    return [{ batchSize, count, inferUs, aroundUs: (now.aroundNs - was.aroundNs) / count / 1000 }];
  });
}

export function meanBatch(before: StatisticsAnswer, after: StatisticsAnswer): number | null {
  const sum = ({ model_stats }: StatisticsAnswer, of: "inference_count" | "execution_count") =>
    model_stats.reduce((total, row) => total + row[of], 0);
  const executions = sum(after, "execution_count") - sum(before, "execution_count");
  const inferences = sum(after, "inference_count") - sum(before, "inference_count");
  return executions <= 0 ? null : inferences / executions;
}

export function phasesOf(before: StatisticsAnswer, after: StatisticsAnswer, window: LoadWindow): TuningPhases | null {
  const sum = (
    { model_stats }: StatisticsAnswer,
    of: "success" | "queue" | "compute_input" | "compute_infer" | "compute_output",
    what: "ns" | "count",
  ) => model_stats.reduce((total, row) => total + row.inference_stats[of][what], 0);
  const answered = sum(after, "success", "count") - sum(before, "success", "count");
  if (answered <= 0) return null;
  const meanUs = (of: Parameters<typeof sum>[1]) =>
    Math.max(0, sum(after, of, "ns") - sum(before, of, "ns")) / answered / 1000;
  const waits = window.requests.map(({ startMs, endMs }) => (endMs - startMs) * 1000);
  return {
    queue: meanUs("queue"),
    computeInput: meanUs("compute_input"),
    computeInfer: meanUs("compute_infer"),
    computeOutput: meanUs("compute_output"),
    client: waits.reduce((total, one) => total + one, 0) / Math.max(1, waits.length),
  };
}
