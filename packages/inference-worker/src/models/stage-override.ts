import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize, sep } from "node:path";
import { NereidError } from "@nereid/errors";
import { assertModelName, LocalRepository, type ModelSnapshot } from "@nereid/model-repository";

/**
 * Writes the files of a load request (`file:<version>/<path>`) into a model directory of their own and reads it. Paths that
 * would leave the directory are refused before anything is written. The directory belongs to the
 * caller, who removes it (`snapshot.repository`) when nothing is served from it any more.
 */
export async function stageOverride(
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
  parent: string,
): Promise<ModelSnapshot> {
  assertModelName(name);
  for (const path of files.keys()) assertInside(path);
  // Whoever cleans temporary directories may have taken it.
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const root = await mkdtemp(join(parent, "override-"));
  try {
    for (const [path, bytes] of files) {
      await writeInside(join(root, name, path), bytes, path);
    }
    const repository = new LocalRepository([root]);
    const location = await repository.find(name);
    if (location?.kind !== "unique") throw new NereidError("INTERNAL", `the override of model '${name}' has no files`);
    return await repository.read(location);
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

async function writeInside(target: string, bytes: Uint8Array, path: string): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes, { flag: "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "EEXIST" && code !== "EISDIR" && code !== "ENOTDIR" && code !== "ENAMETOOLONG") throw error;
    // The system's own text would tell where the server keeps its files.
    throw new NereidError(
      "INVALID_ARGUMENT",
      `load parameter 'file:${path}' names a directory, or the same file as another parameter`,
      { cause: error },
    );
  }
}

function assertInside(path: string): void {
  const clean = normalize(path);
  const outside =
    path === "" ||
    path.includes("\0") ||
    path.includes("\\") ||
    clean.startsWith(sep) ||
    clean.split(sep).includes("..") ||
    clean === ".";
  if (outside)
    throw new NereidError(
      "INVALID_ARGUMENT",
      `load parameter 'file:${path}' must name a file inside the model's directory, such as 'file:1/model.onnx'`,
    );
}
