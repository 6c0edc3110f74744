import { NereidError } from "@nereid/errors";
import { wantsMoreProcesses } from "../load/health.ts";
import { LevelTally } from "../load/level-tally.ts";
import type { LoadRecord } from "../load/load-record.ts";
import { type LoadWindow, loadWindow } from "../load/load-window.ts";
import { type ServerCounters, serverDifference } from "../load/server-figures.ts";
import type { MeasureDeps, MeasurePlan } from "./measure-level.ts";

const SECOND_MS = 1_000;
/** So long nothing is answered before a test of hours is given up. */
const GIVE_UP_MS = 5_000;

export interface DurationPlan
  extends Pick<MeasurePlan, "spec" | "warmUpMs" | "processes" | "mostProcesses" | "models"> {
  /** Recorded arrivals end by themselves. */
  readonly durationMs: number;
  /** Milliseconds within which an answer is good; undefined = any answer. */
  readonly goodWithinMs: number | undefined;
}

export interface DurationDeps extends Omit<MeasureDeps, "onWindow"> {
  /** Told each second; `counts` is false while it warms up. */
  readonly onSecond: (second: { readonly window: LoadWindow; readonly counts: boolean }) => void;
}

export interface MeasuredDuration {
  readonly tally: LevelTally;
  /** False where it was stopped before its end. */
  readonly whole: boolean;
  /** The first failure of a request. */
  readonly failure: string | undefined;
  readonly processes: number;
}

/**
 * Makes a load for so long and counts what became of it, second by second; what it holds in memory does not grow with time. UNAVAILABLE
 * when all that was sent in the first seconds failed.
 */
export async function measureDuration(plan: DurationPlan, deps: DurationDeps): Promise<MeasuredDuration> {
  for (let processes = plan.processes; ; processes += 1) {
    const measured = await measureOnce({ ...plan, processes }, deps);
    if (measured !== "too-few-processes") return measured;
  }
}

async function measureOnce(plan: DurationPlan, deps: DurationDeps): Promise<MeasuredDuration | "too-few-processes"> {
  const { processes, spec } = plan;
  const { ended } = await deps.fleet.start(spec, processes);
  let over = false;
  const end = ended.then(
    () => {
      over = true;
    },
    () => undefined,
  );
  const isRecorded = spec.shape.kind === "open" && spec.shape.arrivals.kind === "recorded";
  const mayGrow = spec.shape.kind === "closed" && processes < Math.min(plan.mostProcesses, spec.shape.concurrency);
  const tally = new LevelTally();
  const seconds = secondsOf(plan, deps);
  const startMs = deps.nowMs();
  const fromMs = startMs + (isRecorded ? 0 : plan.warmUpMs);
  let [failure, answered, failed]: [string | undefined, number, number] = [undefined, 0, 0];
  try {
    await seconds.begin();
    for (let untilMs = startMs; ; ) {
      const isWarm = untilMs >= fromMs;
      const next = isWarm ? untilMs + SECOND_MS : Math.min(untilMs + SECOND_MS, fromMs);
      untilMs = isRecorded ? next : Math.min(next, fromMs + plan.durationMs);
      const pause = deps.pause(Math.max(0, untilMs - deps.nowMs()));
      await (isRecorded ? Promise.race([end, pause]) : pause);
      const { window, failure: first } = await seconds.take();
      failure ??= first;
      answered += window.requests.length;
      failed += window.failed;
      if (mayGrow && tally.figures.seconds === 0 && wantsMoreProcesses(window.generator.cpu, deps.idleProcessors()))
        return "too-few-processes";
      if (isWarm) tally.add(window, plan.goodWithinMs);
      deps.onSecond({ window, counts: isWarm });
      if (deps.stopped()) return { tally, whole: false, failure, processes };
      if (answered === 0 && failed > 0 && window.toMs - startMs >= GIVE_UP_MS) throw allFailed(failed, failure);
      if (isRecorded ? over : untilMs >= fromMs + plan.durationMs) {
        if (answered === 0 && failed > 0) throw allFailed(failed, failure);
        return { tally, whole: true, failure, processes };
      }
    }
  } finally {
    await deps.fleet.stop();
  }
}

/** Fetches what ended since the last time, together with what the server says of that time. */
function secondsOf({ models }: DurationPlan, deps: DurationDeps) {
  let before: readonly ServerCounters[] = [];
  let carried: readonly LoadRecord[] = [];
  let fromMs = deps.nowMs();
  return {
    begin: async () => {
      before = await deps.counters();
      fromMs = deps.nowMs();
    },
    take: async (): Promise<{ readonly window: LoadWindow; readonly failure: string | undefined }> => {
      const toMs = deps.nowMs();
      const { records, generator, failure } = await deps.fleet.flush();
      const after = await deps.counters();
      const all = carried.length === 0 ? records : [...carried, ...records];
      const server = after.length === 0 ? [] : models.map((model) => serverDifference(model, before, after));
      const window = loadWindow(all, { fromMs, toMs, server, generator });
      // What ended while the figures were fetched belongs to the next second.
      carried = all.filter(({ endMs }) => endMs >= toMs);
      // A second in which the server told nothing is in the next one.
      if (after.length > 0) before = after;
      fromMs = toMs;
      return { window, failure };
    },
  };
}

function allFailed(failed: number, failure: string | undefined): NereidError {
  return new NereidError("UNAVAILABLE", `all ${failed} requests failed; the first: ${failure ?? "unknown"}`, {
    fix: "send one request from the playground or with nereid infer, and look at the answer",
  });
}
