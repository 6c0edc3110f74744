import { NereidError } from "@nereid/errors";
import { GeneratorFleet, type LoadWindow } from "@nereid/perf";
import { measureLevels } from "./measure-levels.ts";
import type { PerfCommand } from "./perf-command.ts";
import { PerfServer } from "./perf-server.ts";
import { prepareLoad } from "./prepare-load.ts";
import type { PerfPlace } from "./run-perf.ts";

/** A time window is a fifth longer than its interval, as perf_analyzer's. */
export const INTERVAL_FACTOR = 1.2;

export interface OneWindow {
  /** With one level of load. */
  readonly command: PerfCommand;
  readonly warmUpMs: number;
  readonly durationMs: number;
}

export interface Measured {
  readonly window: LoadWindow;
  readonly failure: string | undefined;
}

/** One stretch of load and what it came to. CANCELLED when it was stopped before its end; throws the first failure where nothing was answered. */
export async function measureOnce(
  { command: given, warmUpMs, durationMs }: OneWindow,
  { output, generator }: Pick<PerfPlace, "output" | "generator">,
): Promise<Measured> {
  const command: PerfCommand = {
    ...given,
    measurement: { kind: "time_windows", intervalMs: durationMs / INTERVAL_FACTOR },
    maxTrials: 1,
  };
  await using server = new PerfServer(command);
  using fleet = new GeneratorFleet(generator);
  const load = await prepareLoad(command, server);
  try {
    let measured: Measured | undefined;
    output.progress(`${Math.round((warmUpMs + durationMs) / 1000)} s of load…`);
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
        measured = told;
      },
    });
    if (measured !== undefined && !output.stopped()) return measured;
    throw new NereidError("CANCELLED", "it was stopped before its end");
  } finally {
    await load.close();
  }
}
