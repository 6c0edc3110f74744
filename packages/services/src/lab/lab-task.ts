/** What the lab does: load on a model, a search for better settings, variants against each other. */
export const LAB_KINDS = ["load-test", "tuning", "experiment"] as const;

export type LabKind = (typeof LAB_KINDS)[number];

/** Plain data, as records and messages between processes carry it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The server that a task works on. */
export interface LabTarget {
  /** Base address of its V2 HTTP port, without a slash at the end. */
  readonly httpUrl: string;
  /** Address of its gRPC port, https for TLS; null = it has none, or did not say. */
  readonly grpcUrl: string | null;
  /** Of every request, such as the key of its management API. */
  readonly headers: Readonly<Record<string, string>>;
  /** False = a Triton server. */
  readonly nereid: boolean;
}

/** A job as the process that does it gets it. */
export interface LabTask {
  readonly id: string;
  readonly kind: LabKind;
  /** As it was asked for, in the form of its kind. */
  readonly spec: Json;
  readonly model: string;
  /** What an earlier process had, to go on from; null = from the beginning. */
  readonly checkpoint: Json | null;
  readonly target: LabTarget;
}

/** How a task hears that it is to stop, and tells how it stands. */
export interface LabIo {
  readonly signal: AbortSignal;
  /** How it stands: an object in which `says` (a line) and `share` (0…1) are shown in lists. Told as often as one likes, kept once a second. */
  progress(value: Json): void;
  /** From where another process can go on; kept at once. */
  checkpoint(value: Json): void;
}

/** Where the work of tasks is done: in a process of its own. */
export interface LabWorker {
  /**
   * Answers the result, an object whose `says` is a line about it. Rejects with what went wrong. Once the signal is aborted it settles
   * within seconds, also with a result: what was measured so far.
   */
  run(task: LabTask, io: LabIo): Promise<Json>;
}

/** Any value without functions and cycles as plain data: what JSON does not have is left out. */
export function toJson(value: unknown): Json {
  // JSON.parse answers any; it has made nothing else.
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}

/** What the process of a task is told. */
export type ToLab = { readonly kind: "start"; readonly task: LabTask } | { readonly kind: "stop" };

/** What it tells. After the last two it ends. */
export type FromLab =
  | { readonly kind: "progress" | "checkpoint" | "result"; readonly value: Json }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly fix: string | null };

/** Milliseconds that a task has to end once it is told to; then its process is killed. */
export const LAB_GRACE_MS = 10_000;
