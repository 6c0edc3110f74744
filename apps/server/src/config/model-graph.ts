import { stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { type GraphSummary, type ModelSnapshot, readOnnxGraph } from "@nereid/model-repository";

const DEFAULT_FILE = "model.onnx";

/** What the newest version's model file says of itself; null where there is none that can be read. */
export async function newestGraph(snapshot: ModelSnapshot, fileName = ""): Promise<GraphSummary | null> {
  const newest = snapshot.versions.toSorted((a, b) => (a.version < b.version ? -1 : 1)).at(-1);
  return newest === undefined ? null : graphOf(newest.directory, fileName);
}

/**
 * The graph of a model file in a version directory; null when it is not there or no ONNX model. The name comes from a
 * configuration that anybody may have written: only a regular file inside the directory is opened.
 */
export async function graphOf(directory: string, fileName: string): Promise<GraphSummary | null> {
  const file = resolve(directory, fileName === "" ? DEFAULT_FILE : fileName.replaceAll("\0", ""));
  if (!file.startsWith(resolve(directory) + sep)) return null;
  try {
    return (await stat(file)).isFile() ? await readOnnxGraph(file) : null;
  } catch {
    // Whoever loads it is told why; here it only means that there is nothing to compare with.
    return null;
  }
}
