import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  digestOfText,
  type LocalRepository,
  readConfigText,
  stagingPaths,
  writeConfig,
  writeDurably,
} from "@nereid/model-repository";

/** A configuration that is written and not yet proved by a load. */
interface Intent {
  readonly model: string;
  /** The text from before; null = there was no file. */
  readonly before: string | null;
  /** Digest of the text that was being applied. */
  readonly after: string;
}

const directoryOf = (root: string) => join(stagingPaths(root).directory, "config-intents");

/** Remembers, on disk, what to put back unless `done` is called: a server that is killed in between undoes it at its next start. */
export async function rememberConfig(root: string, intent: Intent): Promise<{ done(): Promise<void> }> {
  const directory = directoryOf(root);
  await mkdir(directory, { recursive: true });
  const file = join(directory, `${randomUUID()}.json`);
  await writeDurably(file, JSON.stringify(intent));
  return { done: () => rm(file, { force: true }) };
}

/**
 * Puts back every configuration whose apply never ended, unless somebody has written another one since. Returns the names of the
 * models that have their old text again.
 */
export async function recoverConfigs(
  repository: LocalRepository,
  warn: (text: string) => void,
): Promise<readonly string[]> {
  const recovered: string[] = [];
  for (const root of repository.roots) {
    const directory = directoryOf(root);
    for (const name of await readdir(directory).catch(() => [])) {
      const file = join(directory, name);
      try {
        // Anything else is half an intent, and nothing is applied before its intent is whole.
        if (name.endsWith(".json") && !name.startsWith(".")) {
          const intent = JSON.parse(await readFile(file, "utf8")) as Intent;
          if (await undo(repository, intent)) recovered.push(intent.model);
        }
        await rm(file, { force: true });
      } catch (error) {
        warn(`${file} could not be undone: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return recovered;
}

/** Whether the text had been written and is now the one from before. */
async function undo(repository: LocalRepository, { model, before, after }: Intent): Promise<boolean> {
  const location = await repository.find(model);
  if (location?.kind !== "unique") return false;
  const digest = digestOfText(await readConfigText(location.directory));
  if (digest !== after) return false;
  await writeConfig({ modelDirectory: location.directory, text: before, ifDigest: digest });
  return true;
}
