import type { ErrorCode } from "@nereid/errors";
import type { BatchReason } from "../scheduler/request-scheduler.ts";

/** Why a request was remembered. */
export type FlightCause = "sampled" | "slow" | "failed";

/** What happened to one request, for people. Durations are nanoseconds. */
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
  readonly queue: {
    /** Requests that waited before it when it came. */
    readonly position: number;
    readonly waitedNs: number;
    readonly priority: number;
  };
  readonly batch?: FlightBatch;
  readonly instance?: { readonly name: string; readonly device: number };
  readonly phases?: { readonly inputNs: number; readonly inferNs: number; readonly outputNs: number };
  readonly bytes: {
    readonly input: number;
    readonly output: number;
    /** Bytes of inputs that had to be copied into shared memory; the others were used where they lay. */
    readonly copied: number;
  };
  /** Sequence id as text, where it had one. */
  readonly sequence?: string;
  readonly shapes: readonly { readonly name: string; readonly shape: readonly number[] }[];
  /** Answered from the response cache. */
  readonly cached?: boolean;
  /** Steps of an ensemble, in the order they began; their own records in short. */
  readonly steps?: readonly FlightStep[];
  /** From the head of the request to the end of its body. */
  receiveNs?: number;
  /** Encoding and handing the answer to the socket; filled when that is done. */
  writeNs?: number;
}

export interface FlightBatch {
  readonly serial: number;
  /** Requests in it, and their sizes together. */
  readonly requests: number;
  readonly size: number;
  readonly reason: BatchReason;
  readonly leftWaiting: number;
  /** The first of its size and shape since the version was loaded. */
  readonly first?: boolean;
  /** Ids, or `#serial` of those without one, of the others in it; at most 16. */
  readonly mates: readonly string[];
}

export interface FlightStep {
  readonly model: string;
  readonly version: string;
  /** After the ensemble's own start. */
  readonly startedNs: number;
  readonly queueNs: number;
  readonly computeNs: number;
  readonly copiedBytes: number;
}
