import { NereidError } from "@nereid/errors";
import { BytesWalk } from "./bytes-walk.ts";
import { byteSizeOf, type JsonDatatype } from "./datatype.ts";
import { writeDoubles } from "./json-double.ts";
import type { JsonText } from "./json-text.ts";
import { SLICE_BYTES, SLICE_ELEMENTS, type Sliced } from "./slices.ts";
import { decodeTensorValues } from "./tensor-values.ts";

/** A string that is longer is written in pieces: escaped, it might not fit into one of the engine's. */
const PIECE_BYTES = 64 * 1024;

const textDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Appends the flat JSON array of a tensor's elements (http.md §7): doubles in shortest digits with `.0` where they are
 * whole, FP32 widened first, NaN/Infinity/-Infinity as bare tokens, BYTES as strings. Bytes of a BYTES element that are
 * not UTF-8 become U+FFFD (Triton would copy them and produce a document that is no JSON).
 */
export function* writeJsonTensor(out: JsonText, datatype: JsonDatatype, bytes: Uint8Array): Sliced<void> {
  out.add("[");
  yield* writeJsonElements(out, datatype, bytes);
  out.add("]");
}

/** The same without the brackets. */
export function* writeJsonElements(out: JsonText, datatype: JsonDatatype, bytes: Uint8Array): Sliced<void> {
  if (datatype === "BYTES") yield* writeStrings(out, bytes);
  else yield* writeNumbers(out, datatype, bytes);
}

function* writeNumbers(out: JsonText, datatype: Exclude<JsonDatatype, "BYTES">, bytes: Uint8Array): Sliced<void> {
  const size = byteSizeOf(datatype);
  if (bytes.length % size !== 0) {
    throw new NereidError("INTERNAL", `${bytes.length} bytes are no whole number of ${datatype} elements`);
  }
  const step = SLICE_ELEMENTS * size;
  for (let from = 0; from < bytes.length; from += step) {
    const values = decodeTensorValues(datatype, bytes.subarray(from, from + step));
    if (from > 0) out.add(",");
    out.add(values instanceof Float32Array || values instanceof Float64Array ? writeDoubles(values) : values.join(","));
    yield;
  }
}

function* writeStrings(out: JsonText, bytes: Uint8Array): Sliced<void> {
  const walk = new BytesWalk(bytes);
  let left = SLICE_ELEMENTS;
  let pauseAt = SLICE_BYTES;
  while (walk.next()) {
    if (walk.count > 1) out.add(",");
    if (walk.length <= PIECE_BYTES)
      out.add(JSON.stringify(textDecoder.decode(bytes.subarray(walk.start, walk.start + walk.length))));
    else yield* writeLongString(out, bytes.subarray(walk.start, walk.start + walk.length));
    left -= 1;
    if (left === 0 || walk.start >= pauseAt) {
      left = SLICE_ELEMENTS;
      pauseAt = walk.start + SLICE_BYTES;
      yield;
    }
  }
  if (walk.rest !== 0) throw new NereidError("INVALID_ARGUMENT", "BYTES tensor ends inside an element");
}

function* writeLongString(out: JsonText, content: Uint8Array): Sliced<void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  out.add('"');
  for (let from = 0; from < content.length; from += PIECE_BYTES) {
    const stream = from + PIECE_BYTES < content.length;
    out.add(JSON.stringify(decoder.decode(content.subarray(from, from + PIECE_BYTES), { stream })).slice(1, -1));
    yield;
  }
  out.add('"');
}
