import { fileURLToPath } from "node:url";
import { NereidError } from "@nereid/errors";
import { bestLevel, GeneratorFleet, nowMs } from "@nereid/perf";
import { toJson } from "@nereid/services/lab-task";
import type { LoadLevel, LoadTestResult } from "@nereid/services/load-test-report";
import { loadTestSpec } from "@nereid/services/load-test-spec";
import { PerfServer } from "../perf/perf-server.ts";
import { prepareLoad } from "../perf/prepare-load.ts";
import type { LabTaskRunner } from "./lab-task-runner.ts";
import { levelReport } from "./level-report.ts";
import { LoadTestBoard } from "./load-test-board.ts";
import { loadTestCommand } from "./load-test-command.ts";
import { type LoadTestFiles, loadTestFiles } from "./load-test-files.ts";
import { resultWords } from "./load-test-words.ts";
import { measureSteps } from "./measure-steps.ts";
import { recordedArrivals } from "./recorded-arrivals.ts";

/** The built program of a load generator, beside this one. */
const GENERATOR = fileURLToPath(new URL("perf-generator.js", import.meta.url));

/** Puts the load of a load test on its model and answers the `LoadTestResult`; when it is stopped, what was measured so far. */
export const runLoadTest: LabTaskRunner = async ({ spec: asked, target }, { signal, progress }) => {
  const spec = loadTestSpec.parse(asked);
  using files = loadTestFiles(spec, await recordedArrivals(spec, target));
  const command = loadTestCommand(spec, target, files);
  await using server = new PerfServer(command);
  using fleet = new GeneratorFleet(GENERATOR);
  const load = await prepareLoad(command, server).catch((thrown: unknown) => {
    throw forPeople(thrown, files);
  });
  const levels: LoadLevel[] = [];
  try {
    const outcomes = await measureSteps({
      spec,
      command,
      server,
      load,
      fleet,
      board: new LoadTestBoard(spec, { startedMs: nowMs(), tell: (value) => progress(toJson(value)) }),
      signal,
      onLevel: (measured, place) => levels.push(levelReport(measured, { spec, ...place })),
    });
    const best = spec.load.kind === "knee" ? (bestLevel(outcomes) ?? null) : null;
    const judgements = levels.flatMap((level) => level.judgements);
    const result: LoadTestResult = {
      says: resultWords(spec.load, levels, best),
      levels,
      best,
      holds: judgements.length === 0 ? null : judgements.every(({ holds }) => holds),
    };
    return toJson(result);
  } finally {
    await load.close();
  }
};

/** For people who see the dashboard: servers do not say what to do about a model that is not there, and nobody knows our files. */
function forPeople(thrown: unknown, { plain }: LoadTestFiles): NereidError {
  const {
    code,
    message,
    fix = code === "NOT_FOUND" ? "load the model, then run it again" : undefined,
  } = NereidError.from(thrown);
  return new NereidError(code, plain(message), { cause: thrown, ...(fix !== undefined && { fix }) });
}
