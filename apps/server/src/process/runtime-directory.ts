import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RuntimeDirectory {
  /** Private directory for sockets and staged files; short, because socket paths are limited to 107 bytes. */
  readonly path: string;
  /** Where tensor segments go: memory where there is a memory file system. */
  readonly shm: string;
  remove(): void;
}

const SHM = "/dev/shm";
const SEGMENT = /^nereid-(\d+)-\d+-\d+$/;

/** Makes this process's directory and removes tensor segments of servers that were killed. */
export function createRuntimeDirectory(): RuntimeDirectory {
  const path = mkdtempSync(join(tmpdir(), "nereid-"));
  const shm = existsSync(SHM) ? SHM : path;
  removeLeftovers(shm);
  return { path, shm, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = SEGMENT.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(directory, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
