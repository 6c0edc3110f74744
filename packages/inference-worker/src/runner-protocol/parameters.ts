import type { ParameterValue } from "@nereid/protocol";

/**
 * A parameter in a message: whole JSON numbers are int64, others are doubles. What JSON's numbers cannot tell apart or hold
 * travels as text.
 */
export type WireParameter =
  | string
  | boolean
  | number
  | { readonly int64: string }
  /** A double that is a whole number, or is not finite ("NaN", "Infinity", "-Infinity"). */
  | { readonly double: string };

export type WireParameters = Readonly<Record<string, WireParameter>>;

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

export function toWireParameters(parameters: ReadonlyMap<string, ParameterValue>): WireParameters {
  return Object.fromEntries(Array.from(parameters, ([name, value]) => [name, toWire(value)]));
}

/** RangeError for a value that is no parameter. */
export function fromWireParameters(parameters: WireParameters): Map<string, ParameterValue> {
  return new Map(Object.entries(parameters).map(([name, value]) => [name, fromWire(name, value)]));
}

function toWire(value: ParameterValue): WireParameter {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { int64: String(value) };
  }
  if (typeof value !== "number" || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  return { double: Object.is(value, -0) ? "-0" : String(value) };
}

// What comes from a runner may be anything; the type says only what it should be.
function fromWire(name: string, value: WireParameter | null): ParameterValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "object" && value !== null) {
    if ("double" in value && typeof value.double === "string") return Number(value.double);
    if ("int64" in value && /^-?\d{1,20}$/.test(value.int64)) {
      const int64 = BigInt(value.int64);
      if (int64 >= INT64_MIN && int64 <= UINT64_MAX) return int64;
    }
  }
  throw new RangeError(`parameter '${name}' is no text, number or boolean`);
}
