import { cpus } from "node:os";
import {
  type GeneratorFleet,
  isOverLimit,
  type LevelOutcome,
  type MeasuredDuration,
  measureDuration,
  nextLevel,
  nowMs,
  offeredPerSecond,
} from "@nereid/perf";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { idleProcessorsMeter } from "../perf/idle-processors.ts";
import { countersReader } from "../perf/measure-levels.ts";
import { pauseUnless } from "../perf/pause-unless.ts";
import type { PerfCommand } from "../perf/perf-command.ts";
import type { PerfServer } from "../perf/perf-server.ts";
import type { PreparedLoad } from "../perf/prepare-load.ts";
import { loadShape } from "../perf/read-arrivals.ts";
import type { LoadTestBoard } from "./load-test-board.ts";

export interface StepsContext {
  readonly spec: LoadTestSpec;
  readonly command: PerfCommand;
  readonly server: PerfServer;
  readonly load: PreparedLoad;
  readonly fleet: GeneratorFleet;
  readonly board: LoadTestBoard;
  readonly signal: AbortSignal;
  readonly onLevel: (
    measured: MeasuredDuration,
    place: { readonly level: number; readonly offered: number | null },
  ) => void;
}

/** Measures level after level, each for as long as the test says, until there are no more or it is stopped. */
export async function measureSteps(context: StepsContext): Promise<LevelOutcome[]> {
  const { spec, command, signal, fleet, board } = context;
  const outcomes: LevelOutcome[] = [];
  const models = [command.model, ...context.load.model.composing];
  const counters = await countersReader(context.server, models);
  const idleProcessors = idleProcessorsMeter();
  let processes = 1;
  for (;;) {
    const level = nextLevel(command.levels, outcomes);
    if (level === undefined || signal.aborted) return outcomes;
    const shape = loadShape(command.load, level, command.seed);
    const offered = shape.kind === "open" ? offeredPerSecond(shape.arrivals) * spec.batch : null;
    const place = { level: shape.kind === "open" ? offeredPerSecond(shape.arrivals) : level, offered };
    board.begin(place);
    const measured = await measureDuration(
      {
        spec: { ...context.load.spec, shape },
        warmUpMs: spec.warmUp * 1000,
        durationMs: spec.duration * 1000,
        goodWithinMs: spec.goodWithinMs ?? undefined,
        processes,
        mostProcesses: Math.max(1, cpus().length - 1),
        models: counters === undefined ? [] : models,
      },
      {
        fleet,
        nowMs,
        pause: (ms) => pauseUnless(signal, ms),
        stopped: () => signal.aborted,
        // A server that is away for a moment is a finding, not the end of the test.
        counters: () => (counters === undefined ? Promise.resolve([]) : counters().catch(() => [])),
        idleProcessors,
        onSecond: ({ window, counts }) => board.second(window, counts),
      },
    );
    // What one level needed the next one needs too.
    processes = measured.processes;
    if (measured.tally.figures.seconds === 0) return outcomes;
    context.onLevel(measured, place);
    outcomes.push({ level, ...judged(command, measured, offered) });
  }
}

function judged(
  { percentile, latencyLimitMs, batch }: PerfCommand,
  { tally, whole }: MeasuredDuration,
  offered: number | null,
) {
  const latencyMs = (percentile === undefined ? tally.figures.averageMs : tally.percentileMs(percentile)) ?? 0;
  return {
    passed: whole && !isOverLimit(latencyMs * 1000, latencyLimitMs),
    keptUp: offered === null ? 1 : tally.throughput(batch) / offered,
  };
}
