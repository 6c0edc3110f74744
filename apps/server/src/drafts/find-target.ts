import { join } from "node:path";
import type { DraftFinding } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import {
  assertModelName,
  assertVersionName,
  digestOfText,
  type Layout,
  type LocalRepository,
  readConfigText,
} from "@nereid/model-repository";

/** Where a draft will be published. */
export interface Target {
  readonly root: string;
  readonly model: string;
  readonly version: string;
  readonly isNew: boolean;
  readonly modelDirectory: string;
  /** Version directories that are there, by version. */
  readonly versions: ReadonlyMap<string, string>;
  readonly configText: string | null;
  readonly configDigest: string;
  readonly findings: readonly DraftFinding[];
}

/**
 * Chooses model, version and repository. A version that was asked for must be free (ALREADY_EXISTS); one that only the upload's
 * directory names gives way to the next free number.
 */
export async function findTarget(
  repository: LocalRepository,
  layout: Pick<Layout, "model" | "version">,
  wanted: string | null,
): Promise<Target> {
  const { model } = layout;
  assertPublishableName(model);
  const location = await repository.find(model);
  if (location?.kind === "ambiguous") {
    const fix = "remove one of its directories, or choose another name";
    throw new NereidError("INVALID_ARGUMENT", `model '${model}' appears in two or more repositories; ${fix}`, { fix });
  }
  const root = location?.repository ?? repository.roots[0];
  if (root === undefined)
    throw new NereidError("UNAVAILABLE", "the server has no model repository; start it with --model-repository");
  const snapshot = location === undefined ? undefined : await repository.read(location);
  const versions = new Map((snapshot?.versions ?? []).map((found) => [found.version.toString(), found.directory]));
  const chosen = chooseVersion({ model, wanted, named: layout.version, versions });
  const modelDirectory = location?.directory ?? join(root, model);
  const configText = await readConfigText(modelDirectory);
  return {
    root,
    model,
    isNew: location === undefined,
    modelDirectory,
    versions,
    configText,
    configDigest: digestOfText(configText),
    ...chosen,
  };
}

/** INVALID_ARGUMENT for a name that no model directory can have, or that the server would not list. */
export function assertPublishableName(name: string): void {
  assertModelName(name);
  const problem = name.startsWith(".")
    ? "begins with a dot, and such directories are not listed"
    : // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
      /[\u0001-\u001f\u007f]/.test(name)
      ? "holds a control character"
      : /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name)
        ? "holds a character that turns the direction of writing"
        : name !== name.trim()
          ? "begins or ends with a blank"
          : undefined;
  if (problem !== undefined)
    throw new NereidError("INVALID_ARGUMENT", `model name ${JSON.stringify(name)} ${problem}; choose another name`);
}

/** Pure. */
export function chooseVersion(from: {
  readonly model: string;
  readonly wanted: string | null;
  readonly named: string | null;
  readonly versions: ReadonlyMap<string, unknown>;
}): { version: string; findings: DraftFinding[] } {
  const { wanted, named, versions, model } = from;
  if (wanted !== null) {
    assertVersionName(wanted);
    if (!versions.has(wanted)) return { version: wanted, findings: [] };
    const fix = `choose another version, for example ${nextFree(versions)}`;
    throw new NereidError(
      "ALREADY_EXISTS",
      `version ${wanted} of model '${model}' is already in the repository; ${fix}`,
      { fix },
    );
  }
  if (named !== null && !versions.has(named)) {
    assertVersionName(named);
    return { version: named, findings: [] };
  }
  const version = nextFree(versions);
  if (named === null) return { version, findings: [] };
  const message = `the upload calls itself version ${named}, which is there already; it will be version ${version}`;
  return { version, findings: [{ severity: "info", code: "version-renumbered", message }] };
}

function nextFree(versions: ReadonlyMap<string, unknown>): string {
  let highest = 0n;
  for (const version of versions.keys()) if (BigInt(version) > highest) highest = BigInt(version);
  return (highest + 1n).toString();
}
