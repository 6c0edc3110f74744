import { type ArrivalPlan, arrivalTimes } from "../load/arrivals.ts";
import { nowMs } from "./clock.ts";
import type { DueClock } from "./due-clock.ts";
import type { Lane } from "./lane.ts";
import type { LoadRun } from "./load-runner.ts";
import { WaitingLine } from "./waiting-line.ts";

/** A request that was noticed later than this after it was due was late by the generator's own fault. */
const LATE_MS = 2;
/** What is nearer is waited for by looking at the clock: asking to be woken takes about as long. */
const NEAR_MS = 0.25;
/** Beyond it due requests wait; their latency counts all the same. */
const MOST_LANES = 2048;
/** Beyond it the arrivals wait where they come from, so that a load far beyond what can be answered takes no gigabytes. They count all the same. */
const MOST_WAITING = 200_000;

interface DueRequest {
  readonly dueMs: number;
  readonly late: boolean;
}

export interface OpenLoopStart {
  readonly arrivals: ArrivalPlan;
  /** What the arrivals count from, on the machine's monotonic clock. */
  readonly startMs: number;
  readonly clock: DueClock;
}

/** Sends requests when they are due, whatever became of earlier ones; resolves when the arrivals or the run end. */
export async function runOpenLoop(run: LoadRun, start: OpenLoopStart, newLane: () => Lane): Promise<void> {
  const { arrivals, startMs, clock } = start;
  const times = arrivalTimes(arrivals, run.spec.share);
  const waiting = new WaitingLine<DueRequest>();
  const idle: Lane[] = [];
  let lanes = 0;
  const nextDue = () => {
    const next = times.next();
    return next.done === true ? undefined : startMs + next.value;
  };
  let dueMs = nextDue();

  const dispatch = () => {
    while (waiting.length > 0 && run.wants && (idle.length > 0 || lanes < MOST_LANES)) {
      const request = run.take();
      if (request === undefined) return;
      if (idle.length === 0) lanes += 1;
      const lane = idle.pop() ?? newLane();
      run.send(lane, request, waiting.shift()).then(() => {
        idle.push(lane);
        dispatch();
      });
    }
  };

  await new Promise<void>((resolve) => {
    const turn = () => {
      const now = nowMs();
      for (; dueMs !== undefined && dueMs <= now && waiting.length < MOST_WAITING; dueMs = nextDue())
        waiting.push({ dueMs, late: now - dueMs > LATE_MS });
      dispatch();
      if (!run.wants || (dueMs === undefined && waiting.length === 0)) resolve();
      // With recorded arrivals that are over, answers give the lanes free that the last ones wait for.
      else if (dueMs === undefined) setTimeout(turn, 1);
      else if (dueMs - now > NEAR_MS) clock.wakeAt(dueMs, turn);
      else setImmediate(turn);
    };
    turn();
  });
}
