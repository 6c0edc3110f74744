import {
  BytesWalk,
  byteSizeOf,
  type Datatype,
  decodeTensorValues,
  isDatatype,
  type OutputTensor,
} from "@nereid/protocol";
import type { Sliced } from "../inference/slices.ts";
import { compareTop1, type Top1 } from "./compare-top1.ts";

/** Two numbers agree when |a − b| ≤ absolute + relative · |a|, as in numpy's `isclose`. */
export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
}

/** Where two answers differ. */
export interface Difference {
  readonly output: string;
  /** Of the element, row-major; -1 where the outputs themselves are not alike. */
  readonly index: number;
  readonly primary: number | string | boolean | null;
  readonly shadow: number | string | boolean | null;
  /** Null where there is no number to tell: texts, other shapes, one of the two not finite. */
  readonly absolute: number | null;
  readonly relative: number | null;
}

export interface Comparison {
  readonly agreed: boolean;
  /** Of all elements that are numbers, also of those that agree. */
  readonly maxAbsolute: number;
  /** Of elements that are not 0. */
  readonly maxRelative: number;
  readonly top1: Top1;
  /** The element that differs most; undefined when none does. */
  readonly worst: Difference | undefined;
}

/** Elements between two turns of the event loop: some tens of microseconds. */
const SLICE_ELEMENTS = 8192;
const LONGEST_TEXT = 100;
const FLOATS: ReadonlySet<Datatype> = new Set(["FP16", "BF16", "FP32", "FP64"]);

/**
 * Compares two answers output by output: floats within the tolerance (NaN is like NaN), all else exactly. Yields after every slice.
 * `batched`: the first dimension counts requests.
 */
export function* compareOutputs(
  answers: { readonly primary: readonly OutputTensor[]; readonly shadow: readonly OutputTensor[] },
  tolerance: Tolerance,
  batched: boolean,
): Sliced<Comparison> {
  const found = new Findings(tolerance);
  const top1 = { same: 0, of: 0 };
  for (const primary of answers.primary) {
    const shadow = answers.shadow.find(({ name }) => name === primary.name);
    if (shadow === undefined || typeOf(primary) !== typeOf(shadow)) {
      found.unlike(primary.name, typeOf(primary), shadow === undefined ? null : typeOf(shadow));
      continue;
    }
    if (!isDatatype(primary.datatype)) continue;
    const { datatype } = primary;
    if (datatype === "BYTES") yield* compareTexts(found, primary, shadow);
    else yield* compareNumbers(found, { primary, shadow, datatype });
    if (FLOATS.has(datatype)) yield* compareTop1(top1, { primary, shadow, datatype, batched });
  }
  return { ...found.result(), top1 };
}

interface Pair {
  readonly primary: OutputTensor;
  readonly shadow: OutputTensor;
  readonly datatype: Datatype;
}

function* compareNumbers(found: Findings, { primary, shadow, datatype }: Pair): Sliced<void> {
  const size = byteSizeOf(datatype);
  const exact = !FLOATS.has(datatype);
  for (let from = 0; from < primary.bytes.byteLength; from += SLICE_ELEMENTS * size) {
    const a = primary.bytes.subarray(from, from + SLICE_ELEMENTS * size);
    const b = shadow.bytes.subarray(from, from + SLICE_ELEMENTS * size);
    if (Buffer.compare(a, b) !== 0) {
      const left = decodeTensorValues(datatype, a);
      const right = decodeTensorValues(datatype, b);
      for (let at = 0; at < left.length; at += 1)
        if (left[at] !== right[at])
          found.numbers({ output: primary.name, index: from / size + at, a: left[at], b: right[at], exact });
    }
    yield;
  }
}

function* compareTexts(found: Findings, primary: OutputTensor, shadow: OutputTensor): Sliced<void> {
  const [left, right] = [new BytesWalk(primary.bytes), new BytesWalk(shadow.bytes)];
  while (left.next() && right.next()) {
    const a = primary.bytes.subarray(left.start, left.start + left.length);
    const b = shadow.bytes.subarray(right.start, right.start + right.length);
    if (Buffer.compare(a, b) !== 0) found.unlike(primary.name, textOf(a), textOf(b), left.count - 1);
    if (left.count % SLICE_ELEMENTS === 0) yield;
  }
}

/** What of an output must be the same before its elements can be compared. */
function typeOf({ datatype, shape }: OutputTensor): string {
  return `${datatype} [${shape.join(",")}]`;
}

function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, LONGEST_TEXT * 4)).toString("utf8");
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

type Element = number | bigint | boolean | Uint8Array | undefined;

/** What was found so far. */
class Findings {
  readonly #tolerance: Tolerance;
  #agreed = true;
  #maxAbsolute = 0;
  #maxRelative = 0;
  #worst: Difference | undefined;
  /** Of the worst: how far it is, infinite where that is no number. */
  #distance = 0;

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  numbers(pair: {
    readonly output: string;
    readonly index: number;
    readonly a: Element;
    readonly b: Element;
    readonly exact: boolean;
  }): void {
    const a = Number(pair.a);
    const b = Number(pair.b);
    if (Number.isNaN(a) && Number.isNaN(b)) return;
    // Long integers are told apart before they become numbers.
    const distance =
      typeof pair.a === "bigint" && typeof pair.b === "bigint" ? Math.abs(Number(pair.a - pair.b)) : Math.abs(a - b);
    const finite = Number.isFinite(distance);
    const relative = finite && a !== 0 ? distance / Math.abs(a) : null;
    if (finite) this.#maxAbsolute = Math.max(this.#maxAbsolute, distance);
    if (relative !== null) this.#maxRelative = Math.max(this.#maxRelative, relative);
    const within = finite && distance <= this.#tolerance.absolute + this.#tolerance.relative * Math.abs(a);
    if (pair.exact || !within) this.#agreed = false;
    const far = finite ? distance : Number.POSITIVE_INFINITY;
    if (far <= this.#distance) return;
    this.#distance = far;
    this.#worst = {
      output: pair.output,
      index: pair.index,
      primary: shown(pair.a),
      shadow: shown(pair.b),
      absolute: finite ? distance : null,
      relative,
    };
  }

  /** What has no distance: other types, other shapes, other texts. */
  unlike(output: string, primary: string, shadow: string | null, index = -1): void {
    this.#agreed = false;
    if (this.#distance === Number.POSITIVE_INFINITY) return;
    this.#distance = Number.POSITIVE_INFINITY;
    this.#worst = { output, index, primary, shadow, absolute: null, relative: null };
  }

  result(): Omit<Comparison, "top1"> {
    return {
      agreed: this.#agreed,
      maxAbsolute: this.#maxAbsolute,
      maxRelative: this.#maxRelative,
      worst: this.#worst,
    };
  }
}

/** As JSON can say it: long integers and what is not finite as texts. */
function shown(value: Element): number | string | boolean {
  if (typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : String(value);
}
