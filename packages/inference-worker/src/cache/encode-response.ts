import { byteSizeOf, countBytesElements, isDatatype, type OutputTensor } from "@nereid/protocol";
import type { CachedResponse } from "./response-cache.ts";

const MAGIC = 0x3152_4e;
const MOST_OUTPUTS = 4096;
const MOST_DIMS = 64;

/**
 * A response as one value of a shared cache, little-endian: magic (u32), number of outputs (u32), then for each the lengths of name
 * and datatype (u16 each), rank (u32), byte length (f64), name, datatype, dims (f64 each), bytes. Whole numbers up to 2^53.
 */
export function encodeResponse({ outputs }: CachedResponse): Uint8Array {
  const parts: Uint8Array[] = [];
  const head = Buffer.alloc(8);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(outputs.length, 4);
  parts.push(head);
  for (const { name, datatype, shape, bytes } of outputs) {
    const text = Buffer.from(name);
    const type = Buffer.from(datatype);
    const about = Buffer.alloc(16 + shape.length * 8);
    about.writeUInt16LE(text.length, 0);
    about.writeUInt16LE(type.length, 2);
    about.writeUInt32LE(shape.length, 4);
    about.writeDoubleLE(bytes.byteLength, 8);
    shape.forEach((dim, index) => {
      about.writeDoubleLE(dim, 16 + index * 8);
    });
    parts.push(about.subarray(0, 16), text, type, about.subarray(16), bytes);
  }
  return Buffer.concat(parts);
}

/** Undefined for anything that `encodeResponse` did not write: a shared cache may hold what it likes under our keys. */
export function decodeResponse(value: Uint8Array): CachedResponse | undefined {
  const data = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (data.length < 8 || data.readUInt32LE(0) !== MAGIC) return undefined;
  const count = data.readUInt32LE(4);
  if (count > MOST_OUTPUTS) return undefined;
  const outputs: OutputTensor[] = [];
  let offset = 8;
  for (let index = 0; index < count; index++) {
    const read = readOutput(data, offset);
    if (read === undefined) return undefined;
    outputs.push(read.output);
    offset = read.end;
  }
  return offset === data.length ? { outputs } : undefined;
}

function readOutput(data: Buffer, start: number): { readonly output: OutputTensor; readonly end: number } | undefined {
  if (start + 16 > data.length) return undefined;
  const nameLength = data.readUInt16LE(start);
  const typeLength = data.readUInt16LE(start + 2);
  const rank = data.readUInt32LE(start + 4);
  const byteLength = data.readDoubleLE(start + 8);
  const nameAt = start + 16;
  const typeAt = nameAt + nameLength;
  const dimsAt = typeAt + typeLength;
  const bytesAt = dimsAt + rank * 8;
  if (rank > MOST_DIMS || !Number.isSafeInteger(byteLength) || byteLength < 0) return undefined;
  const end = bytesAt + byteLength;
  if (end > data.length) return undefined;
  const datatype = data.toString("utf8", typeAt, dimsAt);
  const shape = Array.from({ length: rank }, (_, index) => data.readDoubleLE(dimsAt + index * 8));
  if (!isDatatype(datatype) || !shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0)) return undefined;
  // A copy: in memory of its own, where every element type may be read.
  const bytes = new Uint8Array(data.subarray(bytesAt, end));
  const elements = shape.reduce((product, dim) => product * dim, 1);
  const fits =
    datatype === "BYTES" ? countBytesElements(bytes) === elements : byteLength === elements * byteSizeOf(datatype);
  return fits ? { output: { name: data.toString("utf8", nameAt, typeAt), datatype, shape, bytes }, end } : undefined;
}
