/** Little-endian bytes of one number of a datatype, put at a place. */
type Put = (view: DataView, offset: number, value: number | bigint) => void;

interface Coding {
  readonly size: number;
  readonly put: Put;
}

const CODINGS: Readonly<Record<string, Coding>> = {
  BOOL: { size: 1, put: (view, at, value) => view.setUint8(at, Number(value) === 0 ? 0 : 1) },
  UINT8: { size: 1, put: (view, at, value) => view.setUint8(at, Number(value)) },
  INT8: { size: 1, put: (view, at, value) => view.setInt8(at, Number(value)) },
  UINT16: { size: 2, put: (view, at, value) => view.setUint16(at, Number(value), true) },
  INT16: { size: 2, put: (view, at, value) => view.setInt16(at, Number(value), true) },
  UINT32: { size: 4, put: (view, at, value) => view.setUint32(at, Number(value), true) },
  INT32: { size: 4, put: (view, at, value) => view.setInt32(at, Number(value), true) },
  UINT64: { size: 8, put: (view, at, value) => view.setBigUint64(at, BigInt(value), true) },
  INT64: { size: 8, put: (view, at, value) => view.setBigInt64(at, BigInt(value), true) },
  FP16: { size: 2, put: (view, at, value) => view.setUint16(at, halfBits(Number(value)), true) },
  BF16: { size: 2, put: (view, at, value) => view.setUint16(at, brainBits(Number(value)), true) },
  FP32: { size: 4, put: (view, at, value) => view.setFloat32(at, Number(value), true) },
  FP64: { size: 8, put: (view, at, value) => view.setFloat64(at, Number(value), true) },
};

/** Bytes of one element; 0 for texts and unknown datatypes. Pure. */
export function elementSize(datatype: string): number {
  return CODINGS[datatype]?.size ?? 0;
}

/** Little-endian bytes of numbers, which must be in the range of the datatype. Pure. */
export function numberBytes(datatype: string, values: ArrayLike<number | bigint>): Uint8Array<ArrayBuffer> {
  const coding = CODINGS[datatype];
  if (coding === undefined) return new Uint8Array();
  const bytes = new Uint8Array(values.length * coding.size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i += 1) coding.put(view, i * coding.size, values[i] ?? 0);
  return bytes;
}

/** Bits of the half-precision number next to a value, ties to even. Pure. */
export function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65_520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24);
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent -= 1;
  // A fraction that rounds up to 2048 carries into the exponent, which the addition does.
  return sign | (((exponent + 15) << 10) + (roundEven((size / 2 ** exponent) * 1024) - 1024));
}

/** Bits of the bfloat16 number next to a value, ties to even. Pure. */
export function brainBits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest > 0.5 ? floor + 1 : floor;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Base64 of bytes. Pure. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // Arguments of a call are limited.
  for (let i = 0; i < bytes.length; i += 0x2000) parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x2000)));
  return btoa(parts.join(""));
}

/** Bytes of base64. Pure. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
