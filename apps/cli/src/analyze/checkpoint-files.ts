import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import { readCheckpoint, type TuningCheckpoint, type TuningResult } from "@nereid/perf";

/** What stands in a file: the models of one call, each with what was measured and, when it is over, what came of it. */
export interface CheckpointFile {
  readonly version: 1;
  readonly models: {
    readonly [model: string]: { readonly checkpoint: TuningCheckpoint; readonly result: TuningResult | null };
  };
}

/** `<directory>/<n>.ckpt`, as Model Analyzer keeps them: the highest is read at the start, each call writes one behind it. */
export class CheckpointFiles {
  readonly #directory: string;
  readonly #file: string;
  #models: CheckpointFile["models"];

  /** Reads the highest one. INVALID_ARGUMENT with the fix where it is damaged. */
  constructor(directory: string) {
    this.#directory = directory;
    const highest = highestOf(directory);
    this.#models = highest < 0 ? {} : readFile(join(directory, `${highest}.ckpt`));
    this.#file = join(directory, `${highest + 1}.ckpt`);
  }

  get models(): CheckpointFile["models"] {
    return this.#models;
  }

  /** Written beside and renamed: a killed process leaves the one before. */
  save(checkpoint: TuningCheckpoint, result: TuningResult | null = null): void {
    this.#models = { ...this.#models, [checkpoint.model]: { checkpoint, result } };
    mkdirSync(this.#directory, { recursive: true });
    const file: CheckpointFile = { version: 1, models: this.#models };
    writeFileSync(`${this.#file}.part`, JSON.stringify(file));
    renameSync(`${this.#file}.part`, this.#file);
  }
}

function highestOf(directory: string): number {
  try {
    const numbers = readdirSync(directory).flatMap((name) => /^(\d+)\.ckpt$/.exec(name)?.[1] ?? []);
    return Math.max(-1, ...numbers.map(Number));
  } catch {
    return -1;
  }
}

function readFile(path: string): CheckpointFile["models"] {
  const wrong = (problem: string) =>
    new NereidError("INVALID_ARGUMENT", `${path} ${problem}`, {
      fix: "remove it, or name another directory with --checkpoint-directory",
    });
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw wrong("is no checkpoint");
  }
  if (typeof file !== "object" || file === null || !("version" in file) || !("models" in file))
    throw wrong("is no checkpoint");
  if (file.version !== 1) throw wrong(`is of version ${String(file.version)}; this program reads version 1`);
  if (typeof file.models !== "object" || file.models === null) throw wrong("is damaged");
  return Object.fromEntries(
    Object.entries(file.models).map(
      ([model, entry]: [string, { checkpoint?: unknown; result?: TuningResult | null }]) => [
        model,
        { checkpoint: readCheckpoint(entry?.checkpoint, path), result: entry?.result ?? null },
      ],
    ),
  );
}
