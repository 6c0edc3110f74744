import { writeFileSync } from "node:fs";
import {
  bestLevel,
  composingCsv,
  GeneratorFleet,
  generatorWarnings,
  type LevelOutcome,
  type LevelResult,
  levelTitle,
  nowMs,
  passLine,
  profileExport,
  type ReportSettings,
  reportCsv,
  reportHead,
  reportLevel,
  reportSummary,
  throughputOf,
} from "@nereid/perf";
import { type LevelTold, measureLevels, modeOf } from "./measure-levels.ts";
import type { PerfCommand } from "./perf-command.ts";
import type { PerfOutput } from "./perf-output.ts";
import { PerfServer } from "./perf-server.ts";
import { type PreparedLoad, prepareLoad } from "./prepare-load.ts";
import { textLines } from "./text-lines.ts";

export const EXIT = { ok: 0, unstable: 2, option: 3, other: 99 } as const;

/** What a run needs besides its command. */
export interface PerfPlace {
  readonly output: PerfOutput;
  /** The built program of a load generator. */
  readonly generator: string;
  /** Version of the product, for exports. */
  readonly version: string;
}

/** Measures what the command says, prints the report and writes its files. Answers the exit code. Throws what the server says. */
export async function runPerf(command: PerfCommand, { output, generator, version }: PerfPlace): Promise<number> {
  await using server = new PerfServer(command);
  using fleet = new GeneratorFleet(generator);
  const load = await prepareLoad(command, server);
  try {
    const settings = reportSettings(command, load);
    const results: LevelResult[] = [];
    const lines = (all: readonly string[]) => {
      for (const line of all) output.line(line);
    };
    lines([...reportHead(settings), ""]);
    const outcomes = await measureLevels({
      command,
      server,
      load,
      fleet,
      output,
      onLevel: (level) => {
        output.line(levelTitle(settings.mode, level));
        output.progress("first window…");
      },
      onWindow: (number, window) => {
        if (settings.verbose) output.line(passLine(number, window, settings));
        const rate = throughputOf(window, command.batch).toFixed(0);
        output.progress(`window ${number} of at most ${command.maxTrials}: ${rate} infer/sec, ${window.failed} failed`);
      },
      onResult: (told) => {
        if (told.window.requests.length > 0) results.push(told.result);
        lines([...levelLines(told, { command, settings }), ""]);
      },
    });
    lines([...reportSummary(results, settings), ...kneeLines(command, outcomes)]);
    writeFiles(results, { command, settings, load, version });
    if (results.some(({ stable }) => !stable)) {
      output.line("Failed to obtain stable measurement.");
      return EXIT.unstable;
    }
    return results.length === 0 ? EXIT.other : EXIT.ok;
  } finally {
    await load.close();
  }
}

function levelLines(
  { result, verdict, failure, window }: LevelTold,
  { command, settings }: { readonly command: PerfCommand; readonly settings: ReportSettings },
): string[] {
  const lines = window.requests.length > 0 ? reportLevel(result, settings) : [];
  if (command.serviceKind === "openai" || command.goodput !== undefined) lines.push(...textLines(window, command));
  if (failure !== undefined) lines.push(`  First failure: ${failure}`);
  lines.push(
    ...generatorWarnings(window, settings.mode === "concurrency" ? "closed" : "open").map(
      (text) => `  [WARNING] ${text}`,
    ),
  );
  if (window.generator.processes > 1) lines.push(`  Load made by ${window.generator.processes} processes.`);
  if (verdict === "stopped") lines.push("  Stopped; these are the figures so far.");
  if (verdict === "over-limit")
    lines.push(`Measured latency went over the set limit of ${command.latencyLimitMs} msec.`);
  if (verdict === "unstable") {
    const what = settings.mode === "concurrency" ? "concurrency" : "request rate";
    lines.push(
      `Failed to obtain stable measurement within ${command.maxTrials} measurement windows for ${what} ${Number(result.level.toFixed(2))}. Please try to increase the --measurement-interval.`,
    );
  }
  return lines;
}

function kneeLines({ levels, load }: PerfCommand, outcomes: readonly LevelOutcome[]): string[] {
  if (levels.kind !== "ramp" && levels.kind !== "binary") return [];
  const best = bestLevel(outcomes);
  const unit = load.kind === "concurrency" ? "requests in flight" : "requests a second";
  if (best === undefined) return [`No level was good; begin below ${levels.start} ${unit}.`];
  const failed = outcomes.some(({ level, passed, keptUp }) => level > best && (!passed || keptUp < 0.95));
  return [
    `Highest level that was good: ${Number(best.toFixed(2))} ${unit}${failed ? "" : "; the limit lies beyond it"}.`,
  ];
}

function writeFiles(
  results: readonly LevelResult[],
  {
    command,
    settings,
    load,
    version,
  }: {
    readonly command: PerfCommand;
    readonly settings: ReportSettings;
    readonly load: PreparedLoad;
    readonly version: string;
  },
): void {
  const { csvFile, exportFile } = command;
  if (csvFile !== undefined) {
    const options = { verbose: command.verboseCsv, gpus: command.metrics !== undefined };
    writeFileSync(csvFile, reportCsv(results, settings, options));
    for (const model of load.model.composing)
      writeFileSync(besides(csvFile, model, results), composingCsv(results, settings, model));
  }
  if (exportFile !== undefined) {
    const epochOffsetMs = Date.now() - nowMs();
    writeFileSync(exportFile, profileExport(results, settings, { epochOffsetMs, inputs: load.inputs, version }));
  }
}

/** `<model>_v<version>.<file>` beside the file. */
function besides(file: string, model: string, results: readonly LevelResult[]): string {
  const version = results[0]?.window.server.find(({ name }) => name === model)?.version ?? "";
  const slash = file.lastIndexOf("/") + 1;
  return `${file.slice(0, slash)}${model.replaceAll("/", "_")}_v${version}.${file.slice(slash)}`;
}

function reportSettings(command: PerfCommand, { model }: PreparedLoad): ReportSettings {
  const { levels, load } = command;
  return {
    model: command.model,
    protocol: command.protocol,
    serviceKind: command.serviceKind,
    endpoint: command.serviceKind === "openai" ? command.endpoint : "",
    batch: command.batch,
    percentile: command.percentile,
    measurement: command.measurement,
    latencyLimitMs: command.latencyLimitMs,
    mode: modeOf(command),
    lastLevel: levels.kind === "single" ? levels.level : levels.end,
    distribution: load.kind === "rate" ? load.distribution : "constant",
    asynchronous: command.asynchronous ?? model.sequences,
    verbose: command.verbose,
    decoupled: model.decoupled,
    sequences: model.sequences,
    cached: model.cached,
  };
}
