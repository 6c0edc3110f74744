import { byteSizeOf, type Datatype } from "@nereid/protocol";

export type NumericArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

export type NumericDatatype = Exclude<Datatype, "BYTES">;

/** The class of array that holds the elements of each datatype; half-precision types as their bits. */
export const NUMERIC_ARRAYS: Readonly<
  Record<NumericDatatype, new (buffer: ArrayBuffer, offset: number, length: number) => NumericArray>
> = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP16: Uint16Array,
  BF16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
};

/** A typed array in place on `byteLength` bytes of a buffer; the offset is a multiple of the element size by the protocol. */
export function typedView(
  buffer: ArrayBuffer,
  datatype: NumericDatatype,
  range: { readonly offset: number; readonly byteLength: number },
): NumericArray {
  return new NUMERIC_ARRAYS[datatype](buffer, range.offset, range.byteLength / byteSizeOf(datatype));
}
