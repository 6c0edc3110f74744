import { byteSizeOf, type Datatype, decodeTensorValues, type OutputTensor } from "@nereid/protocol";
import type { Sliced } from "../inference/slices.ts";

/** Vectors of numbers whose largest element is at the same place, of so many. */
export interface Top1 {
  readonly same: number;
  readonly of: number;
}

interface Vectors {
  readonly primary: OutputTensor;
  readonly shadow: OutputTensor;
  readonly datatype: Datatype;
  readonly batched: boolean;
}

const SLICE_ELEMENTS = 8192;

/** Adds the vectors of an output, where it has any: one for each row of two dimensions, or of one where none counts requests. */
export function* compareTop1(
  sum: { same: number; of: number },
  { primary, shadow, datatype, batched }: Vectors,
): Sliced<void> {
  const { shape } = primary;
  const length = shape.at(-1) ?? 0;
  const isVectors = shape.length === 2 || (shape.length === 1 && !batched);
  if (!isVectors || length < 2) return;
  const rows = shape.length === 2 ? (shape[0] ?? 0) : 1;
  sum.of += rows;
  if (Buffer.compare(primary.bytes, shadow.bytes) === 0) {
    sum.same += rows;
    return;
  }
  const bytes = length * byteSizeOf(datatype);
  const together = Math.max(1, Math.floor(SLICE_ELEMENTS / length));
  for (let row = 0; row < rows; row += together) {
    for (let at = row; at < Math.min(rows, row + together); at += 1) {
      const [a, b] = [primary, shadow].map((output) =>
        largestAt(decodeTensorValues(datatype, output.bytes.subarray(at * bytes, (at + 1) * bytes))),
      );
      if (a === b) sum.same += 1;
    }
    yield;
  }
}

/** The first of the largest; what is no number is never the largest. */
function largestAt(values: ReturnType<typeof decodeTensorValues>): number {
  let best = Number.NEGATIVE_INFINITY;
  let found = -1;
  for (let index = 0; index < values.length; index += 1) {
    const value = Number(values[index]);
    if (value > best) {
      best = value;
      found = index;
    }
  }
  return found;
}
