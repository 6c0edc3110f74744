import type { ModelStatisticsJson, StatisticDuration } from "./statistics-json.ts";

/** What became of one response of a decoupled model. Durations in nanoseconds. */
export interface ResponseObservation {
  /** Among the responses of its request, from 0. */
  readonly index: number;
  readonly outcome: "success" | "fail" | "empty_response" | "cancel";
  /** From the response before it, or from the start of the execution. */
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
}

interface Sum {
  count: number;
  ns: number;
}

/** Kept by index; a model may answer for ever. */
const MOST_INDICES = 1024;

/** Responses of decoupled models by their index (metrics.md §3, response_stats). */
export class ResponseStatistics {
  readonly #rows = new Map<number, Record<string, Sum>>();

  record({ index, outcome, computeInferNs, computeOutputNs }: ResponseObservation): void {
    if (index >= MOST_INDICES) return;
    let row = this.#rows.get(index);
    if (row === undefined) {
      row = {};
      this.#rows.set(index, row);
    }
    add(row, outcome, computeInferNs + computeOutputNs);
    if (outcome === "cancel") return;
    add(row, "compute_infer", computeInferNs);
    if (outcome === "success") add(row, "compute_output", computeOutputNs);
  }

  toJson(): ModelStatisticsJson["response_stats"] {
    const none: StatisticDuration = { count: 0, ns: 0 };
    return Object.fromEntries(
      [...this.#rows]
        .sort(([a], [b]) => a - b)
        .map(([index, row]) => [
          String(index),
          {
            compute_infer: row["compute_infer"] ?? none,
            compute_output: row["compute_output"] ?? none,
            success: row["success"] ?? none,
            fail: row["fail"] ?? none,
            empty_response: row["empty_response"] ?? none,
            cancel: row["cancel"] ?? none,
          },
        ]),
    );
  }
}

function add(row: Record<string, Sum>, key: string, ns: number): void {
  const sum = row[key] ?? { count: 0, ns: 0 };
  sum.count += 1;
  sum.ns += Math.max(0, ns);
  row[key] = sum;
}
