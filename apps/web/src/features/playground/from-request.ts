import type { TensorSignature, TryTensor } from "@nereid/services";
import { firstDraft, type InputDraft } from "./draft.ts";
import { fromBase64 } from "./number-bytes.ts";
import { READ } from "./read-number.ts";

/** More values are kept as bytes. */
const MOST_AS_TEXT = 5_000;

/** The draft that makes a tensor again which was sent before. Pure. */
export function draftOfTensor(input: TensorSignature, tensor: TryTensor | undefined): InputDraft {
  const first = firstDraft(input);
  if (tensor === undefined) return first;
  const shape = [...tensor.shape];
  if (!("base64" in tensor)) {
    const lines = tensor.text.some((text) => text.includes("\n"));
    return lines
      ? { ...first, kind: "values", shape, text: JSON.stringify(tensor.text) }
      : { ...first, kind: "text", shape, text: tensor.text.join("\n") };
  }
  const coding = READ[tensor.datatype];
  const bytes = fromBase64(tensor.base64);
  const count = coding === undefined ? 0 : bytes.length / coding.size;
  if (coding === undefined || count > MOST_AS_TEXT) {
    return { ...first, kind: "file", shape, file: { name: "kept bytes", base64: tensor.base64 } };
  }
  const view = new DataView(bytes.buffer);
  const values = Array.from({ length: count }, (_, at) => coding.read(view, at * coding.size));
  return { ...first, kind: "values", shape, text: `[${values.join(", ")}]` };
}
