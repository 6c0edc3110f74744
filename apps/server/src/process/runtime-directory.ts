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

/** Made below by mkdtemp, which adds six characters. */
const DIRECTORY = /^nereid-(\d+)-[A-Za-z0-9]{6}$/;

/** Makes this process's directory and removes segments and directories of servers that were killed. */
export function createRuntimeDirectory(): RuntimeDirectory {
  const path = mkdtempSync(join(tmpdir(), `nereid-${process.pid}-`));
  const shm = existsSync(SHM) ? SHM : path;
  removeLeftovers(shm, SEGMENT);
  removeLeftovers(tmpdir(), DIRECTORY);
  return { path, shm, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function removeLeftovers(directory: string, pattern: RegExp): void {
  for (const name of readdirSync(directory)) {
    const pid = pattern.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(directory, name), { recursive: true, force: true });
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
