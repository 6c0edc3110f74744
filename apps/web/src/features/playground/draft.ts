import type { TensorSignature } from "@nereid/services";

/** How the bytes of an input come about. */
export const INPUT_KINDS = ["values", "random", "zeros", "text", "file", "image", "audio"] as const;

export type InputKind = (typeof INPUT_KINDS)[number];

export const IMAGE_ORDERS = ["nchw", "nhwc"] as const;
export const IMAGE_SCALES = ["unit", "byte", "mean-std"] as const;

export interface ImageSettings {
  readonly order: (typeof IMAGE_ORDERS)[number];
  /** Channels of which there are one or three. */
  readonly grey: boolean;
  readonly scale: (typeof IMAGE_SCALES)[number];
  /** One number for all channels or three, of values from 0 to 1. */
  readonly mean: string;
  readonly std: string;
}

/** A file that was chosen, and what became of it in the browser. */
export interface ChosenFile {
  readonly name: string;
  /** Raw bytes in base64; of an image its RGBA pixels, of a sound its 32-bit floats. */
  readonly base64: string;
  /** Pixels of an image. */
  readonly width?: number;
  readonly height?: number;
}

/** What one input is to be made of, as it stands in the form. */
export interface InputDraft {
  readonly kind: InputKind;
  /** All dimensions with their sizes, the batch among them. */
  readonly shape: readonly number[];
  /** JSON values, or a text of one string a line. */
  readonly text: string;
  readonly seed: number;
  readonly min: number;
  readonly max: number;
  readonly image: ImageSettings;
  /** Samples a second. */
  readonly rate: number;
  readonly file: ChosenFile | null;
}

const FREE_SIZE = 1;

/** What an input can be made of. Pure. */
export function kindsOf({ datatype }: Pick<TensorSignature, "datatype">): readonly InputKind[] {
  if (datatype === "BYTES") return ["text", "values"];
  if (datatype === "BOOL") return ["values", "random", "zeros", "file"];
  return ["values", "random", "zeros", "file", "image", "audio"];
}

/** What the form shows first: something that can be sent as it is. Pure. */
export function firstDraft(input: TensorSignature): InputDraft {
  const shape = input.shape.map((size) => (size < 0 ? FREE_SIZE : size));
  const range = rangeOf(input.datatype);
  const inner = innerShape(shape);
  return {
    kind: input.datatype === "BYTES" ? "text" : "random",
    shape,
    text: input.datatype === "BYTES" ? "hello" : "",
    seed: 1,
    min: 0,
    max: range === null ? 1 : Math.min(range.max, 100),
    image: {
      order: inner.length === 3 && (inner[2] === 3 || inner[2] === 1) ? "nhwc" : "nchw",
      grey: !(inner.length === 3 && inner.includes(3)),
      scale: range === null ? "unit" : "byte",
      mean: "0.485, 0.456, 0.406",
      std: "0.229, 0.224, 0.225",
    },
    rate: 16_000,
    file: null,
  };
}

/** A shape without a leading batch of any size: of the dimensions the last three, where there are more. */
export function innerShape(shape: readonly number[]): readonly number[] {
  return shape.length > 1 ? shape.slice(Math.max(1, shape.length - 3)) : shape;
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const RANGES: Readonly<Record<string, NumberRange>> = {
  UINT8: { min: 0, max: 255 },
  UINT16: { min: 0, max: 65_535 },
  UINT32: { min: 0, max: 4_294_967_295 },
  UINT64: { min: 0, max: Number.MAX_SAFE_INTEGER },
  INT8: { min: -128, max: 127 },
  INT16: { min: -32_768, max: 32_767 },
  INT32: { min: -2_147_483_648, max: 2_147_483_647 },
  INT64: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
};

/** Least and greatest whole number of a datatype; null for those that are not whole. Pure. */
export function rangeOf(datatype: string): NumberRange | null {
  return RANGES[datatype] ?? null;
}
