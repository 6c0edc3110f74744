import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/** Text of a file, undefined when there is none. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a file that only its owner may read; it appears whole or not at all. `replace: false` keeps an existing one. */
export function writeSecret(file: string, text: string, { replace }: { replace: boolean }): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${text}\n`, { mode: OWNER_ONLY, flag: "wx" });
  try {
    if (replace) rmSync(file, { force: true });
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The key that signs sessions: read from the file, or made once. Safe when several processes start together. */
export function readOrCreateSecret(file: string): string {
  const existing = readIfExists(file);
  if (existing !== undefined && existing !== "") return existing;
  writeSecret(file, randomBytes(32).toString("base64url"), { replace: existing === "" });
  const secret = readIfExists(file);
  if (secret === undefined || secret === "") throw new Error(`${file} could not be written`);
  return secret;
}
