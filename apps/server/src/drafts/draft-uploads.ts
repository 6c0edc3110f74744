import { NereidError } from "@nereid/errors";
import { checkEntryPath, freeBytesOf, noRoom } from "@nereid/model-repository";
import { UploadFiles, type UploadRecord } from "./upload-files.ts";

const MOST_UPLOADS = 10_000;

export interface DraftUploadsOptions {
  readonly draftsDirectory: string;
  /** Most bytes of one file. */
  readonly mostBytes: number;
  /** Called before the files of a draft change; throws when they may not. NOT_FOUND for an unknown draft. */
  readonly beforeChange: (draft: string) => Promise<void>;
}

/** All uploads of all drafts: what is there, what may begin, and whether what came is right. */
export class DraftUploads {
  readonly files: UploadFiles;
  readonly #options: DraftUploadsOptions;
  readonly #records = new Map<string, UploadRecord>();

  constructor(options: DraftUploadsOptions) {
    this.#options = options;
    this.files = new UploadFiles(options.draftsDirectory);
  }

  /** Reads the uploads of a draft that an earlier process left. */
  async load(draft: string): Promise<void> {
    for (const record of await this.files.load(draft)) this.#records.set(record.id, record);
  }

  /** The uploads of a draft, by path. */
  of(draft: string): readonly UploadRecord[] {
    return [...this.#records.values()]
      .filter((record) => record.draft === draft)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  forget(draft: string): void {
    for (const { id } of this.of(draft)) this.#records.delete(id);
  }

  /** An upload and how much of it is there. NOT_FOUND for an unknown one. */
  async find(id: string): Promise<{ record: UploadRecord; received: number }> {
    const record = this.#records.get(id);
    const received = record === undefined ? undefined : await this.files.received(record);
    if (record === undefined || received === undefined) {
      const fix = "begin the upload again";
      throw new NereidError("NOT_FOUND", `there is no such upload; ${fix}`, { fix });
    }
    return { record, received };
  }

  /**
   * Begins an upload. INVALID_ARGUMENT for a bad path or hash, CONFLICT when the draft has a file of that path or may not change,
   * PAYLOAD_TOO_LARGE over the limit, UNAVAILABLE when the disk has no room for it.
   */
  async create(begin: {
    readonly id: string;
    readonly bytes: number;
    readonly metadata: Readonly<Record<string, string | null>>;
  }): Promise<void> {
    const { id, bytes } = begin;
    const { draft, path, expected } = readMetadata(begin.metadata);
    if (bytes > this.#options.mostBytes) {
      throw new NereidError(
        "PAYLOAD_TOO_LARGE",
        `'${path}' has ${bytes} bytes, at most ${this.#options.mostBytes} are allowed; upload a smaller file`,
      );
    }
    this.#refuseTwice(draft, path);
    await this.#checkRoom(bytes);
    await this.#options.beforeChange(draft);
    // From here to the record nothing waits, so of two uploads of one path one finds the other.
    this.#refuseTwice(draft, path);
    const record = { id, draft, path, bytes, expected, sha256: null };
    this.#records.set(id, record);
    try {
      await this.files.create(record);
    } catch (error) {
      this.#records.delete(id);
      throw error;
    }
  }

  async append(id: string, stream: AsyncIterable<Uint8Array>, offset: number): Promise<number> {
    const { record } = await this.find(id);
    return this.files.append(record, stream, offset);
  }

  /** Makes sure that a complete upload is what its sender meant. INVALID_ARGUMENT otherwise; its part is dropped then. */
  async verify(id: string): Promise<UploadRecord> {
    const { record, received } = await this.find(id);
    if (record.sha256 !== null) return record;
    if (received !== record.bytes) {
      const fix = "wait until it has ended, or remove it";
      throw new NereidError(
        "CONFLICT",
        `'${record.path}' is still uploading: ${received} of ${record.bytes} bytes; ${fix}`,
        { fix },
      );
    }
    const sha256 = await this.files.digest(record);
    if (record.expected !== null && record.expected !== sha256) {
      await this.#drop(record);
      const fix = "upload the file again";
      throw new NereidError(
        "INVALID_ARGUMENT",
        `'${record.path}' arrived damaged: its SHA-256 is ${sha256}, announced was ${record.expected}; ${fix}`,
        { fix, details: { sha256, expected: record.expected } },
      );
    }
    const verified = { ...record, sha256 };
    this.#records.set(id, verified);
    await this.files.save(verified);
    return verified;
  }

  async remove(id: string): Promise<void> {
    const { record } = await this.find(id);
    await this.#options.beforeChange(record.draft);
    await this.#drop(record);
  }

  async #drop(record: UploadRecord): Promise<void> {
    this.#records.delete(record.id);
    await this.files.remove(record);
  }

  /** Counts what the uploads that are under way will still need. */
  async #checkRoom(bytes: number): Promise<void> {
    let promised = 0;
    for (const record of this.#records.values()) {
      if (record.sha256 !== null) continue;
      promised += Math.max(0, record.bytes - ((await this.files.received(record)) ?? 0));
    }
    const free = await freeBytesOf(this.#options.draftsDirectory);
    if (bytes + promised > free) throw noRoom(bytes + promised, free);
  }

  #refuseTwice(draft: string, path: string): void {
    const there = this.of(draft);
    if (there.length >= MOST_UPLOADS)
      throw new NereidError("INVALID_ARGUMENT", `a draft takes at most ${MOST_UPLOADS} files; upload an archive`);
    const same = there.find((record) => record.path === path);
    if (same === undefined) return;
    const fix = "resume that upload, or remove it first";
    throw new NereidError("CONFLICT", `'${path}' is already uploaded or uploading to this draft; ${fix}`, {
      fix,
      details: { upload: same.id },
    });
  }
}

function readMetadata(metadata: Readonly<Record<string, string | null>>): {
  draft: string;
  path: string;
  expected: string | null;
} {
  const draft = metadata["draft"] ?? "";
  const name = metadata["path"] ?? "";
  if (name === "") throw new NereidError("INVALID_ARGUMENT", "the metadata 'path' must name the file");
  const path = checkEntryPath(name);
  const expected = metadata["sha256"]?.toLowerCase() ?? null;
  if (expected !== null && !/^[0-9a-f]{64}$/.test(expected))
    throw new NereidError("INVALID_ARGUMENT", "the metadata 'sha256' must be 64 hexadecimal digits");
  return { draft, path, expected };
}
