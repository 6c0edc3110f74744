import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const STICKY = 0o1000;

/** What marks a directory as one of this product's; others are not tightened, were it /tmp that somebody named. */
const MARKS = ["nereid.db", "auth-secret", "setup-token", "nereid.lock"];

/**
 * Creates a directory that only its owner may enter, or tightens an existing one that is empty or already holds our state.
 * Returns what could not be done, as a sentence for the log.
 */
export function privateDirectory(directory: string): string | undefined {
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  const { mode, uid } = statSync(directory);
  if ((mode & 0o077) === 0) return undefined;
  const names = readdirSync(directory);
  const ours = names.length === 0 || MARKS.some((mark) => names.includes(mark));
  if (!ours || (mode & STICKY) !== 0 || uid !== process.getuid?.())
    return `${directory} can be read by other users of this machine; make it private with chmod 700`;
  return restrict(directory, OWNER_ONLY_DIRECTORY);
}

/**
 * Creates a SQLite file that only its owner may read, or restricts an existing one and the two files that SQLite keeps beside
 * it; new ones get the mode of the database. Returns what could not be done.
 */
export function privateSqliteFile(file: string): string[] {
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  closeSync(openSync(file, "a", OWNER_ONLY_FILE));
  return [file, `${file}-wal`, `${file}-shm`].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & 0o077) === 0) return [];
    return restrict(path, OWNER_ONLY_FILE) ?? [];
  });
}

function restrict(path: string, mode: number): string | undefined {
  try {
    chmodSync(path, mode);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${path} can be read by other users of this machine and could not be made private: ${reason}`;
  }
}
