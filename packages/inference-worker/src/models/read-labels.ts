import { readFile, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";

/** Label files of the outputs, one label a line. UNSUPPORTED for a file outside the model's directory, NOT_FOUND when missing. */
export async function readLabels(
  directory: string,
  config: ModelConfig,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const labels = new Map<string, readonly string[]>();
  for (const output of config.output) {
    if (output.labelFilename === "") continue;
    labels.set(output.name, await readLabelFile(directory, output.labelFilename));
  }
  return labels;
}

async function readLabelFile(directory: string, name: string): Promise<readonly string[]> {
  const root = await realpath(directory);
  const path = await realpath(resolve(root, name)).catch(() => undefined);
  if (path === undefined)
    throw new NereidError("NOT_FOUND", `label file '${name}' does not exist in the model's directory`);
  if (!path.startsWith(root + sep))
    throw new NereidError("UNSUPPORTED", `label file '${name}' lies outside the model's directory`);
  // A pipe would keep the load, and every later change of this model, waiting for somebody to write.
  if (!(await stat(path)).isFile()) throw new NereidError("UNSUPPORTED", `label file '${name}' is not a regular file`);
  const text = await readFile(path, "utf8");
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}
