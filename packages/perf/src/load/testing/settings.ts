import type { LevelResult, ReportSettings } from "../level-result.ts";
import { countersOf, windowOf } from "./records.ts";

export const SETTINGS: ReportSettings = {
  model: "m",
  protocol: "http",
  serviceKind: "triton",
  endpoint: "",
  batch: 1,
  percentile: undefined,
  measurement: { kind: "time_windows", intervalMs: 5000 },
  latencyLimitMs: 0,
  mode: "concurrency",
  lastLevel: 1,
  distribution: "constant",
  asynchronous: false,
  verbose: false,
  decoupled: false,
  sequences: false,
  cached: false,
};

/** A level of `count` requests of `ms` each in one second. */
export function levelOf(level: number, count: number, ms: number, rest: Partial<LevelResult> = {}): LevelResult {
  const window = windowOf(count, ms, { server: [countersOf("m", count)] });
  return { mode: "concurrency", level, window, stable: true, gpus: [], ...rest };
}
