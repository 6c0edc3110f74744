import { readFileSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import type { TuningProgress, TuningResult } from "@nereid/perf";
import { plainText } from "../plain-text.ts";
import { standBack } from "../stand-back.ts";
import type { AnalyzeCommand } from "./analyze-command.ts";
import { CheckpointFiles } from "./checkpoint-files.ts";
import { parseAnalyze } from "./parse-analyze.ts";
import { profileModel } from "./profile-model.ts";
import { settingError } from "./read-settings.ts";
import { summaryLines } from "./summary-lines.ts";
import { type AnalyzeTerminal, analyzeTerminal } from "./terminal.ts";
import { writeReports } from "./write-reports.ts";

/** `nothing`: no measured point keeps all limits. `option`: a setting that cannot be meant. */
const EXIT = { ok: 0, stopped: 1, nothing: 2, option: 3, other: 99 } as const;

export interface AnalyzePlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The built program of a load generator. */
  readonly generator: string;
}

/** `nereid analyze profile|report`: tunes models, or writes reports of what was measured. Answers the exit code. */
export async function analyze(args: readonly string[], { env, generator }: AnalyzePlace): Promise<number> {
  let terminal: AnalyzeTerminal | undefined;
  try {
    const command = parseAnalyze(args, { env, readFile: (path) => readFileSync(path, "utf8") });
    if (command.verbosity !== "quiet")
      for (const warning of command.warnings) console.error(plainText(`nereid analyze: ${warning}`));
    const checkpoints = new CheckpointFiles(command.checkpoints);
    terminal = analyzeTerminal(command.verbosity);
    return command.verb === "report"
      ? await report(command, checkpoints, terminal)
      : await profile(command, { checkpoints, terminal, generator });
  } catch (error) {
    const { message, fix, details } = NereidError.from(error);
    console.error(plainText(`nereid analyze: ${message}${fix === undefined ? "" : `\n  to do: ${fix}`}`));
    return details["option"] === true ? EXIT.option : EXIT.other;
  } finally {
    terminal?.close();
  }
}

async function profile(
  command: AnalyzeCommand,
  {
    checkpoints,
    terminal,
    generator,
  }: { readonly checkpoints: CheckpointFiles; readonly terminal: AnalyzeTerminal; readonly generator: string },
): Promise<number> {
  if (command.models.length === 0) throw settingError("which model?", "name it with --profile-models MODEL");
  standBack();
  const results: TuningResult[] = [];
  for (const order of command.models) {
    const result = await profileModel({
      command,
      order,
      generator,
      terminal,
      checkpoint: checkpoints.models[order.name]?.checkpoint ?? null,
      onProgress: progressTeller(command, terminal),
      onCheckpoint: (checkpoint) => checkpoints.save(checkpoint),
    });
    results.push(result);
    const { checkpoint } = checkpoints.models[order.name] ?? {};
    if (checkpoint !== undefined) checkpoints.save(checkpoint, result);
    for (const line of summaryLines(result, command.top)) terminal.line(line);
    terminal.line("");
    if (result.ended === "stopped") break;
  }
  for (const file of writeReports(results, command)) if (command.verbosity !== "quiet") terminal.line(`Wrote ${file}`);
  if (results.some(({ ended }) => ended === "stopped")) return EXIT.stopped;
  return results.some(({ recommended }) => recommended === null) ? EXIT.nothing : EXIT.ok;
}

async function report(
  command: AnalyzeCommand,
  checkpoints: CheckpointFiles,
  terminal: AnalyzeTerminal,
): Promise<number> {
  const wanted = command.models.map(({ name }) => name);
  const results = Object.entries(checkpoints.models).flatMap(([name, { result }]) =>
    result === null || (wanted.length > 0 && !wanted.includes(name)) ? [] : [result],
  );
  if (results.length === 0)
    throw new NereidError("NOT_FOUND", `there is no result in ${command.checkpoints}`, {
      fix: "run nereid analyze profile first, to its end, with the same --checkpoint-directory",
    });
  for (const file of writeReports(results, command)) terminal.line(`Wrote ${file}`);
  return EXIT.ok;
}

/** A line for each measurement when asked for, else one line that is replaced. */
function progressTeller({ verbosity }: AnalyzeCommand, terminal: AnalyzeTerminal): (progress: TuningProgress) => void {
  let told = 0;
  return ({ says, phase, measurements, atMost, points }) => {
    const best = points.find(({ measured }) => measured !== null);
    const so = best?.measured
      ? `; best so far ${best.config} at ${best.level}: ${best.measured.goodput.toFixed(0)} a second`
      : "";
    terminal.progress(`[${measurements}${atMost === null ? "" : `/${atMost}`}] ${says}${so}`);
    if (verbosity !== "verbose" || phase === "simulating") return;
    told += 1;
    terminal.line(`${told}. ${says}${so}`);
  };
}
