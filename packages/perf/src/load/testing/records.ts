import type { LoadRecord } from "../load-record.ts";
import { type LoadWindow, loadWindow } from "../load-window.ts";
import { phasesOf, type ServerCounters } from "../server-figures.ts";

/** A request that was sent at once and took `ms`. */
export function recordOf(startMs: number, ms: number, rest: Partial<LoadRecord> = {}): LoadRecord {
  const endMs = startMs + ms;
  return {
    dueMs: startMs,
    startMs,
    sentMs: startMs,
    firstMs: endMs,
    endMs,
    ok: true,
    late: false,
    sequenceId: 0,
    sequenceEnd: false,
    input: 0,
    outputTokens: 0,
    responsesMs: [endMs],
    ...rest,
  };
}

/** A window of a second with `count` requests of `ms` each. */
export function windowOf(count: number, ms: number, rest: Partial<LoadWindow> = {}): LoadWindow {
  const records = Array.from({ length: count }, () => recordOf(0, ms));
  const generator = { cpu: 0.2, lagMs: 1, processes: 1, stolen: 0 };
  return { ...loadWindow(records, { fromMs: 0, toMs: 1000, server: [], generator }), ...rest };
}

/** Counters of a model whose every request took so many microseconds in each phase. */
export function countersOf(
  name: string,
  count: number,
  us = { queue: 10, input: 5, infer: 100, output: 5 },
): ServerCounters {
  const ns = { queue: us.queue, computeInput: us.input, computeInfer: us.infer, computeOutput: us.output };
  const whole = us.queue + us.input + us.infer + us.output + 20;
  const times: Readonly<Record<string, number>> = { success: whole, ...ns };
  return {
    name,
    version: "1",
    inferences: count,
    executions: count,
    phases: phasesOf((phase) =>
      phase in times ? { count, ns: count * (times[phase] ?? 0) * 1000 } : { count: 0, ns: 0 },
    ),
  };
}
