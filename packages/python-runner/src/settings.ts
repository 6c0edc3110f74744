import { NereidError } from "@nereid/errors";

/** `--backend-config=python,<key>=<value>` as it was read. */
export interface PythonSettings {
  /** Program that runs models without an environment of their own; undefined: `python3` or `python` of the PATH. */
  readonly interpreter: string | undefined;
  /** Names of variables of the server's environment that models get; `*` = all. */
  readonly passEnvironment: readonly string[];
  /** What was given and is not acted on. */
  readonly notices: readonly string[];
}

interface SizeRule {
  readonly least: number;
  readonly refusal: string;
}

const MIB = 2 ** 20;

/** Triton's settings of its own stub. They are checked as Triton does, and have nothing to set here. */
const SIZES: Readonly<Record<string, SizeRule>> = {
  "shm-default-byte-size": { least: MIB, refusal: "can't be smaller than 4 MiBs" },
  "shm-growth-byte-size": { least: 1, refusal: "can't be smaller than or equal to zero" },
  "stub-timeout-seconds": { least: 1, refusal: "can't be smaller than or equal to zero" },
  "thread-pool-size": { least: 1, refusal: "can't be less than 1" },
  shm_message_queue_size: { least: 1, refusal: "can't be smaller than or equal to zero" },
};
/** Of every backend and read elsewhere; the last is in many command lines and has never had an effect. */
const COMMON = new Set([
  "default-max-batch-size",
  "auto-complete-config",
  "backend-directory",
  "min-compute-capability",
  "shm-default-size",
]);
const VARIABLE = /^(?:\*|[A-Za-z_][A-Za-z0-9_]*)$/;

/** INVALID_ARGUMENT for a value that Triton refuses too, and for ours that name nothing. */
export function readPythonSettings(given: ReadonlyMap<string, string> = new Map()): PythonSettings {
  const notices: string[] = [];
  let interpreter: string | undefined;
  let passEnvironment: readonly string[] = [];
  for (const [key, value] of given) {
    const rule = Object.hasOwn(SIZES, key) ? SIZES[key] : undefined;
    if (rule !== undefined) checkSize(key, value, rule);
    else if (key === "shm-region-prefix-name") {
      if (value === "") throw bad(key, "can't be empty");
    } else if (key === "interpreter") {
      if (value === "") throw bad(key, "names no program, such as /usr/bin/python3");
      interpreter = value;
    } else if (key === "pass-environment") passEnvironment = readNames(value);
    else if (!COMMON.has(key)) notices.push(`python has no setting '${key}'`);
  }
  return { interpreter, passEnvironment, notices };
}

function checkSize(key: string, value: string, { least, refusal }: SizeRule): void {
  if (!/^-?\d{1,18}$/.test(value)) throw bad(key, `must be a whole number, got "${value}"`);
  if (Number(value) < least) throw bad(key, refusal);
}

function readNames(value: string): readonly string[] {
  const names = value.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !VARIABLE.test(name));
  if (wrong !== undefined)
    throw bad("pass-environment", `takes names of variables separated by commas, or *, got "${wrong}"`);
  return names;
}

function bad(key: string, what: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `--backend-config=python,${key}: ${key} ${what}`);
}
