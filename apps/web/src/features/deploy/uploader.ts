import { DetailedError, Upload } from "tus-js-client";
import { nodeOfSearch } from "../nodes/chosen-node.ts";
import { hashFile } from "./hash-file.ts";
import type { UploadState } from "./upload-state.ts";

/** One request's worth: below every limit on the way, and little to send again after a break. */
const CHUNK_BYTES = 16 << 20;
const ENDPOINT = "/api/v1/uploads";

export interface UploadTask {
  readonly draft: string;
  readonly path: string;
  readonly file: File;
  /** Address of an upload that was begun before; undefined for a new one. */
  readonly uploadUrl?: string;
  /** Checksum the server was told at the beginning, where the upload was begun before. */
  readonly expectedSha256?: string;
}

export interface RunningUpload {
  pause(): void;
  resume(): void;
  /** Stops and lets the server forget what it has. */
  cancel(): void;
}

/** Hashes and sends one file. `onChange` gets every change of its state. */
export function startUpload(task: UploadTask, onChange: (change: Partial<UploadState>) => void): RunningUpload {
  const stopped = new AbortController();
  let upload: Upload | undefined;
  let paused = false;
  // The draft lies on the node that the page is about now; it may be about another one before the file is sent.
  const node = nodeOfSearch(window.location.search);
  const failed = (message: string) => onChange({ status: { kind: "failed", message } });

  const send = (sha256: string) => {
    upload = new Upload(task.file, {
      endpoint: ENDPOINT,
      ...(node !== null && { headers: { "x-nereid-node": node } }),
      ...(task.uploadUrl !== undefined && { uploadUrl: task.uploadUrl }),
      chunkSize: CHUNK_BYTES,
      retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 10_000],
      metadata: { draft: task.draft, path: task.path, sha256 },
      // What was begun is known from the draft itself; nothing needs to be kept in the browser.
      storeFingerprintForResuming: false,
      onShouldRetry: (error) => {
        const status = statusOf(error);
        const retry = status === undefined || status >= 500 || status === 423 || status === 409;
        if (retry) onChange({ status: { kind: "retrying", message: "the connection broke" } });
        return retry;
      },
      onProgress: (sent) => onChange({ sent, status: { kind: "sending" } }),
      onSuccess: () => onChange({ sent: task.file.size, status: { kind: "done", verified: true } }),
      onError: (error) => failed(messageOf(error)),
    });
    if (!paused) upload.start();
  };

  onChange({ status: { kind: "hashing", bytes: 0 } });
  hashFile(task.file, {
    signal: stopped.signal,
    onProgress: (bytes) => {
      if (!paused) onChange({ status: { kind: "hashing", bytes } });
    },
  }).then(
    (sha256) => {
      if (task.expectedSha256 !== undefined && task.expectedSha256 !== sha256)
        failed("this is another file than the one whose upload was begun; choose that one, or discard the draft");
      else send(sha256);
    },
    (error: unknown) => {
      if (!stopped.signal.aborted) failed(error instanceof Error ? error.message : String(error));
    },
  );

  return {
    pause() {
      paused = true;
      void upload?.abort();
      onChange({ status: { kind: "paused" } });
    },
    resume() {
      paused = false;
      onChange({ status: { kind: "sending" } });
      upload?.start();
    },
    cancel() {
      stopped.abort();
      void upload?.abort(true).catch(() => undefined);
    },
  };
}

function statusOf(error: Error): number | undefined {
  return error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined;
}

/** What the server said, in its own words where it said something. */
function messageOf(error: Error): string {
  const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined;
  if (body === undefined || body === "") return "the server cannot be reached; the upload can be resumed";
  try {
    const parsed: { readonly detail?: unknown; readonly error?: unknown } = JSON.parse(body);
    const said = parsed.detail ?? parsed.error;
    return typeof said === "string" ? said : body;
  } catch {
    return body;
  }
}
