import type { OrtType } from "./onnx-types.ts";

type NumericArray =
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

const VIEWS: Readonly<
  Record<Exclude<OrtType, "string">, new (buffer: ArrayBuffer, offset: number, length: number) => NumericArray>
> = {
  bool: Uint8Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};

const ELEMENT_BYTES: Readonly<Record<Exclude<OrtType, "string">, number>> = {
  bool: 1,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  uint64: 8,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  float16: 2,
  float32: 4,
  float64: 8,
};

/** A typed array in place on `byteLength` bytes of a buffer; the offset is a multiple of 8 by the slab's alignment. */
export function typedView(
  buffer: ArrayBuffer,
  type: Exclude<OrtType, "string">,
  range: { offset: number; byteLength: number },
): NumericArray {
  return new VIEWS[type](buffer, range.offset, range.byteLength / ELEMENT_BYTES[type]);
}
