import type { LoadWindow } from "@nereid/perf";
import { measureOnce } from "../perf/measure-once.ts";
import { parsePerfCommand } from "../perf/parse-perf-command.ts";
import { pauseUnless } from "../perf/pause-unless.ts";

export interface WindowPlan {
  /** Options of `nereid perf`, with one level of load. */
  readonly args: readonly string[];
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** The built program of a load generator. */
  readonly generator: string;
  readonly signal: AbortSignal;
}

/** One stretch of load, of which only the signal and the result are told. CANCELLED when the signal aborted it. */
export async function measureWindow({ args, generator, signal, ...times }: WindowPlan): Promise<LoadWindow> {
  const { window } = await measureOnce(
    { command: parsePerfCommand(args), ...times },
    {
      generator,
      output: {
        line: () => undefined,
        progress: () => undefined,
        pause: (ms) => pauseUnless(signal, ms),
        stopped: () => signal.aborted,
      },
    },
  );
  return window;
}
