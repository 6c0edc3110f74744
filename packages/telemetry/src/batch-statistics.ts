import type { ExecutionObservation } from "./phase-durations.ts";
import type { ModelStatisticsJson } from "./statistics-json.ts";

interface Row {
  count: number;
  input: number;
  infer: number;
  output: number;
}

/** Executions by batch size. */
export class BatchStatistics {
  readonly #rows = new Map<number, Row>();

  record(execution: ExecutionObservation): void {
    let row = this.#rows.get(execution.batchSize);
    if (row === undefined) {
      row = { count: 0, input: 0, infer: 0, output: 0 };
      this.#rows.set(execution.batchSize, row);
    }
    row.count += 1;
    row.input += execution.computeInputNs;
    row.infer += execution.computeInferNs;
    row.output += execution.computeOutputNs;
  }

  /** Executions of each size, ascending. */
  get sizes(): readonly (readonly [size: number, executions: number])[] {
    return [...this.#rows].map(([size, { count }]) => [size, count] as const).sort(([a], [b]) => a - b);
  }

  /** Ascending by batch size. */
  toJson(): ModelStatisticsJson["batch_stats"] {
    return [...this.#rows]
      .sort(([a], [b]) => a - b)
      .map(([size, { count, input, infer, output }]) => ({
        batch_size: size,
        compute_input: { count, ns: input },
        compute_infer: { count, ns: infer },
        compute_output: { count, ns: output },
      }));
  }
}
