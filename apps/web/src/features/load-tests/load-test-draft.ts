import { type LoadPlan, type LoadTestSpec, type LoadThreshold, loadTestSpec } from "@nereid/services/load-test-spec";
import { readShapes, shapesText } from "../lab/shapes-text.ts";

/** A load test as it stands in the form: what people type. */
export interface LoadTestDraft {
  readonly model: string;
  readonly version: string;
  readonly protocol: "http" | "grpc";
  readonly streaming: boolean;
  readonly kind: LoadPlan["kind"];
  readonly from: string;
  readonly to: string;
  readonly step: string;
  readonly distribution: "constant" | "poisson";
  readonly size: string;
  readonly factor: string;
  readonly limitMs: string;
  readonly percentile: string;
  readonly seconds: string;
  readonly speed: string;
  readonly duration: string;
  readonly warmUp: string;
  readonly batch: string;
  readonly shapes: string;
  readonly input: LoadTestSpec["input"]["kind"];
  readonly text: string;
  readonly fixture: string;
  readonly sequences: boolean;
  readonly length: string;
  readonly variationPercent: string;
  readonly concurrent: string;
  readonly goodWithinMs: string;
  readonly p50: string;
  readonly p99: string;
  readonly throughput: string;
  /** Percent. */
  readonly errorShare: string;
  readonly goodput: string;
}

export type DraftField = keyof LoadTestDraft;

export const EMPTY_DRAFT: LoadTestDraft = {
  model: "",
  version: "",
  protocol: "http",
  streaming: false,
  kind: "concurrency",
  from: "1",
  to: "8",
  step: "1",
  distribution: "poisson",
  size: "10",
  factor: "1.5",
  limitMs: "",
  percentile: "99",
  seconds: "300",
  speed: "1",
  duration: "10",
  warmUp: "2",
  batch: "1",
  shapes: "",
  input: "random",
  text: "",
  fixture: "",
  sequences: false,
  length: "20",
  variationPercent: "20",
  concurrent: "4",
  goodWithinMs: "",
  p50: "",
  p99: "",
  throughput: "",
  errorShare: "",
  goodput: "",
};

/** Where a mistake of the form is shown, by its path in the spec. */
const FIELDS: Readonly<Record<string, DraftField>> = {
  "input.text": "text",
  "input.name": "fixture",
  "sequences.length": "length",
  "sequences.variationPercent": "variationPercent",
  "sequences.concurrent": "concurrent",
  load: "step",
};

export type DraftReading =
  | { readonly kind: "right"; readonly spec: LoadTestSpec }
  | { readonly kind: "wrong"; readonly problems: Readonly<Partial<Record<DraftField, string>>> };

/** What the form means, or what is wrong with it, field by field. Pure. */
export function readDraft(draft: LoadTestDraft): DraftReading {
  const shapes = readShapes(draft.shapes);
  const read = loadTestSpec.safeParse({
    model: draft.model,
    ...(draft.version.trim() !== "" && { version: draft.version.trim() }),
    protocol: draft.protocol,
    streaming: draft.streaming && draft.protocol === "grpc",
    load: loadOf(draft),
    duration: number(draft.duration),
    warmUp: number(draft.warmUp),
    batch: number(draft.batch),
    shapes: shapes ?? {},
    input: inputOf(draft),
    sequences: draft.sequences
      ? {
          length: number(draft.length),
          variationPercent: number(draft.variationPercent),
          concurrent: number(draft.concurrent),
        }
      : null,
    goodWithinMs: optional(draft.goodWithinMs),
    thresholds: thresholdsOf(draft),
  });
  const problems: Partial<Record<DraftField, string>> = {};
  if (shapes === null) problems.shapes = "is written INPUT:16 or INPUT:3,224,224, one a line";
  if (draft.model === "") problems.model = "is needed";
  for (const { path, message } of read.error?.issues ?? []) {
    const field = fieldOf(path, draft);
    if (field !== undefined) problems[field] ??= words(message);
  }
  if (!read.success || Object.keys(problems).length > 0) return { kind: "wrong", problems };
  return { kind: "right", spec: read.data };
}

/** The form that means this. Pure. */
export function draftOf(spec: LoadTestSpec): LoadTestDraft {
  const { load, input, sequences, goodWithinMs, thresholds } = spec;
  const texts = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value === null ? "" : String(value)]));
  const { kind, ...plan } = load;
  return {
    ...EMPTY_DRAFT,
    model: spec.model,
    version: spec.version ?? "",
    protocol: spec.protocol,
    streaming: spec.streaming,
    ...texts(plan),
    kind,
    distribution: load.kind === "rate" ? load.distribution : EMPTY_DRAFT.distribution,
    duration: String(spec.duration),
    warmUp: String(spec.warmUp),
    batch: String(spec.batch),
    shapes: shapesText(spec.shapes),
    input: input.kind,
    text: input.kind === "json" ? input.text : "",
    fixture: input.kind === "fixture" ? input.name : "",
    sequences: sequences !== null,
    ...(sequences !== null && texts(sequences)),
    goodWithinMs: goodWithinMs === null ? "" : String(goodWithinMs),
    ...thresholdTexts(thresholds),
  };
}

function loadOf(draft: LoadTestDraft): object {
  const range = { from: number(draft.from), to: number(draft.to), step: number(draft.step) };
  switch (draft.kind) {
    case "concurrency":
      return { kind: draft.kind, ...range };
    case "rate":
      return { kind: draft.kind, ...range, distribution: draft.distribution };
    case "bursts":
      return { kind: draft.kind, ...range, size: number(draft.size) };
    case "knee":
      return {
        kind: draft.kind,
        from: range.from,
        to: range.to,
        factor: number(draft.factor),
        limitMs: optional(draft.limitMs),
        percentile: number(draft.percentile),
      };
    case "recorded":
      return { kind: draft.kind, seconds: number(draft.seconds), speed: number(draft.speed) };
  }
}

function inputOf({ input, text, fixture }: LoadTestDraft): object {
  if (input === "json") return { kind: input, text };
  return input === "fixture" ? { kind: input, name: fixture } : { kind: input };
}

const PERCENTILES = { p50: 50, p99: 99 } as const;

function thresholdsOf(draft: LoadTestDraft): object[] {
  const given = (text: string) => text.trim() !== "";
  return [
    ...Object.entries(PERCENTILES).flatMap(([key, percentile]) => {
      const text = key === "p50" ? draft.p50 : draft.p99;
      return given(text) ? [{ kind: "latency", percentile, atMostMs: number(text) }] : [];
    }),
    ...(given(draft.throughput) ? [{ kind: "throughput", atLeast: number(draft.throughput) }] : []),
    ...(given(draft.errorShare) ? [{ kind: "error-share", atMost: number(draft.errorShare) / 100 }] : []),
    ...(given(draft.goodput) ? [{ kind: "goodput", atLeast: number(draft.goodput) / 100 }] : []),
  ];
}

function thresholdTexts(thresholds: readonly LoadThreshold[]): Partial<LoadTestDraft> {
  const percent = (share: number) => String(Number((share * 100).toFixed(6)));
  return Object.assign(
    {},
    ...thresholds.map((one): Partial<LoadTestDraft> => {
      if (one.kind === "latency") return { [one.percentile === 50 ? "p50" : "p99"]: String(one.atMostMs) };
      if (one.kind === "throughput") return { throughput: String(one.atLeast) };
      return one.kind === "error-share" ? { errorShare: percent(one.atMost) } : { goodput: percent(one.atLeast) };
    }),
  );
}

function fieldOf(path: readonly PropertyKey[], draft: LoadTestDraft): DraftField | undefined {
  const text = path.map(String).join(".");
  const known = FIELDS[text];
  if (known !== undefined) return known;
  if (path[0] === "thresholds") return thresholdField(Number(path[1]), draft);
  const last = path[0] === "shapes" ? "shapes" : String(path.at(-1));
  return Object.keys(draft).find((field): field is DraftField => field === last);
}

/** Thresholds are read in the order of the form's fields, and empty ones left out. */
function thresholdField(at: number, draft: LoadTestDraft): DraftField | undefined {
  const fields = ["p50", "p99", "throughput", "errorShare", "goodput"] as const;
  return fields.filter((field) => draft[field].trim() !== "")[at];
}

function number(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

function optional(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

/** Of the schema's words, those that a person needs. */
function words(message: string): string {
  const [, bound, limit] = /^Too (?:big|small): expected \w+ to be ([<>]=?)(.+)$/.exec(message) ?? [];
  if (bound !== undefined) return `must be ${BOUNDS[bound]} ${limit}`;
  if (/^Too small: expected (string|array)/.test(message)) return "is needed";
  return /^Invalid input: expected (number|int)/.test(message) ? "must be a number" : message;
}

const BOUNDS: Readonly<Record<string, string>> = { "<=": "at most", ">=": "at least", "<": "below", ">": "above" };
