import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { NereidError } from "@nereid/errors";

export interface FileToPush {
  readonly file: string;
  /** As the server sees it: the folder's own name first. */
  readonly path: string;
  readonly bytes: number;
}

/** The files below a path, or the one file. NOT_FOUND when there is nothing. Hidden files stay where they are. */
export function filesToPush(path: string): readonly FileToPush[] {
  const root = resolve(path);
  const found = statSync(root, { throwIfNoEntry: false });
  if (found === undefined) throw new NereidError("NOT_FOUND", `there is no '${path}'`);
  if (found.isFile()) return [{ file: root, path: basename(root), bytes: found.size }];
  if (!found.isDirectory()) throw new NereidError("INVALID_ARGUMENT", `'${path}' is neither a file nor a folder`);
  const files = below(root, basename(root));
  if (files.length === 0) throw new NereidError("INVALID_ARGUMENT", `'${path}' holds no files`);
  return files;
}

function below(directory: string, prefix: string): FileToPush[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = join(directory, entry.name);
      const path = `${prefix}/${entry.name}`;
      return statSync(file).isDirectory() ? below(file, path) : [{ file, path, bytes: statSync(file).size }];
    });
}
