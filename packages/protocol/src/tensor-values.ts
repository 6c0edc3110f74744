import { NereidError } from "@nereid/errors";
import { countBytesElements, readBytesElements, writeBytesElements } from "./bytes-elements.ts";
import { byteSizeOf, type Datatype } from "./datatype.ts";
import { fromBfloat16, fromHalf, toBfloat16, toHalf } from "./half-floats.ts";

/** Values of a tensor, or (any ArrayBufferView) its little-endian bytes as they are. */
export type TensorValues =
  | ArrayBufferView
  | readonly (number | bigint)[]
  | readonly boolean[]
  | readonly (string | Uint8Array)[];

/** Values as `decodeTensorValues` gives them; half-precision types are widened. */
export type DecodedValues =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | boolean[]
  | Uint8Array[];

/** Little-endian bytes of values. Throws INVALID_ARGUMENT for a value that is not of the datatype's kind. */
export function encodeTensorValues(datatype: Datatype, values: TensorValues): Uint8Array {
  if (ArrayBuffer.isView(values)) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const list: readonly (number | bigint | boolean | string | Uint8Array)[] = values;
  if (datatype === "BYTES") {
    return writeBytesElements(
      list.map((value) => (typeof value === "string" || ArrayBuffer.isView(value) ? value : misfit(datatype, value))),
    );
  }
  if (datatype === "BOOL") {
    return Uint8Array.from(list, (value) => (typeof value === "boolean" ? Number(value) : misfit(datatype, value)));
  }
  if (datatype === "INT64" || datatype === "UINT64") {
    const longs = Array.from(list, (value) => toBigInt(datatype, value));
    const array = datatype === "INT64" ? BigInt64Array.from(longs) : BigUint64Array.from(longs);
    return new Uint8Array(array.buffer);
  }
  const numbers = Array.from(list, (value) =>
    typeof value === "number" || typeof value === "bigint" ? Number(value) : misfit(datatype, value),
  );
  return new Uint8Array(numberArray(datatype, numbers).buffer);
}

/**
 * Values of little-endian bytes (which must lie in memory the caller does not change). Throws INVALID_ARGUMENT when the
 * size is no multiple of the element size or a BYTES element is cut off.
 */
export function decodeTensorValues(datatype: Datatype, bytes: Uint8Array): DecodedValues {
  if (datatype === "BYTES") {
    const count = countBytesElements(bytes);
    if (count === undefined) throw new NereidError("INVALID_ARGUMENT", "BYTES tensor ends inside an element");
    return readBytesElements(bytes, { count, inputName: "", modelName: "", requestId: "" });
  }
  if (bytes.length % byteSizeOf(datatype) !== 0) {
    throw new NereidError("INVALID_ARGUMENT", `${bytes.length} bytes are no whole number of ${datatype} elements`);
  }
  // Typed arrays need aligned memory; a blob inside a body may lie anywhere.
  const { buffer } = new Uint8Array(bytes);
  switch (datatype) {
    case "BOOL":
      return Array.from(bytes, (byte) => byte !== 0);
    case "UINT8":
      return new Uint8Array(buffer);
    case "UINT16":
      return new Uint16Array(buffer);
    case "UINT32":
      return new Uint32Array(buffer);
    case "UINT64":
      return new BigUint64Array(buffer);
    case "INT8":
      return new Int8Array(buffer);
    case "INT16":
      return new Int16Array(buffer);
    case "INT32":
      return new Int32Array(buffer);
    case "INT64":
      return new BigInt64Array(buffer);
    case "FP32":
      return new Float32Array(buffer);
    case "FP64":
      return new Float64Array(buffer);
    case "FP16":
      return Float32Array.from(new Uint16Array(buffer), fromHalf);
    case "BF16":
      return Float32Array.from(new Uint16Array(buffer), fromBfloat16);
  }
}

function numberArray(
  datatype: Exclude<Datatype, "BYTES" | "BOOL" | "INT64" | "UINT64">,
  numbers: readonly number[],
): ArrayBufferView<ArrayBuffer> {
  switch (datatype) {
    case "UINT8":
      return Uint8Array.from(numbers);
    case "UINT16":
      return Uint16Array.from(numbers);
    case "UINT32":
      return Uint32Array.from(numbers);
    case "INT8":
      return Int8Array.from(numbers);
    case "INT16":
      return Int16Array.from(numbers);
    case "INT32":
      return Int32Array.from(numbers);
    case "FP32":
      return Float32Array.from(numbers);
    case "FP64":
      return Float64Array.from(numbers);
    case "FP16":
      return Uint16Array.from(numbers, toHalf);
    case "BF16":
      return Uint16Array.from(numbers, toBfloat16);
  }
}

function toBigInt(datatype: Datatype, value: unknown): bigint {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : misfit(datatype, value);
}

function misfit(datatype: Datatype, value: unknown): never {
  throw new NereidError("INVALID_ARGUMENT", `${String(value)} is no value of a ${datatype} tensor`);
}
