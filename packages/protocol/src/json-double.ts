/** A double as Triton's JSON writer prints it: shortest digits, `.0` where it is whole, NaN and Infinity as tokens. */
export function writeDouble(value: number): string {
  if (!Number.isInteger(value)) return String(value);
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  // From 1e21 on there is an exponent instead of ".0"; Triton writes it without the plus sign.
  return text.includes("e") ? text.replace("e+", "e") : `${text}.0`;
}

/** Doubles as `writeDouble` prints them, with commas between. */
export function writeDoubles(values: Float32Array | Float64Array): string {
  let text = "";
  for (let from = 0; from < values.length; from += BLOCK) {
    if (from > 0) text += ",";
    text += writeBlock(values.subarray(from, from + BLOCK));
  }
  return text;
}

const BLOCK = 512;
const SMALL_BLOCK = 64;

function writeBlock(values: Float32Array | Float64Array): string {
  // The engine's own writer is twice as fast, and prints all but whole numbers and the tokens the same way.
  if (values.length > SMALL_BLOCK && values.every(isPlain)) return JSON.stringify(Array.from(values)).slice(1, -1);
  let text = "";
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ",";
    text += writeDouble(values[index] as number);
  }
  return text;
}

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Number.isInteger(value);
}
