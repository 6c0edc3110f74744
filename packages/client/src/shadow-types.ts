/** Wire types of shadow traffic (`/nereid/v1/models/M/shadow`). */

export interface ShadowRequest {
  /** A version of the model, or `candidate/version`. */
  readonly target: string;
  /** Share of the requests that are mirrored: 0.1 to 100. */
  readonly percent: number;
  /** Default: those that name no version. */
  readonly requests?: "unversioned" | "all";
  /** Two numbers agree when |a − b| ≤ absolute + relative · |a|; default 0.00001 and 0.001. */
  readonly absolute?: number;
  readonly relative?: number;
  /** How many of the requests that differ most are kept: 0 to 50, default 10. */
  readonly keepWorst?: number;
}

export type ShadowDropReason =
  | "primary-busy"
  | "target-not-ready"
  | "target-busy"
  | "memory"
  | "too-large"
  | "behind"
  | "unsupported";

/** Milliseconds in the queue and in the model. */
export interface ShadowLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A request whose two answers differ, and the element that differs most. */
export interface ShadowDisagreement {
  readonly requestId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether it is within the tolerance. */
  readonly agreed: boolean;
  readonly output: string;
  /** Of the element, row-major; -1 where the outputs themselves are not alike. */
  readonly index: number;
  readonly primary: number | string | boolean | null;
  readonly shadow: number | string | boolean | null;
  /** Null where there is no number to tell. */
  readonly absolute: number | null;
  readonly relative: number | null;
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly number[];
    readonly first: readonly (number | string | boolean)[];
  }[];
}

export interface ShadowStatus extends Required<ShadowRequest> {
  /** ISO 8601; what is counted is counted since then. */
  readonly startedAt: string;
  /** Requests that were given to the target. */
  readonly mirrored: number;
  /** Chosen requests that were not, by reason. */
  readonly dropped: Readonly<Record<ShadowDropReason, number>>;
  readonly failed: number;
  readonly lastFailure: string;
  readonly compared: number;
  readonly agreed: number;
  readonly maxAbsolute: number;
  /** Of elements that are not 0. */
  readonly maxRelative: number;
  /** Vectors of numbers whose largest element is at the same place. */
  readonly top1: { readonly same: number; readonly of: number };
  /** Of the requests that were mirrored; null as long as there is none. */
  readonly latency: { readonly primary: ShadowLatency | null; readonly shadow: ShadowLatency | null };
  readonly worst: readonly ShadowDisagreement[];
}
