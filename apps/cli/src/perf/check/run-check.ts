import { readFileSync, writeFileSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { generatorWarnings } from "@nereid/perf";
import { measureOnce } from "../measure-once.ts";
import { parsePerfCommand } from "../parse-perf-command.ts";
import type { PerfCommand } from "../perf-command.ts";
import { optionError } from "../read-flags.ts";
import type { PerfPlace } from "../run-perf.ts";
import { type Judgement, judgeScenario } from "./judge-scenario.ts";
import { junitXml } from "./junit.ts";
import { parseScenario, type Scenario } from "./scenario.ts";

/** Runs a saved scenario and judges it: 0 = every threshold holds, 1 = one does not or it could not be measured. */
export async function runCheck(
  { file, junit }: { readonly file: string; readonly junit: string | undefined },
  place: PerfPlace,
): Promise<number> {
  const scenario = parseScenario(readText(file), file);
  const command = commandOf(scenario);
  const { warmUpMs, durationMs } = scenario;
  const { line } = place.output;
  line(scenario.name);
  const startedMs = performance.now();
  let judgements: readonly Judgement[] = [];
  let error: string | undefined;
  try {
    const { window, failure } = await measureOnce({ command, warmUpMs, durationMs }, place);
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

function commandOf({ args }: Scenario): PerfCommand {
  const command = parsePerfCommand(args);
  if (command.levels.kind !== "single")
    throw optionError("a scenario has one load", "take the ranges out of its options");
  return command;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw optionError(`cannot read ${file}`, "give the path of a scenario");
  }
}
