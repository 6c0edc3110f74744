import { existsSync } from "node:fs";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import type { BackendProgram, BackendSubject } from "@nereid/inference-worker";
import type { NeededPackage } from "./check-interpreter.ts";
import { ExecutionEnvironments } from "./execution-environment.ts";
import { InterpreterFinder } from "./find-interpreter.ts";
import { modelEnvironment } from "./model-environment.ts";
import type { PythonSettings } from "./settings.ts";

const STUB = "triton_python_backend_stub";

export interface PythonProgramOptions {
  /** Path of `python/main.py`; asked for when a model needs it. */
  readonly main: () => string;
  readonly settings: PythonSettings;
  /** Where packed environments are unpacked; the server's own. */
  readonly cacheDirectory: string;
  /** The server's environment, of which models get a part. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Finds the interpreter of a model, with the package that its backend needs. */
export type FindProgram = (subject: BackendSubject, needs?: NeededPackage) => Promise<BackendProgram>;

/** For all backends that run on Python: what one of them found out about an interpreter, the others need not ask again. */
export function programFinder({ settings, environment, main, cacheDirectory }: PythonProgramOptions): FindProgram {
  const finder = new InterpreterFinder();
  const environments = new ExecutionEnvironments(cacheDirectory);
  const shared = modelEnvironment(environment, settings.passEnvironment);
  return async (subject, needs) => {
    refuseStub(subject);
    const own = subject.config.parameters["EXECUTION_ENV_PATH"]?.stringValue;
    const path = environment["PATH"] ?? "";
    const found =
      own === undefined || own === ""
        ? { interpreter: settings.interpreter, env: {} }
        : await environments.open(own, { modelDirectory: subject.modelDirectory, path });
    const env = { ...shared, ...found.env };
    const interpreter = await finder.find(found.interpreter, { env: { PATH: path, ...env }, needs });
    // Bytecode beside the model would look like a change of the repository.
    return { command: { program: interpreter, args: ["-u", "-B", main()] }, env };
  };
}

function refuseStub({ modelDirectory, versionDirectory }: BackendSubject): void {
  const stub = [modelDirectory, versionDirectory].map((place) => join(place, STUB)).find((file) => existsSync(file));
  if (stub === undefined) return;
  throw new NereidError(
    "UNAVAILABLE",
    `'${stub}' is a program of Triton's for another Python; this server runs models with the interpreter itself: remove the file and name the interpreter with the parameter EXECUTION_ENV_PATH`,
  );
}
