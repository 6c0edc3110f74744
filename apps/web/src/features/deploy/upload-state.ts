/** One file on its way to the server. */
export interface UploadState {
  /** As it lay in what was dropped. */
  readonly path: string;
  readonly bytes: number;
  readonly status:
    | { readonly kind: "waiting" }
    | { readonly kind: "hashing"; readonly bytes: number }
    | { readonly kind: "sending" }
    | { readonly kind: "paused" }
    /** The server has a part of it, and this page no file to go on with. */
    | { readonly kind: "interrupted" }
    | { readonly kind: "retrying"; readonly message: string }
    /** `verified`: by the checksum that was told at the beginning. */
    | { readonly kind: "done"; readonly verified: boolean }
    | { readonly kind: "failed"; readonly message: string };
  /** Bytes that the server has. */
  readonly sent: number;
}

/** A reading of how much was sent in all. */
export interface ProgressSample {
  readonly atMs: number;
  readonly sent: number;
}

export interface TotalProgress {
  readonly sent: number;
  readonly bytes: number;
  /** Bytes a second over the last samples; null while there is nothing to tell from. */
  readonly speed: number | null;
  readonly secondsLeft: number | null;
}

const WINDOW_MS = 8_000;

/** Sums and speed over all files. Pure. */
export function totalProgress(uploads: readonly UploadState[], samples: readonly ProgressSample[]): TotalProgress {
  const bytes = uploads.reduce((sum, upload) => sum + upload.bytes, 0);
  const sent = uploads.reduce((sum, upload) => sum + upload.sent, 0);
  const first = samples[0];
  const last = samples.at(-1);
  const seconds = first === undefined || last === undefined ? 0 : (last.atMs - first.atMs) / 1000;
  const speed = first === undefined || last === undefined || seconds < 0.5 ? null : (last.sent - first.sent) / seconds;
  const secondsLeft = speed === null || speed <= 0 ? null : Math.ceil((bytes - sent) / speed);
  return { sent, bytes, speed: speed !== null && speed > 0 ? speed : null, secondsLeft };
}

/** The samples of the last seconds with a new one. Pure. */
export function withSample(samples: readonly ProgressSample[], sample: ProgressSample): readonly ProgressSample[] {
  return [...samples.filter(({ atMs }) => atMs > sample.atMs - WINDOW_MS), sample];
}

/** Whether every file is with the server. */
export function allDone(uploads: readonly UploadState[]): boolean {
  return uploads.length > 0 && uploads.every(({ status }) => status.kind === "done");
}

/** Whether leaving the page would cut something off. */
export function isUnderWay(uploads: readonly UploadState[]): boolean {
  return uploads.some(({ status }) => ["hashing", "sending", "retrying", "waiting"].includes(status.kind));
}

/** What a status means, in words. */
export function statusText({ status, bytes }: UploadState): string {
  switch (status.kind) {
    case "waiting":
      return "waits for its turn";
    case "hashing":
      return bytes === 0
        ? "computing the checksum"
        : `computing the checksum, ${Math.floor((status.bytes / bytes) * 100)} %`;
    case "sending":
      return "sending";
    case "paused":
      return "paused";
    case "interrupted":
      return "interrupted; choose the same file again to go on";
    case "retrying":
      return `trying again: ${status.message}`;
    case "done":
      return status.verified ? "received and verified" : "received";
    case "failed":
      return status.message;
  }
}
