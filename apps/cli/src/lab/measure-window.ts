import { setTimeout as sleep } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import { GeneratorFleet, type LoadWindow } from "@nereid/perf";
import { measureLevels } from "../perf/measure-levels.ts";
import { parsePerfCommand } from "../perf/parse-perf-command.ts";
import { PerfServer } from "../perf/perf-server.ts";
import { prepareLoad } from "../perf/prepare-load.ts";

/** A time window is a fifth longer than its interval, as perf_analyzer's. */
const INTERVAL_FACTOR = 1.2;

export interface WindowPlan {
  /** Options of `nereid perf`, with one level of load. */
  readonly args: readonly string[];
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** The built program of a load generator. */
  readonly generator: string;
  readonly signal: AbortSignal;
}

/** One stretch of load and what it came to. CANCELLED when it was stopped before its end; throws the first failure where nothing was answered. */
export async function measureWindow({
  args,
  warmUpMs,
  durationMs,
  generator,
  signal,
}: WindowPlan): Promise<LoadWindow> {
  const command = {
    ...parsePerfCommand(args),
    measurement: { kind: "time_windows", intervalMs: durationMs / INTERVAL_FACTOR },
    maxTrials: 1,
  } as const;
  await using server = new PerfServer(command);
  using fleet = new GeneratorFleet(generator);
  const load = await prepareLoad(command, server);
  const output = {
    line: () => undefined,
    progress: () => undefined,
    pause: (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined),
    stopped: () => signal.aborted,
  };
  try {
    let window: LoadWindow | undefined;
    await measureLevels({
      command,
      server,
      load,
      fleet,
      output,
      warmUpMs,
      onLevel: () => undefined,
      onWindow: () => undefined,
      onResult: (told) => {
        window = told.window;
      },
    });
    if (window !== undefined && !signal.aborted) return window;
    throw new NereidError("CANCELLED", "it was stopped before its end");
  } finally {
    await load.close();
  }
}
