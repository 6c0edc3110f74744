import { parse } from "yaml";
import { optionError } from "../read-flags.ts";

/** A saved load test with what it has to keep. */
export interface Scenario {
  readonly name: string;
  /** Arguments of `nereid perf` that make its load. */
  readonly args: readonly string[];
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Milliseconds within which an answer is good; undefined = any answer. */
  readonly goodWithinMs: number | undefined;
  readonly thresholds: readonly Threshold[];
}

export type Threshold =
  | { readonly kind: "latency"; readonly percentile: number; readonly atMostMs: number }
  | { readonly kind: "error-share"; readonly atMost: number }
  | { readonly kind: "throughput"; readonly atLeast: number }
  | { readonly kind: "goodput"; readonly atLeast: number };

type Fields = Readonly<Record<string, unknown>>;

const KEYS = [
  "name",
  "model",
  "url",
  "protocol",
  "load",
  "warm-up",
  "duration",
  "good-within",
  "thresholds",
  "options",
];

/** Reads a scenario of YAML. INVALID_ARGUMENT, naming the file and the field, for what cannot be meant. Pure. */
export function parseScenario(text: string, file: string): Scenario {
  const wrong = (problem: string, fix: string) => optionError(`${file}: ${problem}`, fix);
  const fields = fieldsOf(readYaml(text, file));
  if (fields === undefined) throw wrong("it is no scenario", "write name, model, load, duration and thresholds");
  const unknown = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw wrong(`there is no '${unknown}'`, `use ${KEYS.join(", ")}`);
  const model = fields["model"];
  if (typeof model !== "string" || model === "") throw wrong("'model' is missing", "name the model");
  const at = { file };
  const goodWithin = fields["good-within"];
  return {
    name: typeof fields["name"] === "string" ? fields["name"] : file,
    args: [
      "-m",
      model,
      ...serverArgs(fields),
      ...loadArgs(fieldsOf(fields["load"]), at),
      ...optionArgs(fields["options"], at),
    ],
    warmUpMs: fields["warm-up"] === undefined ? 0 : milliseconds(fields["warm-up"], { ...at, key: "warm-up" }),
    durationMs: milliseconds(fields["duration"], { ...at, key: "duration" }),
    goodWithinMs: goodWithin === undefined ? undefined : milliseconds(goodWithin, { ...at, key: "good-within" }),
    thresholds: thresholdsOf(fieldsOf(fields["thresholds"]), at),
  };
}

interface Place {
  readonly file: string;
  readonly key?: string;
}

function serverArgs(fields: Fields): string[] {
  return [
    ...(fields["url"] === undefined ? [] : ["-u", String(fields["url"])]),
    ...(fields["protocol"] === undefined ? [] : ["-i", String(fields["protocol"])]),
  ];
}

function loadArgs(load: Fields | undefined, { file }: Place): string[] {
  const [rate, concurrency, arrivals = "constant"] = [load?.["rate"], load?.["concurrency"], load?.["arrivals"]];
  if ((rate === undefined) === (concurrency === undefined))
    throw optionError(
      `${file}: 'load' has neither or both of rate and concurrency`,
      "write { rate: 500 } or { concurrency: 8 }",
    );
  if (concurrency !== undefined) return ["--concurrency-range", String(concurrency)];
  return ["--request-rate-range", String(rate), "--request-distribution", String(arrivals)];
}

function optionArgs(options: unknown, { file }: Place): string[] {
  if (options === undefined) return [];
  if (Array.isArray(options)) return options.map(String);
  throw optionError(`${file}: 'options' is no list`, 'write [--shape, "INPUT:16"]');
}

function thresholdsOf(fields: Fields | undefined, { file }: Place): Threshold[] {
  const entries = Object.entries(fields ?? {});
  if (entries.length === 0) throw optionError(`${file}: there are no thresholds`, "write thresholds: { p99: 20 ms }");
  return entries.map(([key, value]): Threshold => {
    const place = { file, key: `thresholds.${key}` };
    const percentile = /^p(\d{1,2}(?:\.\d+)?)$/.exec(key)?.[1];
    if (percentile !== undefined)
      return { kind: "latency", percentile: Number(percentile), atMostMs: milliseconds(value, place) };
    if (key === "error-share") return { kind: key, atMost: share(value, place) };
    if (key === "goodput") return { kind: key, atLeast: share(value, place) };
    if (key === "throughput" && typeof value === "number" && value > 0) return { kind: key, atLeast: value };
    throw optionError(
      `${file}: '${place.key}' is '${String(value)}'`,
      "use p50: 5 ms, p99: 20 ms, throughput: 490, error-share: 0.1 % or goodput: 99 %",
    );
  });
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, min: 60_000 };

function milliseconds(value: unknown, { file, key = "" }: Place): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) *(us|ms|s|min)$/.exec(String(value)) ?? [];
  const found = Number(number) * (UNITS[unit] ?? 0);
  if (found > 0) return found;
  throw optionError(`${file}: '${key}' is '${String(value)}'`, "write a time with its unit, as in 20 ms or 30 s");
}

function share(value: unknown, { file, key = "" }: Place): number {
  const [, number = "", percent] = /^(\d+(?:\.\d+)?) *(%)?$/.exec(String(value)) ?? [];
  const found = Number(number) / (percent === undefined ? 1 : 100);
  if (number !== "" && found <= 1) return found;
  throw optionError(`${file}: '${key}' is '${String(value)}'`, "write a share, as in 0.1 % or 0.001");
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const [first = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw optionError(`${file} is no YAML: ${first}`, "correct it");
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
