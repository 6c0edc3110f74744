import type { LoadTestSpec, LoadThreshold } from "./load-test-spec.ts";

/** Where the files of a test lie, or would lie for somebody who copies the command. */
export interface LoadTestPlace {
  /** `host:port`. */
  readonly address: string;
  /** File with the requests to send, where the spec has any. */
  readonly inputFile: string;
  /** File with the times of arrivals, where they are recorded ones. */
  readonly arrivalsFile: string;
}

/** Windows that must agree make up the duration; a window is a fifth longer than its interval. */
const WINDOWS = 3.6;

/** The arguments of `nereid perf` that make this load. Pure. */
export function loadTestArgs(spec: LoadTestSpec, place: LoadTestPlace): string[] {
  const { version, batch, shapes, sequences, streaming, duration, goodWithinMs, protocol } = spec;
  return [
    ["-m", spec.model],
    version === undefined ? [] : ["-x", version],
    ["-u", place.address],
    protocol === "grpc" ? ["-i", "grpc"] : [],
    streaming ? ["--streaming"] : [],
    batch === 1 ? [] : ["-b", String(batch)],
    levelArgs(spec, place),
    spec.load.kind === "recorded" ? [] : ["-p", String(Math.max(100, Math.round((duration * 1000) / WINDOWS)))],
    inputArgs(spec, place),
    Object.entries(shapes).flatMap(([name, dims]) => ["--shape", `${name}:${dims.join(",")}`]),
    sequences === null
      ? []
      : [
          "--sequence-length",
          String(sequences.length),
          "--sequence-length-variation",
          String(sequences.variationPercent),
          "--num-of-sequences",
          String(sequences.concurrent),
        ],
    goodWithinMs === null ? [] : ["--goodput", `latency:${goodWithinMs}`],
  ].flat();
}

function levelArgs({ load }: LoadTestSpec, { arrivalsFile }: LoadTestPlace): string[] {
  switch (load.kind) {
    case "concurrency":
      return ["--concurrency-range", rangeOf(load)];
    case "rate":
      return ["--request-rate-range", rangeOf(load), "--request-distribution", load.distribution];
    case "bursts":
      return [
        "--request-rate-range",
        rangeOf(load),
        "--request-distribution",
        "bursts",
        "--burst-size",
        String(load.size),
      ];
    case "knee":
      return [
        "--ramp-to-knee",
        `${load.from}:${load.to}:${load.factor}`,
        "--request-distribution",
        "poisson",
        ...(load.limitMs === null ? [] : ["-l", String(load.limitMs)]),
        "--percentile",
        String(load.percentile),
      ];
    case "recorded":
      return ["--recorded-arrivals", arrivalsFile];
  }
}

function rangeOf({ from, to, step }: { readonly from: number; readonly to: number; readonly step: number }): string {
  return from === to ? String(from) : `${from}:${to}:${step}`;
}

function inputArgs({ input }: LoadTestSpec, { inputFile }: LoadTestPlace): string[] {
  if (input.kind === "random") return [];
  return ["--input-data", input.kind === "zero" ? "zero" : inputFile];
}

/** The command as a person can copy it into a shell. Pure. */
export function loadTestCommand(spec: LoadTestSpec, place: LoadTestPlace): string {
  return ["npx", "nereid", "perf", ...loadTestArgs(spec, place).map(quoted)].join(" ");
}

function quoted(text: string): string {
  return /^[\w./:,=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * One level of the test as a scenario of `nereid perf --check`, for a build server; `level` is one of the test's. Recorded arrivals are
 * no scenario: null. Pure.
 */
export function loadTestScenario(
  spec: LoadTestSpec,
  {
    level,
    thresholds,
    title,
    ...place
  }: LoadTestPlace & {
    readonly level: number;
    readonly title: string;
    /** Instead of the test's own, where it has none. */
    readonly thresholds: readonly LoadThreshold[];
  },
): string | null {
  const { load, warmUp, duration, goodWithinMs, protocol } = spec;
  if (load.kind === "recorded") return null;
  const loadText =
    load.kind === "concurrency" ? `{ concurrency: ${level} }` : `{ rate: ${level}, arrivals: ${arrivalsOf(load)} }`;
  const options = optionsOf(spec, place);
  return [
    `name: ${yamlText(title)}`,
    `model: ${yamlText(spec.model)}`,
    `url: ${yamlText(place.address)}`,
    ...(protocol === "grpc" ? ["protocol: grpc"] : []),
    `load: ${loadText}`,
    ...(warmUp === 0 ? [] : [`warm-up: ${warmUp} s`]),
    `duration: ${duration} s`,
    ...(goodWithinMs === null ? [] : [`good-within: ${goodWithinMs} ms`]),
    "thresholds:",
    ...thresholds.map((one) => `  ${thresholdLine(one)}`),
    ...(options.length === 0 ? [] : [`options: [${options.map(yamlText).join(", ")}]`]),
    "",
  ].join("\n");
}

function arrivalsOf(load: Exclude<LoadTestSpec["load"], { kind: "concurrency" | "recorded" }>): string {
  if (load.kind === "rate") return load.distribution;
  return load.kind === "bursts" ? "bursts" : "poisson";
}

/** What a scenario has no field for. */
function optionsOf(spec: LoadTestSpec, place: LoadTestPlace): string[] {
  const single = { ...spec, load: { kind: "concurrency", from: 1, to: 1, step: 1 }, goodWithinMs: null } as const;
  const drop = new Set(["-m", "-u", "-i", "--concurrency-range", "-p"]);
  const args = loadTestArgs(single, place);
  const kept = args.filter((arg, at) => !drop.has(arg) && !drop.has(args[at - 1] ?? ""));
  return spec.load.kind === "bursts" ? [...kept, "--burst-size", String(spec.load.size)] : kept;
}

function thresholdLine(threshold: LoadThreshold): string {
  const percent = (share: number) => `${Number((share * 100).toFixed(6))} %`;
  switch (threshold.kind) {
    case "latency":
      return `p${threshold.percentile}: ${threshold.atMostMs} ms`;
    case "error-share":
      return `error-share: ${percent(threshold.atMost)}`;
    case "throughput":
      return `throughput: ${threshold.atLeast}`;
    case "goodput":
      return `goodput: ${percent(threshold.atLeast)}`;
  }
}

/** JSON's strings are YAML's. */
function yamlText(text: string): string {
  return /^[A-Za-z][\w./-]*$/.test(text) ? text : JSON.stringify(text);
}
