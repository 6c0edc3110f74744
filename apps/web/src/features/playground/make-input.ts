import type { TensorSignature, TryTensor } from "@nereid/services";
import type { InputDraft } from "./draft.ts";
import { imageSizeOf, imageValues } from "./image-values.ts";
import { readJsonValues } from "./json-values.ts";
import { elementSize, fromBase64, numberBytes, toBase64 } from "./number-bytes.ts";
import { randomValues, rangeProblem } from "./random-values.ts";

export type MadeInput =
  | { readonly kind: "made"; readonly tensor: TryTensor }
  | { readonly kind: "wrong"; readonly problem: string };

/** Bytes of an input; more cannot be sent from here. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The tensor that a draft stands for, or what is wrong with it and what to do. Pure. */
export function makeInput({ name, datatype }: TensorSignature, draft: InputDraft): MadeInput {
  const shape = [...draft.shape];
  if (shape.some((size) => !Number.isInteger(size) || size < 0))
    return wrong("every size is a whole number of at least 0");
  const count = shape.reduce((product, size) => product * size, 1);
  if (count * Math.max(1, elementSize(datatype)) > MOST_BYTES) return wrong("more than 16 MiB: make a size smaller");
  if (datatype === "BYTES") return textTensor(name, shape, count, draft);
  const size = elementSize(datatype);
  if (size === 0) return wrong(`the datatype ${datatype} is not known here`);
  const bytes = bytesOf({ datatype, count, shape }, draft);
  if (typeof bytes === "string") return wrong(bytes);
  return { kind: "made", tensor: numberTensor(name, datatype, shape, bytes) };
}

type NumberTensor = Extract<TryTensor, { readonly base64: string }>;

const NUMBERS: readonly NumberTensor["datatype"][] = [
  "BOOL",
  "UINT8",
  "UINT16",
  "UINT32",
  "UINT64",
  "INT8",
  "INT16",
  "INT32",
  "INT64",
  "FP16",
  "FP32",
  "FP64",
  "BF16",
];

function numberTensor(name: string, datatype: string, shape: number[], bytes: Uint8Array): NumberTensor {
  return { name, datatype: NUMBERS.find((one) => one === datatype) ?? "UINT8", shape, base64: toBase64(bytes) };
}

function textTensor(name: string, shape: number[], count: number, draft: InputDraft): MadeInput {
  const read =
    draft.kind === "values"
      ? readJsonValues(draft.text, "BYTES")
      : { kind: "texts" as const, values: draft.text.split("\n") };
  if (read.kind === "wrong") return read;
  const texts = read.values.map(String);
  if (texts.length !== count) {
    const lines = draft.kind === "values" ? "texts" : "lines";
    return wrong(`the shape [${shape.join(", ")}] has room for ${count} ${lines}, there are ${texts.length}`);
  }
  return { kind: "made", tensor: { name, datatype: "BYTES", shape, text: texts } };
}

interface Wanted {
  readonly datatype: string;
  readonly count: number;
  readonly shape: readonly number[];
}

/** The bytes, or what is wrong. */
function bytesOf(wanted: Wanted, draft: InputDraft): Uint8Array | string {
  const { datatype, count, shape } = wanted;
  switch (draft.kind) {
    case "zeros":
      return new Uint8Array(count * elementSize(datatype));
    case "random": {
      const { seed, min, max } = draft;
      const problem = rangeProblem({ datatype, min, max });
      return problem ?? numberBytes(datatype, randomValues({ count, datatype, seed, min, max }));
    }
    case "values": {
      const read = readJsonValues(draft.text, datatype);
      if (read.kind === "wrong") return read.problem;
      if (read.kind === "texts") return "these are texts";
      if (read.values.length === count) return numberBytes(datatype, read.values);
      return `the shape [${shape.join(", ")}] has room for ${count} values, there are ${read.values.length}; change the values or the sizes`;
    }
    case "file":
      return fileBytes(wanted, draft);
    case "image":
      return imageBytes(wanted, draft);
    case "audio":
      return audioBytes(wanted, draft);
    case "text":
      return "only BYTES inputs are made of text";
  }
}

function fileBytes({ datatype, count }: Wanted, { file }: InputDraft): Uint8Array | string {
  if (file === null) return "choose a file";
  const bytes = fromBase64(file.base64);
  const expected = count * elementSize(datatype);
  return bytes.length === expected ? bytes : `the file has ${bytes.length} bytes, the shape needs ${expected}`;
}

function imageBytes({ datatype, count, shape }: Wanted, { file, image }: InputDraft): Uint8Array | string {
  const size = imageSizeOf(shape, image);
  if (typeof size === "string") return size;
  if (file === null) return "choose a picture";
  const pixels = resize({ rgba: fromBase64(file.base64), width: file.width ?? 0, height: file.height ?? 0 }, size);
  if (pixels === null) return "this picture could not be read";
  const values = imageValues({ ...size, rgba: pixels }, image);
  return typeof values === "string" ? values : repeated(datatype, values, count);
}

function audioBytes({ datatype, count, shape }: Wanted, { file }: InputDraft): Uint8Array | string {
  if (file === null) return "choose a sound";
  const length = shape.at(-1) ?? 0;
  const raw = fromBase64(file.base64);
  const samples = new Float32Array(raw.buffer, 0, Math.floor(raw.byteLength / 4));
  // Cut, or padded with silence.
  const values = Float64Array.from({ length }, (_, index) => samples[index] ?? 0);
  const whole = datatype.startsWith("INT") || datatype.startsWith("UINT");
  return repeated(datatype, whole ? values.map((value) => Math.round(value * 32_767)) : values, count);
}

/** The same values again for each row of the batch. */
function repeated(datatype: string, values: Float64Array, count: number): Uint8Array {
  const clamped = datatype === "UINT8" ? values.map((value) => Math.max(0, Math.min(255, Math.round(value)))) : values;
  const rounded = /^U?INT/.test(datatype) ? clamped.map(Math.round) : clamped;
  const all = new Float64Array(count);
  for (let at = 0; at < count; at += rounded.length) all.set(rounded.subarray(0, count - at), at);
  return numberBytes(datatype, all);
}

interface Picture {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Means of the areas that fall on each pixel; null for a picture without pixels. Pure. */
export function resize(from: Picture, to: { readonly width: number; readonly height: number }): Uint8Array | null {
  if (from.width < 1 || from.height < 1 || from.rgba.length !== from.width * from.height * 4) return null;
  const out = new Uint8Array(to.width * to.height * 4);
  for (let y = 0; y < to.height; y += 1) {
    const [top, bottom] = span(y, to.height, from.height);
    for (let x = 0; x < to.width; x += 1) {
      const [left, right] = span(x, to.width, from.width);
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (let v = top; v < bottom; v += 1)
          for (let u = left; u < right; u += 1) sum += from.rgba[(v * from.width + u) * 4 + channel] ?? 0;
        out[(y * to.width + x) * 4 + channel] = Math.round(sum / ((bottom - top) * (right - left)));
      }
    }
  }
  return out;
}

function span(at: number, of: number, from: number): [number, number] {
  const start = Math.floor((at * from) / of);
  return [start, Math.max(start + 1, Math.floor(((at + 1) * from) / of))];
}

function wrong(problem: string): MadeInput {
  return { kind: "wrong", problem };
}
