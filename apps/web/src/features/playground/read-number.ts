interface Coding {
  readonly size: number;
  /** The element at a place, as JSON. */
  readonly read: (view: DataView, offset: number) => string;
}

const text = (value: number): string => (Object.is(value, -0) ? "-0" : Number.isFinite(value) ? String(value) : "null");

/** How elements of each datatype are read from little-endian bytes. */
export const READ: Readonly<Record<string, Coding>> = {
  BOOL: { size: 1, read: (view, at) => String(view.getUint8(at) !== 0) },
  UINT8: { size: 1, read: (view, at) => text(view.getUint8(at)) },
  INT8: { size: 1, read: (view, at) => text(view.getInt8(at)) },
  UINT16: { size: 2, read: (view, at) => text(view.getUint16(at, true)) },
  INT16: { size: 2, read: (view, at) => text(view.getInt16(at, true)) },
  UINT32: { size: 4, read: (view, at) => text(view.getUint32(at, true)) },
  INT32: { size: 4, read: (view, at) => text(view.getInt32(at, true)) },
  UINT64: { size: 8, read: (view, at) => String(view.getBigUint64(at, true)) },
  INT64: { size: 8, read: (view, at) => String(view.getBigInt64(at, true)) },
  FP16: { size: 2, read: (view, at) => text(fromHalf(view.getUint16(at, true))) },
  BF16: { size: 2, read: (view, at) => text(fromBrain(view.getUint16(at, true))) },
  FP32: { size: 4, read: (view, at) => text(nineDigits(view.getFloat32(at, true))) },
  FP64: { size: 8, read: (view, at) => text(view.getFloat64(at, true)) },
};

/** Nine digits say which 32-bit number it is. */
function nineDigits(value: number): number {
  // Zero would lose its sign.
  return value === 0 ? value : Number(value.toPrecision(9));
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function fromBrain(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, bits);
  return view.getFloat32(0);
}
