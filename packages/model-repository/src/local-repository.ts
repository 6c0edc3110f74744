import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { NereidError } from "@nereid/errors";
import { parseVersionDirectory } from "@nereid/model-config";
import { fingerprintOf } from "./fingerprint.ts";
import { assertModelName } from "./model-name.ts";
import type { ModelLocation, ModelSnapshot, VersionSnapshot } from "./snapshot.ts";

export interface LocalRepositoryOptions {
  /** Use `configs/<name>.pbtxt` where a model has it, instead of `config.pbtxt`. */
  readonly configName?: string;
}

/** Model directories on local disk: one directory a model, below one or more roots. Reads only. */
export class LocalRepository {
  readonly roots: readonly string[];
  readonly #options: LocalRepositoryOptions;

  constructor(roots: readonly string[], options: LocalRepositoryOptions = {}) {
    this.roots = roots.map((root) => resolve(root));
    this.#options = options;
  }

  /** Every model directory; a name that stands below two roots is ambiguous. Sorted by name. */
  async list(): Promise<readonly ModelLocation[]> {
    const found = new Map<string, { directory: string; repository: string }[]>();
    for (const repository of this.roots) {
      for (const name of await directoriesOf(repository)) {
        if (name.startsWith(".")) continue;
        const places = found.get(name) ?? [];
        places.push({ directory: join(repository, name), repository });
        found.set(name, places);
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, places]) => locate(name, places));
  }

  /** Where a model stands; undefined when no root has it. INVALID_ARGUMENT for a name that is not a plain directory name. */
  async find(name: string): Promise<ModelLocation | undefined> {
    assertModelName(name);
    const places: { directory: string; repository: string }[] = [];
    for (const repository of this.roots) {
      const directory = join(repository, name);
      if (await isDirectory(directory)) places.push({ directory, repository });
    }
    return places.length === 0 ? undefined : locate(name, places);
  }

  /** Reads one model. The configuration text is empty when the model has no file. */
  async read(location: Extract<ModelLocation, { kind: "unique" }>): Promise<ModelSnapshot> {
    const { name, directory, repository } = location;
    const fingerprint = await fingerprintOf(directory);
    const versions: VersionSnapshot[] = [];
    const ignored: { name: string; reason: string }[] = [];
    const subdirectories = await directoriesOf(directory);
    for (const entry of subdirectories) {
      const parsed = parseVersionDirectory(entry);
      if (parsed.kind === "ignored") {
        if (parsed.warn) ignored.push({ name: entry, reason: parsed.reason });
        continue;
      }
      const path = join(directory, entry);
      versions.push({ version: parsed.version, directory: path, fingerprint: await fingerprintOf(path) });
    }
    const first = subdirectories[0];
    const configFile = await this.#configFile(directory);
    return {
      name,
      directory,
      repository,
      configFile,
      configText: configFile === undefined ? "" : await readConfig(configFile),
      versions,
      firstVersionEntries: first === undefined ? [] : await readdir(join(directory, first)).catch(() => []),
      ignored,
      fingerprint,
    };
  }

  async #configFile(directory: string): Promise<string | undefined> {
    const { configName } = this.#options;
    const candidates = [
      ...(configName === undefined ? [] : [join(directory, "configs", `${configName}.pbtxt`)]),
      join(directory, "config.pbtxt"),
    ];
    for (const candidate of candidates) {
      if (
        await stat(candidate).then(
          (found) => found.isFile(),
          () => false,
        )
      )
        return candidate;
    }
    return undefined;
  }
}

function locate(name: string, places: readonly { directory: string; repository: string }[]): ModelLocation {
  const [only] = places;
  return places.length === 1 && only !== undefined
    ? { kind: "unique", name, ...only }
    : { kind: "ambiguous", name, directories: places.map(({ directory }) => directory) };
}

async function readConfig(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new NereidError("INTERNAL", `cannot read ${file}`, { cause: error });
  }
}

async function directoriesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(join(directory, entry.name)))))
      names.push(entry.name);
  }
  return names.sort();
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
