import { byteSizeOf, type Datatype } from "@nereid/protocol";
import { zeroByteLength } from "../sequence/zero-bytes.ts";

/** Top byte of numbers from 0.5 up to 1, of the types JavaScript has no array for. */
const HALF_FLOATS: Partial<Record<Datatype, number>> = { FP16: 0x38, BF16: 0x3f };

/** Zeros; texts of no length. */
export function zeroTensor(datatype: Datatype, shape: readonly number[]): Uint8Array {
  return new Uint8Array(zeroByteLength(datatype, shape));
}

/**
 * Numbers from 0 to 1; whole numbers and booleans are 0 or 1, because larger ones are often indices into something that is not that
 * large. Texts have no length, as in Triton. `random` gives numbers in [0, 1).
 */
export function randomTensor(datatype: Datatype, shape: readonly number[], random: () => number): Uint8Array {
  const bytes = zeroTensor(datatype, shape);
  if (datatype === "BYTES") return bytes;
  if (datatype === "FP32" || datatype === "FP64") {
    const values = datatype === "FP32" ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
    for (let index = 0; index < values.length; index++) values[index] = random();
    return bytes;
  }
  const size = byteSizeOf(datatype);
  const top = HALF_FLOATS[datatype];
  for (let offset = 0; offset < bytes.length; offset += size) {
    bytes[offset] = top === undefined ? Math.round(random()) : Math.floor(random() * 0x80);
    if (top !== undefined) bytes[offset + 1] = top;
  }
  return bytes;
}
