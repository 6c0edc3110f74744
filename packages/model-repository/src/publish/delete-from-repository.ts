import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { NereidError } from "@nereid/errors";
import { assertModelName } from "../model-name.ts";
import { NO_STEPS, type Steps, syncDirectory } from "../staging/durable.ts";
import { exclusive } from "../staging/exclusive.ts";
import { explainFileError, systemCode } from "../staging/explain-file-error.ts";
import { ensureStaging } from "../staging/staging-paths.ts";
import { assertVersionName } from "./commit-version.ts";

interface DeleteModel {
  /** Repository root. */
  readonly root: string;
  readonly model: string;
  readonly steps?: Steps;
}

/** Deletes one version: it is gone for readers at once, its files shortly after. NOT_FOUND when it is not there. */
export async function deleteVersion(target: DeleteModel & { readonly version: string }): Promise<void> {
  assertModelName(target.model);
  assertVersionName(target.version);
  const directory = join(target.root, target.model);
  await exclusive(directory, () =>
    discard(target, join(directory, target.version), `version ${target.version} of model '${target.model}'`),
  );
}

/** Deletes a model with all versions: it is gone for readers at once, its files shortly after. NOT_FOUND when it is not there. */
export async function deleteModel(target: DeleteModel): Promise<void> {
  assertModelName(target.model);
  const directory = join(target.root, target.model);
  await exclusive(directory, () => discard(target, directory, `model '${target.model}'`));
}

async function discard({ root, steps = NO_STEPS }: DeleteModel, path: string, what: string): Promise<void> {
  const { trash } = await ensureStaging(root);
  const grave = join(trash, randomUUID());
  try {
    await steps("rename into trash");
    await rename(path, grave);
    await steps("sync directories");
    await syncDirectory(dirname(path));
    await steps("remove from trash");
    await rm(grave, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw new NereidError("NOT_FOUND", `${what} is not in the repository`);
    throw explainFileError(error, `delete ${what}`);
  }
}
