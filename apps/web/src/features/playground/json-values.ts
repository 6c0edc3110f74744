import { rangeOf } from "./draft.ts";

export type ReadValues =
  | { readonly kind: "numbers"; readonly values: readonly (number | bigint)[] }
  | { readonly kind: "texts"; readonly values: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string };

const BIG = /(?<![\w."])-?\d{16,}(?![\w.])/g;

/**
 * The elements in a JSON text: a list, nested or flat, or a single value. Whole numbers of 16 digits or more keep all of them for
 * 64-bit datatypes. Pure.
 */
export function readJsonValues(text: string, datatype: string): ReadValues {
  if (text.trim() === "") return wrong("write the values as a JSON list, as in [1, 2, 3]");
  let parsed: unknown;
  try {
    const long = datatype === "INT64" || datatype === "UINT64";
    parsed = JSON.parse(long ? text.replace(BIG, '"$&"') : text);
  } catch (error) {
    return wrong(`this is not JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
  const flat: unknown[] = [];
  flatten(parsed, flat);
  if (datatype === "BYTES") {
    const texts = flat.filter((one) => typeof one === "string");
    const other = flat.findIndex((one) => typeof one !== "string");
    return other < 0
      ? { kind: "texts", values: texts }
      : wrong(`value ${other + 1} is no text; put it in double quotes`);
  }
  const values: (number | bigint)[] = [];
  for (const [index, one] of flat.entries()) {
    const value = toNumber(one, datatype);
    if (typeof value === "string") return wrong(`value ${index + 1} ${value}`);
    values.push(value);
  }
  return { kind: "numbers", values };
}

function flatten(value: unknown, into: unknown[]): void {
  if (!Array.isArray(value)) into.push(value);
  else for (const one of value) flatten(one, into);
}

/** The number, or what is wrong with it. */
function toNumber(value: unknown, datatype: string): number | bigint | string {
  if (datatype === "BOOL") {
    if (typeof value === "boolean") return Number(value);
    return value === 0 || value === 1 ? value : "is neither true nor false";
  }
  if ((datatype === "INT64" || datatype === "UINT64") && typeof value === "string" && /^-?\d{1,20}$/.test(value)) {
    const big = BigInt(value);
    const fits = datatype === "INT64" ? BigInt.asIntN(64, big) === big : BigInt.asUintN(64, big) === big;
    return fits ? big : `does not fit into ${datatype}`;
  }
  if (typeof value !== "number") return "is no number";
  const range = rangeOf(datatype);
  if (range === null) return value;
  if (!Number.isInteger(value)) return `is no whole number, which ${datatype} needs`;
  return value < range.min || value > range.max
    ? `does not fit into ${datatype} (${range.min} to ${range.max})`
    : value;
}

function wrong(problem: string): ReadValues {
  return { kind: "wrong", problem };
}
