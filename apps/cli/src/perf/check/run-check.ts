import { readFileSync, writeFileSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { GeneratorFleet, generatorWarnings, type LoadWindow } from "@nereid/perf";
import { measureLevels } from "../measure-levels.ts";
import { parsePerfCommand } from "../parse-perf-command.ts";
import type { PerfCommand } from "../perf-command.ts";
import { PerfServer } from "../perf-server.ts";
import { prepareLoad } from "../prepare-load.ts";
import { optionError } from "../read-flags.ts";
import type { PerfPlace } from "../run-perf.ts";
import { type Judgement, judgeScenario } from "./judge-scenario.ts";
import { junitXml } from "./junit.ts";
import { parseScenario, type Scenario } from "./scenario.ts";

/** A window is a fifth longer than its interval. */
const INTERVAL_FACTOR = 1.2;

/** Runs a saved scenario and judges it: 0 = every threshold holds, 1 = one does not or it could not be measured. */
export async function runCheck(
  { file, junit }: { readonly file: string; readonly junit: string | undefined },
  place: PerfPlace,
): Promise<number> {
  const scenario = parseScenario(readText(file), file);
  const command = commandOf(scenario);
  const { line } = place.output;
  line(scenario.name);
  const startedMs = performance.now();
  let judgements: readonly Judgement[] = [];
  let error: string | undefined;
  try {
    const { window, failure } = await measureOnce(command, scenario, place);
    judgements = judgeScenario(window, scenario, command.batch);
    for (const one of judgements) line(`  ${one.holds ? "held" : "MISSED"}  ${one.wanted}: ${one.measured}`);
    if (failure !== undefined) line(`  First failure: ${failure}`);
    for (const text of generatorWarnings(window, command.load.kind === "concurrency" ? "closed" : "open"))
      line(`  [WARNING] ${text}`);
  } catch (cause) {
    const thrown = NereidError.from(cause);
    if (thrown.details["option"] === true) throw thrown;
    error = thrown.message;
    line(`  MISSED  it could not be measured: ${error}${thrown.fix === undefined ? "" : `; ${thrown.fix}`}`);
  }
  if (junit !== undefined) {
    const seconds = (performance.now() - startedMs) / 1000;
    writeFileSync(junit, junitXml({ name: scenario.name, seconds, judgements, error }));
  }
  return error === undefined && judgements.every(({ holds }) => holds) ? 0 : 1;
}

/** The scenario's command with one window of its duration. */
function commandOf({ args, durationMs }: Scenario): PerfCommand {
  const command = parsePerfCommand(args);
  if (command.levels.kind !== "single")
    throw optionError("a scenario has one load", "take the ranges out of its options");
  return { ...command, measurement: { kind: "time_windows", intervalMs: durationMs / INTERVAL_FACTOR }, maxTrials: 1 };
}

interface Measured {
  readonly window: LoadWindow;
  readonly failure: string | undefined;
}

async function measureOnce(
  command: PerfCommand,
  scenario: Scenario,
  { output, generator }: PerfPlace,
): Promise<Measured> {
  await using server = new PerfServer(command);
  using fleet = new GeneratorFleet(generator);
  const load = await prepareLoad(command, server);
  try {
    let measured: Measured | undefined;
    output.progress(`${Math.round((scenario.warmUpMs + scenario.durationMs) / 1000)} s of load…`);
    await measureLevels({
      command,
      server,
      load,
      fleet,
      output,
      warmUpMs: scenario.warmUpMs,
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

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw optionError(`cannot read ${file}`, "give the path of a scenario");
  }
}
