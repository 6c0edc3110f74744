import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";

interface Holder {
  readonly pid: number;
  /** When that process began, in the kernel's words: ids are used again. Empty where the system does not say. */
  readonly began: string;
}

/**
 * Keeps a second launcher out of a state directory; answers how to let go. The lock of a process that is gone is taken over.
 * CONFLICT names the process that holds it and the option that chooses another directory.
 */
export function lockState(directory: string): () => void {
  const file = join(directory, "nereid.lock");
  const draft = `${file}.${process.pid}`;
  const own = JSON.stringify({ pid: process.pid, began: beganOf(process.pid) } satisfies Holder);
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    // A link appears whole or not at all, and fails when there is a lock.
    while (!link(draft, file)) removeStale(file, directory);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (read(file) === own) rmSync(file, { force: true });
  };
}

function removeStale(file: string, directory: string): void {
  const text = read(file);
  if (text === undefined) return;
  const holder = parse(text);
  if (holder !== undefined && isRunning(holder)) throw taken(holder, directory);
  const aside = `${file}.stale.${process.pid}`;
  renameSync(file, aside);
  // Another launcher may have taken over in between; then this is its lock, and goes back.
  const mistaken = read(aside) !== text;
  if (mistaken) link(aside, file);
  rmSync(aside, { force: true });
}

function taken({ pid }: Holder, directory: string): NereidError {
  return new NereidError(
    "CONFLICT",
    `another nereid (pid ${pid}) is using the state directory ${directory}; stop it, or choose another with --state-dir=<directory>`,
  );
}

/** Whether the process that wrote the lock still runs, and not only one that has got its id since. */
function isRunning({ pid, began }: Holder): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return began === beganOf(pid);
}

function beganOf(pid: number): string {
  // The name in field 2 may hold anything, so the count starts behind it.
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function parse(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("pid" in value) || !("began" in value)) return undefined;
    const { pid, began } = value;
    return Number.isSafeInteger(pid) && Number(pid) > 0 ? { pid: Number(pid), began: String(began) } : undefined;
  } catch {
    return undefined;
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
