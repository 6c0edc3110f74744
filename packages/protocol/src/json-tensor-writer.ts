import { NereidError } from "@nereid/errors";
import { byteSizeOf, type JsonDatatype } from "./datatype.ts";
import { decodeTensorValues } from "./tensor-values.ts";

const textDecoder = new TextDecoder();

/**
 * Flat JSON array of a tensor's elements (http.md §7): doubles in shortest digits with `.0` where they are whole,
 * FP32 widened first, NaN/Infinity/-Infinity as bare tokens, BYTES as strings. Bytes of a BYTES element that are not
 * UTF-8 become U+FFFD (Triton would copy them and produce a document that is no JSON).
 */
export function writeJsonTensor(datatype: JsonDatatype, bytes: Uint8Array): string {
  if (datatype !== "BYTES" && bytes.length % byteSizeOf(datatype) !== 0) {
    throw new NereidError("INTERNAL", `${bytes.length} bytes are no whole number of ${datatype} elements`);
  }
  const values = decodeTensorValues(datatype, bytes);
  if (datatype === "BYTES") return writeStrings(values as Uint8Array[]);
  if (datatype === "FP32" || datatype === "FP64") return writeDoubles(values as Float32Array | Float64Array);
  return `[${values.join(",")}]`;
}

/** A double as Triton's JSON writer prints it. */
export function writeDouble(value: number): string {
  if (Number.isInteger(value)) {
    if (Object.is(value, -0)) return "-0.0";
    const text = String(value);
    // From 1e21 on there is an exponent instead of ".0"; Triton writes it without the plus sign.
    return text.includes("e") ? text.replace("e+", "e") : `${text}.0`;
  }
  // NaN, Infinity and -Infinity print as the tokens Triton's parsers know.
  return String(value).replace("e+", "e");
}

function writeDoubles(values: Float32Array | Float64Array): string {
  let text = "[";
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ",";
    text += writeDouble(values[index] as number);
  }
  return `${text}]`;
}

function writeStrings(elements: readonly Uint8Array[]): string {
  return `[${elements.map((element) => JSON.stringify(textDecoder.decode(element))).join(",")}]`;
}
