import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import { exclusive, explainFileError, systemCode, writeDurably } from "@nereid/model-repository";

/** What is known of an upload; kept beside its part. */
export interface UploadRecord {
  readonly id: string;
  readonly draft: string;
  /** Relative path of the file in what was dropped. */
  readonly path: string;
  readonly bytes: number;
  /** What the sender says the file hashes to (hex); null when it does not say. */
  readonly expected: string | null;
  /** Hash of the complete file; null until it is complete and found right. */
  readonly sha256: string | null;
}

interface Running {
  readonly hash: Hash;
  position: number;
}

/** The parts of a draft's uploads: `<draft>/uploads/<id>.part`, and `<id>.json` beside it. A part's size is the truth of how much came. */
export class UploadFiles {
  readonly #draftsDirectory: string;
  /** Hashes of what was written so far; after a restart the part is read once. */
  readonly #running = new Map<string, Running>();

  constructor(draftsDirectory: string) {
    this.#draftsDirectory = draftsDirectory;
  }

  partOf({ draft, id }: Pick<UploadRecord, "draft" | "id">): string {
    return join(this.#uploads(draft), `${id}.part`);
  }

  /** The uploads of a draft that are on disk. A record without its part, a part without its record and half a record are removed. */
  async load(draft: string): Promise<UploadRecord[]> {
    const records: UploadRecord[] = [];
    const names = await readdir(this.#uploads(draft)).catch(() => []);
    for (const name of names) {
      if (!name.endsWith(".json") || name.startsWith(".")) continue;
      const record = parseRecord(await readFile(join(this.#uploads(draft), name), "utf8").catch(() => ""));
      if (record !== undefined && (await this.received(record)) !== undefined) records.push(record);
    }
    const known = new Set(records.flatMap(({ id }) => [`${id}.json`, `${id}.part`]));
    for (const name of names.filter((candidate) => !known.has(candidate)))
      await rm(join(this.#uploads(draft), name), { recursive: true, force: true });
    return records;
  }

  /** Makes an empty part and its record. */
  async create(record: UploadRecord): Promise<void> {
    try {
      await mkdir(this.#uploads(record.draft), { recursive: true });
      await (await open(this.partOf(record), "wx", 0o644)).close();
      await this.save(record);
    } catch (error) {
      await this.remove(record);
      throw explainFileError(error, `begin the upload of '${record.path}'`);
    }
  }

  async save(record: UploadRecord): Promise<void> {
    await writeDurably(join(this.#uploads(record.draft), `${record.id}.json`), JSON.stringify(record));
  }

  /** Bytes that are on disk; undefined when the part is gone. */
  async received(record: UploadRecord): Promise<number | undefined> {
    return stat(this.partOf(record)).then(
      ({ size }) => size,
      () => undefined,
    );
  }

  /**
   * Appends what a stream brings and returns the new size. What was written before a failure stays, so that the upload can go
   * on from there. UNAVAILABLE when the disk is full.
   */
  async append(record: UploadRecord, stream: AsyncIterable<Uint8Array>, offset: number): Promise<number> {
    // A cut request may still be writing its last bytes.
    return exclusive(`upload ${record.id}`, () => this.#append(record, stream, offset));
  }

  async #append(record: UploadRecord, stream: AsyncIterable<Uint8Array>, offset: number): Promise<number> {
    const received = await this.received(record);
    if (received !== offset)
      throw new NereidError("CONFLICT", `${received ?? 0} bytes of '${record.path}' are here; go on from there`);
    const running = await this.#hashUpTo(record, offset);
    const handle = await open(this.partOf(record), "r+");
    try {
      for await (const chunk of stream) {
        if (running.position + chunk.byteLength > record.bytes)
          throw new NereidError(
            "PAYLOAD_TOO_LARGE",
            `more than the announced ${record.bytes} bytes came for '${record.path}'`,
          );
        let at = 0;
        while (at < chunk.byteLength) {
          const { bytesWritten } = await handle.write(chunk, at, chunk.byteLength - at, running.position);
          running.hash.update(chunk.subarray(at, at + bytesWritten));
          running.position += bytesWritten;
          at += bytesWritten;
        }
      }
      if (running.position === record.bytes) await handle.datasync();
      return running.position;
    } catch (error) {
      throw /^E(NOSPC|DQUOT|IO|ROFS|FBIG)$/.test(systemCode(error))
        ? explainFileError(
            error,
            `store '${record.path}' (its first ${running.position} bytes are kept, and the upload can go on from there)`,
          )
        : error;
    } finally {
      await handle.close();
    }
  }

  /** Hash of the complete part (hex). */
  async digest(record: UploadRecord): Promise<string> {
    const { hash } = await this.#hashUpTo(record, record.bytes);
    this.#running.delete(record.id);
    return hash.digest("hex");
  }

  async remove(record: UploadRecord): Promise<void> {
    this.#running.delete(record.id);
    await rm(join(this.#uploads(record.draft), `${record.id}.json`), { force: true });
    await rm(this.partOf(record), { force: true });
  }

  async #hashUpTo(record: UploadRecord, position: number): Promise<Running> {
    const known = this.#running.get(record.id);
    if (known?.position === position) return known;
    const running = { hash: createHash("sha256"), position };
    if (position > 0) {
      for await (const chunk of createReadStream(this.partOf(record), { end: position - 1, highWaterMark: 256 * 1024 }))
        running.hash.update(chunk);
    }
    this.#running.set(record.id, running);
    return running;
  }

  #uploads(draft: string): string {
    return join(this.#draftsDirectory, draft, "uploads");
  }
}

function parseRecord(text: string): UploadRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Only this file writes records, and it writes them whole.
    return typeof value === "object" && value !== null && "id" in value ? (value as UploadRecord) : undefined;
  } catch {
    return undefined;
  }
}
