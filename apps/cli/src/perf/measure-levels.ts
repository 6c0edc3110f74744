import { cpus } from "node:os";
import {
  type GeneratorFleet,
  isOverLimit,
  type LevelOutcome,
  type LevelResult,
  type LoadWindow,
  latenciesUs,
  latencyFigures,
  type MeasuredLevel,
  measureLevel,
  nextLevel,
  nowMs,
  offeredPerSecond,
  type ServerCounters,
  throughputOf,
} from "@nereid/perf";
import { idleProcessorsMeter } from "./idle-processors.ts";
import { pollMetrics } from "./metrics-poller.ts";
import type { PerfCommand } from "./perf-command.ts";
import type { PerfOutput } from "./perf-output.ts";
import type { PerfServer } from "./perf-server.ts";
import type { PreparedLoad } from "./prepare-load.ts";
import { loadShape } from "./read-arrivals.ts";

export interface LevelTold extends MeasuredLevel {
  readonly result: LevelResult;
}

export interface LevelsContext {
  readonly command: PerfCommand;
  readonly server: PerfServer;
  readonly load: PreparedLoad;
  readonly fleet: GeneratorFleet;
  readonly output: PerfOutput;
  /** Milliseconds of each load that do not count. */
  readonly warmUpMs?: number;
  readonly onLevel: (level: number) => void;
  readonly onWindow: (number: number, window: LoadWindow) => void;
  readonly onResult: (told: LevelTold) => void;
}

/** Measures level after level, as the command says, until there are no more or it is stopped. */
export async function measureLevels(context: LevelsContext): Promise<LevelOutcome[]> {
  const { command, output } = context;
  const outcomes: LevelOutcome[] = [];
  const models = [command.model, ...context.load.model.composing];
  const counters = await countersReader(context.server, models);
  const idleProcessors = idleProcessorsMeter();
  let processes = command.processes ?? 1;
  for (;;) {
    const level = nextLevel(command.levels, outcomes);
    if (level === undefined || output.stopped()) return outcomes;
    const shape = loadShape(command.load, level, command.seed);
    const offered = shape.kind === "open" ? offeredPerSecond(shape.arrivals) : level;
    context.onLevel(offered);
    const metrics = command.metrics === undefined ? undefined : pollMetrics(command.metrics);
    try {
      const measured = await measureLevel(
        {
          spec: { ...context.load.spec, shape },
          measurement: command.measurement,
          rule: {
            tolerance: command.tolerance,
            percentile: command.percentile,
            maxWindows: command.maxTrials,
            latencyLimitMs: command.latencyLimitMs,
            batch: command.batch,
          },
          warmUpRequests: command.warmUpRequests,
          warmUpMs: context.warmUpMs ?? 0,
          processes,
          mostProcesses: command.processes ?? Math.max(1, cpus().length - 1),
          models: counters === undefined ? [] : models,
        },
        {
          fleet: context.fleet,
          nowMs,
          pause: (ms) => output.pause(ms),
          stopped: () => output.stopped(),
          counters: counters ?? (async () => []),
          idleProcessors,
          onWindow: context.onWindow,
        },
      );
      // What one level needed the next one needs too.
      processes = measured.processes;
      const stable = measured.verdict !== "unstable";
      const mode = modeOf(command);
      const result = { mode, level: offered, window: measured.window, stable, gpus: metrics?.take() ?? [] };
      context.onResult({ ...measured, result });
      outcomes.push({ level, ...judged(command, measured, shape.kind === "open" ? offered : undefined) });
    } finally {
      metrics?.close();
    }
  }
}

export function modeOf({ load }: PerfCommand): LevelResult["mode"] {
  if (load.kind === "concurrency") return "concurrency";
  return load.kind === "rate" ? "request_rate" : "custom";
}

/** Statistics are an extension: without them the report is the client's side alone. */
export async function countersReader(
  server: PerfServer,
  models: readonly string[],
): Promise<(() => Promise<readonly ServerCounters[]>) | undefined> {
  try {
    await server.counters(models);
    return () => server.counters(models);
  } catch {
    return undefined;
  }
}

function judged(command: PerfCommand, { window, verdict }: MeasuredLevel, offered: number | undefined) {
  const { percentilesUs, averageUs } = latencyFigures(
    latenciesUs(window),
    command.percentile === undefined ? [] : [command.percentile],
  );
  const latencyUs = command.percentile === undefined ? averageUs : (percentilesUs.get(command.percentile) ?? 0);
  const passed = verdict !== "unstable" && verdict !== "over-limit" && !isOverLimit(latencyUs, command.latencyLimitMs);
  return { passed, keptUp: offered === undefined ? 1 : throughputOf(window, 1) / offered };
}
