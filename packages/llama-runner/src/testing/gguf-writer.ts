/** A value of a GGUF file's header. */
export type GgufValue =
  | { readonly type: "uint32" | "float32" | "int32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "strings"; readonly value: readonly string[] }
  | { readonly type: "float32s" | "int32s"; readonly value: readonly number[] };

/** Single precision, dimensions as GGUF writes them: the one that lies closest in memory first. */
export interface GgufTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

const VERSION = 3;
const ALIGNMENT = 32;
const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const F32 = 0;

/** Bytes of a GGUF file. */
export function writeGguf(header: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const entries = Object.entries(header);
  const parts: Buffer[] = [Buffer.from("GGUF"), u32(VERSION), u64(tensors.length), u64(entries.length)];
  for (const [key, value] of entries) parts.push(text(key), ...valueParts(value));
  let offset = 0;
  for (const { name, dims, data } of tensors) {
    parts.push(text(name), u32(dims.length), ...dims.map(u64), u32(F32), u64(offset));
    offset += aligned(data.byteLength);
  }
  const head = Buffer.concat(parts);
  const pieces: Buffer[] = [head, Buffer.alloc(aligned(head.byteLength) - head.byteLength)];
  for (const { data } of tensors) {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    pieces.push(bytes, Buffer.alloc(aligned(bytes.byteLength) - bytes.byteLength));
  }
  return Buffer.concat(pieces);
}

function valueParts(value: GgufValue): Buffer[] {
  switch (value.type) {
    case "string":
      return [u32(TYPES.string), text(value.value)];
    case "bool":
      return [u32(TYPES.bool), Buffer.of(value.value ? 1 : 0)];
    case "uint32":
    case "int32":
      return [u32(TYPES[value.type]), u32(value.value)];
    case "float32":
      return [u32(TYPES.float32), f32(value.value)];
    case "strings":
      return [...arrayHead(TYPES.string, value.value.length), ...value.value.map(text)];
    case "float32s":
      return [...arrayHead(TYPES.float32, value.value.length), ...value.value.map(f32)];
    case "int32s":
      return [...arrayHead(TYPES.int32, value.value.length), ...value.value.map(u32)];
  }
}

function arrayHead(type: number, length: number): Buffer[] {
  return [u32(TYPES.array), u32(type), u64(length)];
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.byteLength), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
