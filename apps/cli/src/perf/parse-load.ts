import type { LevelPlan, Measurement } from "@nereid/perf";
import { type FlagReader, nameOf } from "./flag-reader.ts";
import type { LoadChoice } from "./perf-command.ts";
import type { PerfFlagKey } from "./perf-flags.ts";
import { optionError } from "./read-flags.ts";

const LOADS = ["concurrencyRange", "requestRateRange", "rampToKnee", "requestIntervals", "recordedArrivals"] as const;

/** Which load is made and at which levels. INVALID_ARGUMENT for options that exclude each other. Pure. */
export function parseLoad(flags: FlagReader): { readonly load: LoadChoice; readonly levels: LevelPlan } {
  const given = LOADS.filter((key) => flags.has(key));
  if (given.length > 1) {
    throw optionError(`${given.map(nameOf).join(" and ")} exclude each other`, "choose one");
  }
  const load = loadOf(flags);
  const levels = levelsOf(flags);
  if (flags.has("binarySearch") && levels.kind !== "binary")
    throw optionError(
      "--binary-search has nothing to search",
      "add --concurrency-range S:E or --request-rate-range S:E",
    );
  if (levels.kind === "linear" && levels.end === 0 && flags.whole("latencyThreshold", 0, 0) === 0)
    throw optionError("a range that ends at 0 has no end", "give the limit with -l MS, or an end");
  if (load.kind === "concurrency" && !isWhole(levels))
    throw optionError(`--concurrency-range is '${flags.text("concurrencyRange")}'`, "use whole numbers of requests");
  return { load, levels };
}

function isWhole(levels: LevelPlan): boolean {
  return Object.values(levels).every((value) => typeof value === "string" || Number.isInteger(value));
}

function loadOf(flags: FlagReader): LoadChoice {
  const distribution = flags.oneOf("requestDistribution", ["constant", "poisson", "bursts"]);
  if (flags.has("requestRateRange") || flags.has("rampToKnee"))
    return { kind: "rate", distribution, burstSize: flags.whole("burstSize", 10) };
  const intervals = flags.text("requestIntervals");
  if (intervals !== undefined) return { kind: "intervals", file: intervals };
  const recorded = flags.text("recordedArrivals");
  if (recorded !== undefined) return { kind: "recorded", file: recorded };
  return { kind: "concurrency" };
}

function levelsOf(flags: FlagReader): LevelPlan {
  if (flags.has("rampToKnee")) {
    const [start = 1, end = 0, factor = 1.5] = flags.range("rampToKnee");
    if (factor <= 1)
      throw optionError(`--ramp-to-knee goes up by ${factor}`, "give a factor above 1, as in 100:10000:1.5");
    return { kind: "ramp", start, end, factor };
  }
  const key: PerfFlagKey = flags.has("requestRateRange") ? "requestRateRange" : "concurrencyRange";
  if (!flags.has(key)) return { kind: "single", level: 1 };
  const [start = 1, end, step = 1] = flags.range(key);
  if (flags.has("binarySearch")) {
    if (end === undefined || end <= start)
      throw optionError("--binary-search needs a start and an end above it", `write ${nameOf(key)} 1:64`);
    if (flags.whole("latencyThreshold", 0, 0) === 0)
      throw optionError("--binary-search looks for a limit and there is none", "give it with -l MS");
    return { kind: "binary", start, end, step };
  }
  if (end === undefined || end === start) return { kind: "single", level: start };
  if (end !== 0 && end < start)
    throw optionError(`${nameOf(key)} ends below its start`, `write ${nameOf(key)} ${end}:${start}`);
  if (step === 0) throw optionError(`${nameOf(key)} has a step of 0`, "give a step above 0");
  return { kind: "linear", start, end, step };
}

/** What makes a window. INVALID_ARGUMENT where a fixed number of requests meets more than one level. Pure. */
export function parseMeasurement(flags: FlagReader, levels: LevelPlan): Measurement {
  if (flags.has("requestCount") || flags.has("warmupRequestCount")) {
    const several = levels.kind !== "single";
    if (several)
      throw optionError("--request-count and --warmup-request-count are for one level", "give a single level");
  }
  const fixed = flags.whole("requestCount", 0, 0);
  if (fixed > 0) return { kind: "fixed", requests: fixed };
  const kind = flags.oneOf("measurementMode", ["time_windows", "count_windows"]);
  if (kind === "count_windows") return { kind, requests: flags.whole("measurementRequestCount", 50) };
  return { kind, intervalMs: flags.whole("measurementInterval", 5000) };
}
