import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOrphans } from "./end-orphans.ts";

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

/** Makes this process's directory; removes segments and directories of servers that were killed, and ends what their models started. */
export function createRuntimeDirectory(): RuntimeDirectory {
  const path = mkdtempSync(join(tmpdir(), `nereid-${process.pid}-`));
  const shm = existsSync(SHM) ? SHM : path;
  const directories = leftovers(tmpdir(), DIRECTORY);
  endOrphans(directories);
  for (const left of [...leftovers(shm, SEGMENT), ...directories]) rmSync(left, { recursive: true, force: true });
  return { path, shm, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function leftovers(directory: string, pattern: RegExp): readonly string[] {
  return readdirSync(directory).flatMap((name) => {
    const pid = pattern.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid)) ? [join(directory, name)] : [];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
