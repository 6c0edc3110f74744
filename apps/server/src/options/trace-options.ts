import { bad, type GivenFlags } from "./given-flags.ts";

export type TraceLevel = "TIMESTAMPS" | "TENSORS";

/** `--trace-config` and its deprecated single flags: what tracing starts with (http.md §12). */
export interface TraceOptions {
  readonly mode: "triton" | "opentelemetry";
  /** Empty = OFF. */
  readonly levels: readonly TraceLevel[];
  /** One request in so many is traced; 0 = only those that come with a trace context (OpenTelemetry mode). */
  readonly rate: number;
  /** How many more are traced; -1 = no end. */
  readonly count: number;
  /** Triton mode: file of the traces; empty = none. */
  readonly file: string;
  /** Triton mode: a new file after so many traces; 0 = one file. */
  readonly logFrequency: number;
  readonly opentelemetry: {
    readonly url: string;
    readonly resource: ReadonlyMap<string, string>;
    readonly maxQueueSize: number;
    readonly scheduleDelayMs: number;
    readonly maxExportBatchSize: number;
  };
}

const DEFAULT_URL = "http://localhost:4318/v1/traces";
const UINT32_MAX = 4_294_967_295;
const INT32_MAX = 2_147_483_647;
const NAMES = ["", "triton", "opentelemetry"];

/** What was given, as texts by `<key>` or `<mode>,<key>`; single flags first, so that `--trace-config` wins. */
type Settings = ReadonlyMap<string, readonly string[]>;

/** The `--trace-*` options. INVALID_ARGUMENT for what is no setting, or a value it cannot have. */
export function parseTraceOptions(given: GivenFlags): TraceOptions {
  const settings = collect(given);
  const last = (key: string) => settings.get(key)?.at(-1);
  const number = (key: string, fallback: number, [min, max]: readonly [number, number] = [0, UINT32_MAX]) =>
    whole(key, last(key), { fallback, min, max });
  return {
    mode: mode(last("mode")),
    levels: levels(settings.get("level") ?? []),
    rate: number("rate", 1000),
    count: number("count", -1, [-1, INT32_MAX]),
    file: last("triton,file") ?? "",
    logFrequency: number("triton,log-frequency", 0),
    opentelemetry: {
      url: url(last("opentelemetry,url")),
      resource: resource(settings.get("opentelemetry,resource") ?? []),
      maxQueueSize: number("opentelemetry,bsp_max_queue_size", 2048, [1, 1 << 20]),
      scheduleDelayMs: number("opentelemetry,bsp_schedule_delay", 5000, [1, INT32_MAX]),
      maxExportBatchSize: number("opentelemetry,bsp_max_export_batch_size", 512, [1, 1 << 20]),
    },
  };
}

const KNOWN = new Set([
  "mode",
  "level",
  "rate",
  "count",
  "triton,file",
  "triton,log-frequency",
  "opentelemetry,url",
  "opentelemetry,resource",
  "opentelemetry,bsp_max_queue_size",
  "opentelemetry,bsp_schedule_delay",
  "opentelemetry,bsp_max_export_batch_size",
]);

function collect(given: GivenFlags): Settings {
  const settings = new Map<string, string[]>();
  const add = (key: string, values: readonly string[]) => {
    if (values.length > 0) settings.set(key, [...(settings.get(key) ?? []), ...values]);
  };
  add("level", given.all("trace-level"));
  add("rate", given.all("trace-rate"));
  add("count", given.all("trace-count"));
  add("triton,file", given.all("trace-file"));
  add("triton,log-frequency", given.all("trace-log-frequency"));
  const fromConfig = new Set<string>();
  for (const text of given.all("trace-config")) {
    const match = /^(?:([^,=]+),)?([^,=]+)=([\s\S]*)$/.exec(text);
    if (match === null)
      throw bad("trace-config", `expected <setting>=<value> or <mode>,<setting>=<value>, got "${text}"`);
    const [, name = "", setting = "", value = ""] = match;
    const key = name === "" ? setting : `${name.toLowerCase()},${setting}`;
    if (!NAMES.includes(name.toLowerCase()) || !KNOWN.has(key))
      throw bad("trace-config", `'${key}' is no setting; there are ${[...KNOWN].join(" ")}`);
    if (!fromConfig.has(key)) settings.delete(key);
    fromConfig.add(key);
    add(key, [value]);
  }
  return settings;
}

function whole(
  key: string,
  text: string | undefined,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^-?\d{1,10}$/.test(text) || value < min || value > max)
    throw bad("trace-config", `${key} must be a whole number of ${min} to ${max}, got "${text}"`);
  return value;
}

function mode(text: string | undefined): TraceOptions["mode"] {
  const lower = (text ?? "triton").toLowerCase();
  if (lower === "triton" || lower === "opentelemetry") return lower;
  throw bad("trace-config", `mode must be triton or opentelemetry, got "${text}"`);
}

function levels(texts: readonly string[]): readonly TraceLevel[] {
  const found = new Set<TraceLevel>();
  for (const text of texts) {
    const upper = text.toUpperCase();
    if (upper === "OFF" || upper === "FALSE") found.clear();
    else if (upper === "TENSORS") found.add("TENSORS");
    // All but the first are older names of it.
    else if (["TIMESTAMPS", "MIN", "MAX", "TRUE", "ON"].includes(upper)) found.add("TIMESTAMPS");
    else throw bad("trace-config", `level must be OFF, TIMESTAMPS or TENSORS, got "${text}"`);
  }
  return inOrder(found);
}

/** As settings print them. */
export function inOrder(levels: ReadonlySet<TraceLevel>): readonly TraceLevel[] {
  return (["TIMESTAMPS", "TENSORS"] as const).filter((level) => levels.has(level));
}

function url(text: string | undefined): string {
  if (text === undefined) return DEFAULT_URL;
  const full = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(full) || !/^https?:/.test(full))
    throw bad("trace-config", `opentelemetry,url must be an http or https address, got "${text}"`);
  return full;
}

function resource(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at <= 0) throw bad("trace-config", `opentelemetry,resource must be <key>=<value>, got "${text}"`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
