import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import { NereidError } from "@nereid/errors";

const run = promisify(execFile);
const KEY = "EXECUTION_ENV_PATH";
const PLACEHOLDER = "$$TRITON_MODEL_DIRECTORY";
const COMPLETE = ".nereid-complete";

/** A Python environment of a model's own. */
export interface ExecutionEnvironment {
  readonly interpreter: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The path that `EXECUTION_ENV_PATH` means. INVALID_ARGUMENT for a relative one, and for a placeholder elsewhere than in front. */
export function environmentPath(value: string, modelDirectory: string): string {
  if (value.startsWith(PLACEHOLDER)) return resolve(join(modelDirectory, value.slice(PLACEHOLDER.length)));
  if (value.includes(PLACEHOLDER)) throw bad(`${PLACEHOLDER} must stand at the front, got '${value}'`);
  if (!isAbsolute(value))
    throw bad(`expected an absolute path, or one that begins with ${PLACEHOLDER}, got '${value}'`);
  return value;
}

/** Unpacks archives, each of its contents once, into a directory that is the server's own. */
export class ExecutionEnvironments {
  readonly #cacheDirectory: string;
  readonly #unpacked = new Map<string, Promise<string>>();

  constructor(cacheDirectory: string) {
    this.#cacheDirectory = cacheDirectory;
  }

  /** A directory with `bin/python`, or an archive (tar, tar.gz) of one. INVALID_ARGUMENT when it is neither. */
  async open(
    value: string,
    at: { readonly modelDirectory: string; readonly path: string },
  ): Promise<ExecutionEnvironment> {
    const path = environmentPath(value, at.modelDirectory);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw bad(`there is no '${path}'`);
    const directory = found.isDirectory() ? path : await this.#unpack(path, `${found.size}:${found.mtimeMs}`);
    const bin = join(directory, "bin");
    const interpreter = ["python3", "python"].map((name) => join(bin, name)).find((file) => existsSync(file));
    if (interpreter === undefined) throw bad(`'${path}' has no bin/python3 and no bin/python`);
    const conda = existsSync(join(directory, "conda-meta"));
    return {
      interpreter,
      env: { PATH: [bin, at.path].filter(Boolean).join(delimiter), ...(conda && { CONDA_PREFIX: directory }) },
    };
  }

  #unpack(archive: string, stamp: string): Promise<string> {
    const key = createHash("sha256").update(`${archive}\0${stamp}`).digest("hex").slice(0, 24);
    const known = this.#unpacked.get(key);
    if (known !== undefined) return known;
    const unpacking = unpackInto(archive, join(this.#cacheDirectory, key));
    this.#unpacked.set(key, unpacking);
    unpacking.catch(() => this.#unpacked.delete(key));
    return unpacking;
  }
}

/** What was interrupted is begun anew: only a directory with the mark is whole. */
async function unpackInto(archive: string, directory: string): Promise<string> {
  if (existsSync(join(directory, COMPLETE))) return directory;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    await run("tar", ["-xf", archive, "-C", directory, "--no-same-owner"]);
    const relocate = join(directory, "bin/conda-unpack");
    // Scripts of a packed conda environment hold the path it was made at.
    if (existsSync(relocate)) await run(join(directory, "bin/python"), [relocate]);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    const text = error instanceof Error ? error.message : String(error);
    throw bad(`'${archive}' cannot be unpacked: ${text.trim().split("\n").at(-1)?.slice(0, 300)}`);
  }
  writeFileSync(join(directory, COMPLETE), "");
  return directory;
}

function bad(what: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `parameter '${KEY}': ${what}`);
}
