import type { Datatype, ParameterValue, SharedMemoryReference, TensorValues } from "@nereid/protocol";

export interface NereidClientOptions {
  /** Address of the V2 HTTP port, e.g. `http://127.0.0.1:8000`. */
  readonly baseUrl: string;
  /** Full address of the metrics page; default: same host, port 8002, `/metrics`. */
  readonly metricsUrl?: string;
  /** Sent as `Authorization: Bearer …` on every call. */
  readonly apiKey?: string;
  /** Extra headers of every call (e.g. the key of a restricted API). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for a whole call; 0 = no limit; default 30 000. Loads and inference: see `CallOptions`. */
  readonly timeoutMs?: number;
  /** Bytes of an answer that are read, unpacked; a longer one is cut off and is UNAVAILABLE. Default: no limit. Streams have none. */
  readonly maxAnswerBytes?: number;
  /**
   * How often a call is tried again, with a growing pause, where that is safe: calls that change nothing, and any call whose
   * connection was refused. Default 0.
   */
  readonly retries?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits before reconnect number `attempt` (1, 2, …); default 250 ms doubling up to 10 s. Must reject or return on abort. */
  readonly backoff?: (attempt: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Overrides the client's limit for this call; 0 = none. */
  readonly timeoutMs?: number;
}

export interface VersionOptions extends CallOptions {
  /** Model version, digits; absent = the server's choice. */
  readonly version?: string;
}

export interface RepositoryIndexOptions extends CallOptions {
  /** Only READY versions. */
  readonly ready?: boolean;
}

export interface LoadModelOptions extends CallOptions {
  /** Model configuration as JSON text, or an object that is turned into it. */
  readonly config?: string | Readonly<Record<string, unknown>>;
  /** Content by `<version>/<path>`; needs `config`. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

export interface UnloadModelOptions extends CallOptions {
  readonly unloadDependents?: boolean;
}

export interface BucketStreamOptions {
  /** Only buckets later than this Unix second. */
  readonly after?: number;
  /** Only the series of this model. */
  readonly model?: string;
  /** Ends the stream quietly when aborted. */
  readonly signal?: AbortSignal;
  /** Reconnect after this many milliseconds without a byte; default 15 000. */
  readonly idleTimeoutMs?: number;
}

interface InputHead {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

interface InputWithData extends InputHead {
  /** Values, or (any ArrayBufferView) the little-endian bytes as they are. */
  readonly data: TensorValues;
  /** Send as JSON instead of as a binary blob. */
  readonly json?: boolean;
  readonly sharedMemory?: never;
}

interface InputInSharedMemory extends InputHead {
  /** Window of a registered region that holds the little-endian bytes. */
  readonly sharedMemory: SharedMemoryReference;
  readonly data?: never;
  readonly json?: never;
}

/** One input of a call: its values, or where they lie. */
export type InferCallInput = InputWithData | InputInSharedMemory;

export interface InferCallOutput {
  readonly name: string;
  /** Default true. */
  readonly binary?: boolean;
  readonly classification?: number;
  /** Window of a registered region that the server writes the output to; the answer then has no bytes of it. */
  readonly sharedMemory?: SharedMemoryReference;
}

export interface InferCall {
  readonly id?: string;
  readonly inputs: readonly InferCallInput[];
  /** Absent or empty = all outputs, binary. */
  readonly outputs?: readonly InferCallOutput[];
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly sequence?: { readonly id: bigint | string; readonly start?: boolean; readonly end?: boolean };
  readonly priority?: number | bigint;
  readonly timeoutMicroseconds?: number | bigint;
}

export type Compression = "identity" | "gzip" | "deflate";

export interface InferOptions extends VersionOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Told the headers of the answer (HTTP only). */
  readonly onHeaders?: (headers: Headers) => void;
  /** How the request's body is packed; default identity. */
  readonly requestCompression?: Compression;
  /** What the server may pack the answer with; default identity. */
  readonly responseCompression?: Compression;
}
