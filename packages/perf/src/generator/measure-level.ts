import { NereidError } from "@nereid/errors";
import { wantsMoreProcesses } from "../load/health.ts";
import type { Measurement } from "../load/level-result.ts";
import type { LoadRecord } from "../load/load-record.ts";
import { type LoadWindow, loadWindow, mergeWindows } from "../load/load-window.ts";
import { type ServerCounters, serverDifference } from "../load/server-figures.ts";
import { judgeWindows, STABLE_WINDOWS, type StabilityRule, type Verdict } from "../load/stability.ts";
import type { FleetFlush } from "./generator-fleet.ts";
import type { LoadSpec } from "./load-spec.ts";

/** A time window is a fifth longer than asked for, as perf_analyzer's. */
const INTERVAL_FACTOR = 1.2;
const COUNT_LOOK_MS = 1_000;

/** What a measurement needs of the world. */
export interface MeasureDeps {
  readonly fleet: {
    start(spec: Omit<LoadSpec, "share">, processes: number): Promise<{ readonly ended: Promise<unknown> }>;
    flush(): Promise<FleetFlush>;
    stop(): Promise<void>;
  };
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds, or when the measurement is stopped. */
  readonly pause: (ms: number) => Promise<void>;
  readonly stopped: () => boolean;
  /** Counters of the served model and of what it is composed of; empty where the server tells none. */
  readonly counters: () => Promise<readonly ServerCounters[]>;
  readonly idleProcessors: () => number;
  readonly onWindow: (number: number, window: LoadWindow) => void;
}

export interface MeasurePlan {
  readonly spec: Omit<LoadSpec, "share">;
  readonly measurement: Measurement;
  readonly rule: StabilityRule;
  /** Requests that are sent before anything counts. */
  readonly warmUpRequests: number;
  /** Milliseconds of the load itself that do not count. */
  readonly warmUpMs: number;
  readonly processes: number;
  /** Most processes that may be used when one is not enough. */
  readonly mostProcesses: number;
  /** Names of the models whose counters are shown, the served one first. */
  readonly models: readonly string[];
}

export interface MeasuredLevel {
  readonly window: LoadWindow;
  readonly verdict: Verdict["kind"] | "stopped";
  /** The first failure of a request. */
  readonly failure: string | undefined;
  readonly processes: number;
}

/**
 * Makes a load and watches it until three windows agree, the windows are used up, or the latency limit is reached. INVALID_ARGUMENT
 * when nothing was answered in a window.
 */
export async function measureLevel(plan: MeasurePlan, deps: MeasureDeps): Promise<MeasuredLevel> {
  const { shape } = plan.spec;
  if (plan.warmUpRequests > 0) await sendFixed(plan, plan.warmUpRequests, deps);
  // Recorded arrivals end by themselves; they are one window too.
  const recorded = shape.kind === "open" && shape.arrivals.kind === "recorded";
  if (plan.measurement.kind === "fixed" || recorded) {
    const one = await sendFixed(plan, plan.measurement.kind === "fixed" ? plan.measurement.requests : undefined, deps);
    return { ...one, verdict: deps.stopped() ? "stopped" : "stable", processes: plan.processes };
  }
  for (let processes = plan.processes; ; processes += 1) {
    const measured = await measureWindows({ ...plan, processes }, deps);
    if (measured !== "too-few-processes") return measured;
  }
}

async function sendFixed(plan: MeasurePlan, total: number | undefined, deps: MeasureDeps) {
  const before = await deps.counters();
  const askedMs = deps.nowMs();
  const { ended } = await deps.fleet.start({ ...plan.spec, total }, plan.processes);
  let over = false;
  const end = ended.then(() => {
    over = true;
  });
  // Nobody waits for it where the load was stopped as it began.
  end.catch(() => undefined);
  while (!over && !deps.stopped()) await Promise.race([end, deps.pause(COUNT_LOOK_MS)]);
  const { generator, failure, records } = await deps.fleet.flush();
  await deps.fleet.stop();
  // From the first that was sent to the last that was answered: connecting does not count.
  const fromMs = records.reduce((first, { startMs }) => Math.min(first, startMs), Number.POSITIVE_INFINITY);
  const toMs = records.reduce((last, { endMs }) => Math.max(last, endMs), askedMs) + 0.001;
  const server = differences(plan.models, before, await deps.counters());
  return { window: loadWindow(records, { fromMs: Math.min(fromMs, toMs), toMs, server, generator }), failure };
}

async function measureWindows(plan: MeasurePlan, deps: MeasureDeps): Promise<MeasuredLevel | "too-few-processes"> {
  const { rule, processes, spec } = plan;
  let before = await deps.counters();
  await deps.fleet.start(spec, processes);
  let windows: LoadWindow[] = [];
  let failure: string | undefined;
  let number = 0;
  let carried: readonly LoadRecord[] = [];
  let fromMs = deps.nowMs();
  try {
    if (plan.warmUpMs > 0) {
      await deps.pause(plan.warmUpMs);
      fromMs = deps.nowMs();
      const { records } = await deps.fleet.flush();
      carried = records.filter(({ endMs }) => endMs >= fromMs);
      before = await deps.counters();
    }
    for (;;) {
      const flush = await windowRecords({ measurement: plan.measurement, carried }, deps);
      const after = await deps.counters();
      const { toMs, generator } = flush;
      const server = differences(plan.models, before, after);
      const window = loadWindow(flush.records, { fromMs, toMs, server, generator });
      failure ??= flush.failure;
      // What ended while the figures were fetched belongs to the next window.
      carried = flush.records.filter(({ endMs }) => endMs >= toMs);
      [before, fromMs] = [after, toMs];
      if (deps.stopped()) {
        const seen = window.requests.length + window.failed > 0 ? [...windows, window] : windows;
        return { window: mergeWindows(seen.slice(-STABLE_WINDOWS)), verdict: "stopped", failure, processes };
      }
      const closed = spec.shape.kind === "closed" && processes < Math.min(plan.mostProcesses, spec.shape.concurrency);
      if (closed && number === 0 && wantsMoreProcesses(generator.cpu, deps.idleProcessors()))
        return "too-few-processes";
      number += 1;
      deps.onWindow(number, window);
      // Only these are looked at again; the requests of the others would fill the memory.
      windows = [...windows, window].slice(-STABLE_WINDOWS);
      if (window.requests.length === 0) throw nothingAnswered(window, failure);
      const verdict = judgeWindows(windows, {
        ...rule,
        maxWindows: number >= rule.maxWindows ? 0 : Number.POSITIVE_INFINITY,
      });
      if (verdict.kind !== "go-on") return { window: mergeWindows(windows), verdict: verdict.kind, failure, processes };
    }
  } finally {
    await deps.fleet.stop();
  }
}

interface WindowWait {
  readonly measurement: Measurement;
  readonly carried: readonly LoadRecord[];
}

/** Waits as long as a window lasts and fetches what was recorded in it. */
async function windowRecords({ measurement, carried }: WindowWait, deps: MeasureDeps) {
  const records = [...carried];
  const wanted = measurement.kind === "count_windows" ? measurement.requests : 0;
  const pauseMs = measurement.kind === "time_windows" ? measurement.intervalMs * INTERVAL_FACTOR : COUNT_LOOK_MS;
  let [cpu, lagMs, stolen, failure]: [number, number, number, string | undefined] = [0, 0, 0, undefined];
  for (;;) {
    await deps.pause(pauseMs);
    const toMs = deps.nowMs();
    const flush = await deps.fleet.flush();
    for (const record of flush.records) records.push(record);
    cpu = Math.max(cpu, flush.generator.cpu);
    lagMs = Math.max(lagMs, flush.generator.lagMs);
    stolen = Math.max(stolen, flush.generator.stolen);
    failure ??= flush.failure;
    if (records.length >= wanted || deps.stopped())
      return { records, toMs, generator: { ...flush.generator, cpu, lagMs, stolen }, failure };
  }
}

function differences(models: readonly string[], before: readonly ServerCounters[], after: readonly ServerCounters[]) {
  return after.length === 0 ? [] : models.map((model) => serverDifference(model, before, after));
}

function nothingAnswered(window: LoadWindow, failure: string | undefined): NereidError {
  if (window.failed > 0) {
    return new NereidError("UNAVAILABLE", `all ${window.failed} requests failed; the first: ${failure ?? "unknown"}`, {
      fix: "send one request with nereid infer and look at the answer",
    });
  }
  return new NereidError(
    "INVALID_ARGUMENT",
    "No valid requests recorded within time interval. Please use a larger time window.",
    { fix: "raise --measurement-interval" },
  );
}
