import { NereidError } from "@nereid/errors";
import { writeBytesElements } from "./bytes-elements.ts";
import { byteSizeOf, isDatatype } from "./datatype.ts";
import { formatFixed6 } from "./format-fixed.ts";
import type { OutputTensor } from "./infer-types.ts";
import { elementCount } from "./tensor-shape.ts";
import { decodeTensorValues } from "./tensor-values.ts";

export interface ClassifyOptions {
  /** Classes asked for, above 0. */
  readonly k: number;
  /** Whether the first dimension is the batch. */
  readonly batching: boolean;
  /** Label by index; missing or empty ones are left out. */
  readonly labels: readonly string[];
}

const MAX_ELEMENTS = 1_000_000;

/**
 * Top-k classes of an output as BYTES strings `value:index[:label]`, shape `[batch, min(k, C)]` or `[min(k, C)]`
 * (http.md §10). Equal values keep index order, NaN comes last. Throws INVALID_ARGUMENT for BOOL, FP16, BF16 and BYTES
 * and above a million elements.
 */
export function classify(output: OutputTensor, options: ClassifyOptions): OutputTensor {
  const { datatype, shape, name } = output;
  if (!isDatatype(datatype) || ["BOOL", "FP16", "BF16", "BYTES"].includes(datatype)) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `class result not available for output due to unsupported type '${datatype}'`,
    );
  }
  const total = output.bytes.length / byteSizeOf(datatype);
  if (total > MAX_ELEMENTS) throw new NereidError("INVALID_ARGUMENT", "classification output tensor too large");
  const values = decodeTensorValues(datatype, output.bytes) as ArrayLike<number | bigint>;
  const batch = options.batching ? (shape[0] ?? 0) : 1;
  const classes = options.batching ? elementCount(shape.slice(1)) : elementCount(shape);
  const k = Math.min(options.k, classes);
  const fixed = datatype === "FP32" || datatype === "FP64";
  const texts: string[] = [];
  for (let row = 0; row < batch; row += 1) {
    for (const index of topIndices(values, { start: row * classes, count: classes, k })) {
      const value = values[row * classes + index] ?? 0;
      const label = options.labels[index] ?? "";
      const text = fixed ? formatFixed6(Number(value)) : String(value);
      texts.push(`${text}:${index}${label === "" ? "" : `:${label}`}`);
    }
  }
  return { name, datatype: "BYTES", shape: options.batching ? [batch, k] : [k], bytes: writeBytesElements(texts) };
}

interface Row {
  readonly start: number;
  readonly count: number;
  readonly k: number;
}

function topIndices(values: ArrayLike<number | bigint>, { start, count, k }: Row): Uint32Array {
  const order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  order.sort((a, b) => descending(values[start + a] ?? 0, values[start + b] ?? 0) || a - b);
  return order.subarray(0, k);
}

function descending(a: number | bigint, b: number | bigint): number {
  if (a > b) return -1;
  if (a < b) return 1;
  // Equal, or at least one NaN (bigint is never NaN).
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}
