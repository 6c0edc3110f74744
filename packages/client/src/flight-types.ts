import type { ErrorCode } from "@nereid/errors";

/** Why a request was remembered. */
export type FlightCause = "sampled" | "slow" | "failed";

/** Which of the remembered requests are wanted; all that is given must fit. */
export interface FlightQuery {
  /** The client's own id. */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  readonly cause?: FlightCause | undefined;
  /** Those that ended in this stretch of time, Unix seconds; `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Those that took so many milliseconds or longer, and less than so many. */
  readonly slowerMs?: number | undefined;
  readonly fasterMs?: number | undefined;
  /** Default: newest. */
  readonly order?: "newest" | "slowest" | undefined;
  /** At most so many, 1 to 500; default 50. */
  readonly limit?: number | undefined;
}

/** What happened to one request. Durations are nanoseconds. */
export interface FlightRecord {
  /** Of the server, ascending. */
  readonly serial: number;
  /** The client's id; empty when it gave none. */
  readonly id: string;
  readonly model: string;
  readonly version: string;
  readonly causes: readonly FlightCause[];
  /** When it was queued, Unix milliseconds. */
  readonly atMs: number;
  readonly outcome: "answered" | "failed";
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  readonly totalNs: number;
  /** `position` counts the requests that waited before it when it came. */
  readonly queue: { readonly position: number; readonly waitedNs: number; readonly priority: number };
  readonly batch?: {
    readonly serial: number;
    /** Requests in it, and their sizes together. */
    readonly requests: number;
    readonly size: number;
    readonly reason: string;
    readonly leftWaiting: number;
    /** The first of its size and shape since the version was loaded. */
    readonly first?: boolean;
    /** Ids, or `#serial` of those without one, of the others in it; at most 16. */
    readonly mates: readonly string[];
  };
  readonly instance?: { readonly name: string; readonly device: number };
  readonly phases?: { readonly inputNs: number; readonly inferNs: number; readonly outputNs: number };
  /** `copied`: of the inputs, what did not lie in shared memory already. */
  readonly bytes: { readonly input: number; readonly output: number; readonly copied: number };
  /** Sequence id as text, where it had one. */
  readonly sequence?: string;
  readonly shapes: readonly { readonly name: string; readonly shape: readonly number[] }[];
  /** Answered from the response cache. */
  readonly cached?: boolean;
  /** Steps of an ensemble, in the order they began; `startedNs` after the ensemble's own start. */
  readonly steps?: readonly {
    readonly model: string;
    readonly version: string;
    readonly startedNs: number;
    readonly queueNs: number;
    readonly computeNs: number;
    readonly copiedBytes: number;
  }[];
  /** From the head of the request to the end of its body. */
  readonly receiveNs?: number;
  /** Encoding and handing the answer to the socket. */
  readonly writeNs?: number;
}
