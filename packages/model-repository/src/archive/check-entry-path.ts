import { NereidError } from "@nereid/errors";

const LONGEST_NAME_BYTES = 255;
const DEEPEST = 16;

/** A refusal that says which entry and why. */
export function refuseEntry(entry: string, why: string, fix: string): NereidError {
  const shown = JSON.stringify(entry.length > 200 ? `${entry.slice(0, 200)}…` : entry);
  return new NereidError("INVALID_ARGUMENT", `entry ${shown} ${why}; ${fix}`, {
    fix,
    details: { entry: entry.slice(0, 200) },
  });
}

/**
 * The path of an uploaded file, checked: relative, with forward slashes, without `.`. Throws INVALID_ARGUMENT for a path that
 * could leave its directory, that some file system cannot store, or that is nested too deep. Pure.
 */
export function checkEntryPath(path: string): string {
  const pack = "pack the model again with plain relative paths";
  if (path === "") throw refuseEntry(path, "has an empty name", pack);
  if (path.includes("\0")) throw refuseEntry(path, "has a NUL in its name", pack);
  if (path.includes("\\"))
    throw refuseEntry(path, "has a backslash in its name", "use forward slashes between directories");
  if (path.startsWith("/")) throw refuseEntry(path, "is an absolute path", pack);
  if (/^[A-Za-z]:/.test(path)) throw refuseEntry(path, "begins with a drive letter", pack);
  if (/[\ufffd\p{Surrogate}]/u.test(path)) throw refuseEntry(path, "has a name that is not UTF-8", "rename it");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw refuseEntry(path, "leaves the directory with '..'", pack);
  if (parts.length > DEEPEST)
    throw refuseEntry(path, `is nested deeper than ${DEEPEST} directories`, "pack fewer directories around the model");
  for (const part of parts) {
    if (Buffer.byteLength(part) > LONGEST_NAME_BYTES)
      throw refuseEntry(path, `has a name of more than ${LONGEST_NAME_BYTES} bytes`, "shorten it");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    if (/[\u0001-\u001f\u007f]/.test(part)) throw refuseEntry(path, "has a control character in its name", "rename it");
  }
  return parts.join("/");
}

/** What packers add for themselves: it is left out without a word. */
export function isPackerLitter(path: string): boolean {
  const parts = path.split("/");
  return parts.includes("__MACOSX") || parts.at(-1) === ".DS_Store" || (parts.at(-1) ?? "").startsWith("._");
}

/** Refuses paths that are there twice, differ in case only, or need a file where another has a directory. */
export class PathSet {
  readonly #seen = new Map<string, { readonly path: string; readonly kind: "file" | "directory" }>();

  /** Adds a checked path and its parent directories. INVALID_ARGUMENT for a collision. */
  add(path: string, kind: "file" | "directory"): void {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) this.#place(parts.slice(0, depth).join("/"), "directory", path);
    this.#place(path, kind, path);
  }

  #place(path: string, kind: "file" | "directory", entry: string): void {
    const key = path.normalize("NFC").toLowerCase();
    const before = this.#seen.get(key);
    if (before === undefined) {
      this.#seen.set(key, { path, kind });
      return;
    }
    const fix = "keep one of them";
    if (before.path !== path)
      throw refuseEntry(entry, `differs from ${JSON.stringify(before.path)} in case or accents only`, fix);
    if (before.kind !== kind) throw refuseEntry(entry, "is both a file and a directory", fix);
    if (kind === "file") throw refuseEntry(entry, "is there twice", fix);
  }
}
