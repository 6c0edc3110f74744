import type { LoadRecord } from "./load-record.ts";
import type { ServerCounters } from "./server-figures.ts";
import { sumServerFigures } from "./server-figures.ts";

/** What a window of a measurement has seen: the requests whose last answer fell into it. */
export interface LoadWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Milliseconds measured; of merged windows their sum. */
  readonly durationMs: number;
  /** Answered well. */
  readonly requests: readonly LoadRecord[];
  readonly failed: number;
  /** Requests that were sent late by the generator's own fault, of all that ended. */
  readonly late: number;
  /** By model, the served one first; empty where the server tells nothing. */
  readonly server: readonly ServerCounters[];
  readonly generator: GeneratorFigures;
}

/** How the generator itself fared. */
export interface GeneratorFigures {
  /** Shares of a processor, of the busiest process: 1 = it could do no more. */
  readonly cpu: number;
  /** Longest time its event loop was away, in milliseconds. */
  readonly lagMs: number;
  readonly processes: number;
  /** Share of the processors' time that other machines on the same host took, 0 to 1. */
  readonly stolen: number;
}

export interface WindowSetup {
  readonly fromMs: number;
  readonly toMs: number;
  readonly server: readonly ServerCounters[];
  readonly generator: GeneratorFigures;
}

/** The window [from, to) of what ended by now. Pure. */
export function loadWindow(records: readonly LoadRecord[], setup: WindowSetup): LoadWindow {
  const inside = records.filter(({ endMs }) => endMs >= setup.fromMs && endMs < setup.toMs);
  const requests = inside.filter(({ ok }) => ok);
  return {
    ...setup,
    durationMs: setup.toMs - setup.fromMs,
    requests,
    failed: inside.length - requests.length,
    late: inside.filter(({ late }) => late).length,
  };
}

/** Windows as one: counts and durations added, latencies together. INVALID without any, which the caller must not do. Pure. */
export function mergeWindows(windows: readonly LoadWindow[]): LoadWindow {
  const names = [...new Set(windows.flatMap(({ server }) => server.map(({ name }) => name)))];
  const sum = (of: (window: LoadWindow) => number) => windows.reduce((total, window) => total + of(window), 0);
  return {
    fromMs: windows[0]?.fromMs ?? 0,
    toMs: windows.at(-1)?.toMs ?? 0,
    durationMs: sum(({ durationMs }) => durationMs),
    requests: windows.flatMap(({ requests }) => requests),
    failed: sum(({ failed }) => failed),
    late: sum(({ late }) => late),
    server: names.map((name) =>
      sumServerFigures(
        name,
        windows.flatMap(({ server }) => server.filter((one) => one.name === name)),
      ),
    ),
    generator: {
      cpu: Math.max(0, ...windows.map(({ generator }) => generator.cpu)),
      lagMs: Math.max(0, ...windows.map(({ generator }) => generator.lagMs)),
      processes: Math.max(1, ...windows.map(({ generator }) => generator.processes)),
      stolen:
        sum(({ generator, durationMs }) => generator.stolen * durationMs) /
        Math.max(
          1,
          sum(({ durationMs }) => durationMs),
        ),
    },
  };
}

/** Inferences a second: requests × batch ÷ seconds. Pure. */
export function throughputOf({ requests, durationMs }: LoadWindow, batch: number): number {
  return durationMs === 0 ? 0 : (requests.length * batch * 1000) / durationMs;
}

/** Latencies in microseconds from when each request was due: a server that stalls makes those wait that were due meanwhile. Pure. */
export function latenciesUs({ requests }: LoadWindow): Float64Array {
  return Float64Array.from(requests, ({ endMs, dueMs }) => (endMs - dueMs) * 1000);
}

/** Latencies in microseconds from when each request was sent, the server's side of them. Pure. */
export function serviceUs({ requests }: LoadWindow): Float64Array {
  return Float64Array.from(requests, ({ endMs, startMs }) => (endMs - startMs) * 1000);
}
