import { byteSizeOf, type Datatype } from "@nereid/protocol";

const LENGTH_PREFIX_BYTES = 4;

/** Bytes of a tensor whose elements are all zero, or texts of no length. */
export function zeroByteLength(datatype: Datatype, shape: readonly number[]): number {
  const size = datatype === "BYTES" ? LENGTH_PREFIX_BYTES : byteSizeOf(datatype);
  return shape.reduce((product, dim) => product * dim, size);
}
