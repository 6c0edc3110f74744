/** What became of a request. Times are of the shared monotonic clock, in milliseconds. */
export interface Answer {
  readonly sentMs: number;
  /** First byte. */
  readonly firstMs: number;
  /** Last answer that was not empty; of a failure when it was known. */
  readonly endMs: number;
  /** Each answer that was not empty. */
  readonly responsesMs: readonly number[];
  readonly outputTokens: number;
  /** Why it failed; undefined = it was answered well. */
  readonly error: string | undefined;
}

/** Sends one request at a time. Never rejects: a failure is an answer. Connects when it must. */
export interface Lane {
  /** Connects ahead of the first request. Rejects when the server is not reached. */
  open(): Promise<void>;
  send(bytes: Uint8Array): Promise<Answer>;
  close(): void;
}
