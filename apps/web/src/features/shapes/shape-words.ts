import type { ShapeInput, ShapeRow, VersionShapes } from "@nereid/client";
import { csvTable } from "../../lib/csv-table.ts";
import type { ORDERS } from "./search-params.ts";
import type { Observed } from "./suggest-buckets.ts";

/** `x 16×3, y 4`. */
export function shapeText(inputs: readonly ShapeInput[]): string {
  return inputs.map(({ name, shape }) => `${name} ${shape.length === 0 ? "scalar" : shape.join("×")}`).join(", ");
}

/** In the order that was chosen; a copy. */
export function sortedRows(rows: readonly ShapeRow[], order: (typeof ORDERS)[number]): ShapeRow[] {
  const by = {
    count: (row: ShapeRow) => row.count,
    p99: (row: ShapeRow) => row.p99Ns,
    first: (row: ShapeRow) => row.firstSeenMs,
  }[order];
  return rows.toSorted((a, b) => by(b) - by(a));
}

/** A dimension of an input that changes from request to request, with what it was. */
export interface FreeDimension {
  readonly input: string;
  /** Place among the dimensions without the batch. */
  readonly axis: number;
  readonly observed: readonly Observed[];
}

export function freeDimensions({ inputs, rows }: Pick<VersionShapes, "inputs" | "rows">): FreeDimension[] {
  return inputs.flatMap(({ name, dims }) =>
    dims.flatMap((dim, axis) => {
      if (dim !== -1) return [];
      const observed = rows.flatMap((row) => {
        const value = row.inputs.find((input) => input.name === name)?.shape[axis];
        return value === undefined ? [] : [{ value, count: row.count }];
      });
      return observed.length === 0 ? [] : [{ input: name, axis, observed }];
    }),
  );
}

/** The shapes as comma-separated values, times in milliseconds. */
export function shapesCsv({ version, rows }: Pick<VersionShapes, "version" | "rows">): string {
  return csvTable([
    ["version", "inputs", "requests", "mean_ms", "p99_ms", "first_seen", "last_seen", "alone", "cut_short"],
    ...rows.map((row) => [
      version,
      shapeText(row.inputs),
      row.count,
      (row.meanNs / 1e6).toFixed(3),
      (row.p99Ns / 1e6).toFixed(3),
      new Date(row.firstSeenMs).toISOString(),
      new Date(row.lastSeenMs).toISOString(),
      row.alone,
      row.cutShort,
    ]),
  ]);
}

/** Whether a remembered request had these shapes; `batched` requests have the batch dimension before them. */
export function hasShapes(
  request: { readonly shapes: readonly ShapeInput[] },
  wanted: readonly ShapeInput[],
  batched: boolean,
): boolean {
  return wanted.every(({ name, shape }) => {
    const found = request.shapes.find((one) => one.name === name);
    return found !== undefined && (batched ? found.shape.slice(1) : found.shape).join() === shape.join();
  });
}
