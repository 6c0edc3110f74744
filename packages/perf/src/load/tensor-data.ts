import { byteSizeOf, type Datatype, encodeTensorValues, writeBytesElements } from "@nereid/protocol";

export interface FillOptions {
  readonly kind: "zero" | "random";
  readonly random: () => number;
  /** Letters of a random text. */
  readonly stringLength: number;
  /** Every text element, instead of random ones. */
  readonly stringData: string | undefined;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Random integers stay in a range that every type has. */
const INTEGERS = 128;

/** Little-endian bytes of `count` elements: zeros, or random (floats of [0, 1), integers of 0 to 127). Pure but for `random`. */
export function tensorData(datatype: Datatype, count: number, options: FillOptions): Uint8Array {
  if (datatype === "BYTES") return writeBytesElements(Array.from({ length: count }, () => text(options)));
  if (options.kind === "zero") return new Uint8Array(count * byteSizeOf(datatype));
  const { random } = options;
  if (datatype === "BOOL") return Uint8Array.from({ length: count }, () => (random() < 0.5 ? 0 : 1));
  const floating = datatype === "FP16" || datatype === "FP32" || datatype === "FP64" || datatype === "BF16";
  const values = Array.from({ length: count }, () => (floating ? random() : Math.floor(random() * INTEGERS)));
  return encodeTensorValues(datatype, values);
}

function text({ kind, random, stringLength, stringData }: FillOptions): string {
  if (stringData !== undefined) return stringData;
  if (kind === "zero") return "";
  return Array.from({ length: stringLength }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
}
