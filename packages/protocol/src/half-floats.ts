const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** Value of IEEE 754 half-precision bits. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Half-precision bits nearest to a value, ties to even; beyond the range infinity. */
export function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65_520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24);
  let exponent = Math.floor(Math.log2(size));
  // log2 rounds: just below a power of two it may answer the power itself.
  if (2 ** exponent > size) exponent -= 1;
  const scaled = roundEven((size / 2 ** exponent) * 1024);
  // A fraction that rounds up to 2048 carries into the exponent, which the addition does.
  return sign | (((exponent + 15) << 10) + (scaled - 1024));
}

/** Value of bfloat16 bits. */
export function fromBfloat16(bits: number): number {
  word[0] = bits << 16;
  return float[0] as number;
}

/** bfloat16 bits nearest to the value's float32, ties to even. */
export function toBfloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  float[0] = value;
  const bits = word[0] as number;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest > 0.5 ? floor + 1 : floor;
  return floor % 2 === 0 ? floor : floor + 1;
}
