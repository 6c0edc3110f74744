import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { NereidError } from "@nereid/errors";
import { digestOfText } from "../files/hash-file.ts";
import { NO_STEPS, type Steps, syncDirectory, writeDurably } from "../staging/durable.ts";
import { exclusive } from "../staging/exclusive.ts";
import { explainFileError, systemCode } from "../staging/explain-file-error.ts";
import { ensureStaging } from "../staging/staging-paths.ts";

export const CONFIG_FILE = "config.pbtxt";

export interface WriteConfig {
  /** Directory of the model, directly below its repository root. */
  readonly modelDirectory: string;
  /** The whole new text; null removes the file. */
  readonly text: string | null;
  /** Digest of the text that is replaced; empty when there is no file. */
  readonly ifDigest: string;
  readonly steps?: Steps;
}

/** The text of a model's `config.pbtxt`; null when there is none. INTERNAL when it cannot be read. */
export async function readConfigText(modelDirectory: string): Promise<string | null> {
  try {
    return await readFile(join(modelDirectory, CONFIG_FILE), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return null;
    throw explainFileError(error, `read ${join(modelDirectory, CONFIG_FILE)}`);
  }
}

/**
 * Replaces a model's `config.pbtxt`: readers see the old text or the new one. Answers the new digest and the text that was there.
 * CONFLICT with details.digest when the text on disk is not the one that was meant to be replaced.
 */
export async function writeConfig(write: WriteConfig): Promise<{ digest: string; before: string | null }> {
  const { modelDirectory, text, steps = NO_STEPS } = write;
  return exclusive(modelDirectory, async () => {
    const before = await assertConfigUnchanged(modelDirectory, write.ifDigest);
    try {
      await replace(modelDirectory, text, steps);
    } catch (error) {
      throw explainFileError(error, `write the configuration of model '${basename(modelDirectory)}'`);
    }
    return { digest: digestOfText(text), before };
  });
}

/** The text on disk. CONFLICT with details.digest when its digest is another. */
export async function assertConfigUnchanged(modelDirectory: string, ifDigest: string): Promise<string | null> {
  const before = await readConfigText(modelDirectory);
  const digest = digestOfText(before);
  if (digest === ifDigest) return before;
  const fix = "look at the configuration as it is now and apply the change to it";
  throw new NereidError(
    "CONFLICT",
    `the configuration of model '${basename(modelDirectory)}' was changed by someone else; ${fix}`,
    { fix, details: { digest } },
  );
}

async function replace(modelDirectory: string, text: string | null, steps: Steps): Promise<void> {
  const file = join(modelDirectory, CONFIG_FILE);
  if (text !== null) {
    const { commits } = await ensureStaging(dirname(modelDirectory));
    return writeDurably(file, text, { temporary: join(commits, `${randomUUID()}.tmp`), steps });
  }
  await steps("remove configuration");
  await rm(file, { force: true });
  await steps("sync directory");
  await syncDirectory(modelDirectory);
}
