import type { Logger } from "pino";

/** One request that was answered. */
export interface AccessEntry {
  readonly protocol: "http" | "grpc";
  /** `POST /v2/models/m/infer`, or the rpc: `ModelInfer`. */
  readonly operation: string;
  readonly peer: string | undefined;
  readonly model?: string;
  readonly version?: string;
  readonly requestId?: string;
  /** HTTP status, or gRPC code as text: `NOT_FOUND`. */
  readonly status: number | string;
  readonly durationMs: number;
  /** Of an inference: how long it waited, and how long its batch took. */
  readonly queueMs?: number;
  readonly computeMs?: number;
}

/** Longest text of a client's in a line, in characters. */
const LONGEST = 256;

/**
 * Writes one line a request; made only where that is asked for. It is an information line: `log_info` switches it off and on while
 * the server runs. Texts of clients are cut, and the log escapes what is not to be shown as it is.
 */
export class AccessLog {
  readonly #log: Logger;
  readonly #onEntry: ((entry: AccessEntry) => void) | undefined;

  /** `onEntry` is told of every request too, with the texts as clients sent them. */
  constructor(log: Logger, onEntry?: (entry: AccessEntry) => void) {
    this.#log = log;
    this.#onEntry = onEntry;
  }

  write(entry: AccessEntry): void {
    if (!this.#log.isLevelEnabled("info")) return;
    this.#onEntry?.(entry);
    const { protocol, operation, peer, model, version, requestId, status, durationMs, queueMs, computeMs } = entry;
    this.#log.info(
      {
        protocol,
        operation: cut(operation),
        peer,
        ...(model !== undefined && { model: cut(model) }),
        ...(version !== undefined && { version: cut(version) }),
        ...(requestId !== undefined && { requestId: cut(requestId) }),
        status,
        durationMs: rounded(durationMs),
        ...(queueMs !== undefined && { queueMs: rounded(queueMs) }),
        ...(computeMs !== undefined && { computeMs: rounded(computeMs) }),
      },
      "access",
    );
  }
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
