import { FIXED32, FIXED64, LENGTH, VARINT } from "../wire/proto-reader.ts";

/** One of the lists of InferTensorContents (grpc.md §2). */
export interface ContentField {
  readonly number: number;
  readonly name: string;
  readonly wire: number;
  /** What its elements are when the input has this datatype. */
  typeFor(datatype: string): string;
}

const always = (type: string) => () => type;
const narrow = (narrowTypes: readonly string[], wide: string) => (datatype: string) =>
  narrowTypes.includes(datatype) ? datatype : wide;

/** By their numbers, which is also the order in which they are looked at. */
export const CONTENT_FIELDS: readonly ContentField[] = [
  { number: 1, name: "bool_contents", wire: VARINT, typeFor: always("BOOL") },
  { number: 2, name: "int_contents", wire: VARINT, typeFor: narrow(["INT8", "INT16"], "INT32") },
  { number: 3, name: "int64_contents", wire: VARINT, typeFor: always("INT64") },
  { number: 4, name: "uint_contents", wire: VARINT, typeFor: narrow(["UINT8", "UINT16"], "UINT32") },
  { number: 5, name: "uint64_contents", wire: VARINT, typeFor: always("UINT64") },
  { number: 6, name: "fp32_contents", wire: FIXED32, typeFor: always("FP32") },
  { number: 7, name: "fp64_contents", wire: FIXED64, typeFor: always("FP64") },
  { number: 8, name: "bytes_contents", wire: LENGTH, typeFor: always("BYTES") },
];

/** The list of a field number; undefined for an unknown one. */
export function contentField(number: number): ContentField | undefined {
  return CONTENT_FIELDS[number - 1];
}
