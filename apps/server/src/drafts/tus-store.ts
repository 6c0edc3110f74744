import type { Readable } from "node:stream";
import { NereidError } from "@nereid/errors";
import { DataStore, Upload } from "@tus/server";
import type { DraftUploads } from "./draft-uploads.ts";
import type { UploadRecord } from "./upload-files.ts";

/** Lets the tus server work on the parts of the drafts. */
export class TusStore extends DataStore {
  readonly #uploads: DraftUploads;

  constructor(uploads: DraftUploads) {
    super();
    this.#uploads = uploads;
    this.extensions = ["creation", "creation-with-upload", "termination"];
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#uploads.create({ id: upload.id, bytes: upload.size ?? 0, metadata: upload.metadata ?? {} });
    return upload;
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    // A destroyed stream would be reported as an aborted request, in place of what the disk said.
    return this.#uploads.append(id, stream.iterator({ destroyOnReturn: false }), offset);
  }

  override async getUpload(id: string): Promise<Upload> {
    const { record, received } = await this.#uploads.find(id);
    return new Upload({ id, size: record.bytes, offset: received, metadata: metadataOf(record) });
  }

  override async remove(id: string): Promise<void> {
    await this.#uploads.remove(id);
  }

  override async declareUploadLength(): Promise<void> {
    throw new NereidError("UNSUPPORTED", "the length of an upload must be known when it begins");
  }
}

function metadataOf({ draft, path, expected }: UploadRecord): Record<string, string | null> {
  return { draft, path, ...(expected !== null && { sha256: expected }) };
}
