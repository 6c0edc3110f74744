import { statfs } from "node:fs/promises";
import { NereidError } from "@nereid/errors";
import { refuseEntry } from "./check-entry-path.ts";

const MiB = 1 << 20;
/** Disk space that unpacking leaves free. */
export const DISK_RESERVE_BYTES = 256 * MiB;
const MOST_ENTRIES = 10_000;
const DEFAULT_MOST_BYTES = 64 * 1024 * MiB;
const MOST_RATIO = 1000;
const RATIO_FREE_BYTES = 64 * MiB;

export interface ExtractionLimits {
  /** Most bytes an archive may unpack to; default 64 GiB. */
  readonly mostBytes?: number;
  readonly mostEntries?: number;
}

/** What an archive may still unpack to. Every method throws when a limit is passed. */
export class ExtractionBudget {
  readonly #mostBytes: number;
  readonly #mostEntries: number;
  readonly #freeBytes: number;
  #entries = 0;
  #bytes = 0;

  private constructor(limits: ExtractionLimits, freeBytes: number) {
    this.#mostBytes = limits.mostBytes ?? DEFAULT_MOST_BYTES;
    this.#mostEntries = limits.mostEntries ?? MOST_ENTRIES;
    this.#freeBytes = freeBytes;
  }

  /** A budget within the limits and within what is free on the disk of a directory. */
  static async of(directory: string, limits: ExtractionLimits = {}): Promise<ExtractionBudget> {
    return new ExtractionBudget(limits, await freeBytesOf(directory));
  }

  /** INVALID_ARGUMENT when an archive announces more entries than it may have. */
  announceEntries(count: number): void {
    if (count <= this.#mostEntries) return;
    const fix = "upload the files of one model version only";
    throw new NereidError(
      "INVALID_ARGUMENT",
      `the archive has ${count > Number.MAX_SAFE_INTEGER ? "too many" : count} entries, at most ${this.#mostEntries} are allowed; ${fix}`,
      { fix },
    );
  }

  addEntry(): void {
    this.#entries += 1;
    this.announceEntries(this.#entries);
  }

  /** Takes bytes off the budget: PAYLOAD_TOO_LARGE over the limit, UNAVAILABLE when the disk has no room. */
  addBytes(entry: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#mostBytes) {
      const fix = "upload a smaller model or raise the server's limit for uploads";
      throw new NereidError(
        "PAYLOAD_TOO_LARGE",
        `entry ${JSON.stringify(entry.slice(0, 200))}: the archive unpacks to more than ${this.#mostBytes} bytes; ${fix}`,
        { fix },
      );
    }
    if (this.#bytes > this.#freeBytes) throw noRoom(this.#bytes, this.#freeBytes);
  }

  /** INVALID_ARGUMENT when so few packed bytes became so many that the archive can only be meant to fill the disk. */
  static checkRatio(entry: string, packed: number, unpacked: number): void {
    if (unpacked <= RATIO_FREE_BYTES || unpacked <= packed * MOST_RATIO) return;
    throw refuseEntry(
      entry,
      `unpacks to more than ${MOST_RATIO} times its packed size`,
      "upload the file itself instead of an archive, if it is really that compressible",
    );
  }
}

/** Bytes that may be written below a directory: what is free on its disk less the reserve; never negative. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return Math.max(0, bavail * bsize - DISK_RESERVE_BYTES);
}

/** UNAVAILABLE: tells what is needed and what is there. */
export function noRoom(neededBytes: number, freeBytes: number): NereidError {
  const missing = Math.ceil((neededBytes - freeBytes) / MiB);
  const fix = `free at least ${missing} MiB on the disk of the model repository`;
  return new NereidError(
    "UNAVAILABLE",
    `${Math.ceil(neededBytes / MiB)} MiB are needed and ${Math.floor(freeBytes / MiB)} MiB may be used (a reserve stays free); ${fix}`,
    { fix, details: { neededBytes, freeBytes } },
  );
}
