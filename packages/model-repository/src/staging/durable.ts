import { open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCode } from "./explain-file-error.ts";

/** Called before each step that touches the disk, with the step's name; tests stop the process there. */
export type Steps = (name: string) => void | Promise<void>;

export const NO_STEPS: Steps = () => undefined;

/** Writes a whole file so that readers see the old or the new text, also after a power cut: temporary file, fsync, rename. */
export async function writeDurably(
  file: string,
  text: string | Uint8Array,
  options: { readonly temporary?: string; readonly steps?: Steps } = {},
): Promise<void> {
  const { temporary = join(dirname(file), `.${basename(file)}.tmp`), steps = NO_STEPS } = options;
  try {
    await steps("write temporary file");
    await writeSynced(temporary, text);
    await steps("rename temporary file");
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await steps("sync directory");
  await syncDirectory(dirname(file));
}

/** Writes and flushes one file. */
export async function writeSynced(file: string, text: string | Uint8Array): Promise<void> {
  const handle = await open(file, "w", 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes a directory's entries; file systems that cannot are left alone. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EISDIR", "EPERM"].includes(systemCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Flushes every file and directory below and with `directory`. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncDirectory(directory);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
