import { LatencyHistogram } from "@nereid/telemetry";
import type { Comparison, Difference } from "./compare-outputs.ts";

/** Why a request that was chosen was not mirrored, or not compared. */
export const DROP_REASONS = [
  "primary-busy",
  "target-not-ready",
  "target-busy",
  "memory",
  "too-large",
  "behind",
  "unsupported",
] as const;

export type DropReason = (typeof DROP_REASONS)[number];

/** A request whose two answers differ. */
export interface Disagreement extends Difference {
  readonly requestId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly agreed: boolean;
  readonly inputs: readonly InputSummary[];
}

/** An input with its first elements, for people. */
export interface InputSummary {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly first: readonly (number | string | boolean)[];
}

/** Milliseconds in the queue and in the model. */
export interface ShadowLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface TallyStatus {
  /** Requests that were given to the target. */
  readonly mirrored: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
  readonly failed: number;
  readonly lastFailure: string;
  readonly compared: number;
  readonly agreed: number;
  readonly maxAbsolute: number;
  readonly maxRelative: number;
  readonly top1: { readonly same: number; readonly of: number };
  /** Of requests that were mirrored; null as long as there is none. */
  readonly latency: { readonly primary: ShadowLatency | null; readonly shadow: ShadowLatency | null };
  /** Those that differ most, the worst first. */
  readonly worst: readonly Disagreement[];
}

/** What came of the requests that were mirrored. */
export class ShadowTally {
  readonly #keepWorst: number;
  readonly #dropped = new Map<DropReason, number>();
  readonly #primary = new LatencyHistogram();
  readonly #shadow = new LatencyHistogram();
  #mirrored = 0;
  #failed = 0;
  #lastFailure = "";
  #compared = 0;
  #agreed = 0;
  #maxAbsolute = 0;
  #maxRelative = 0;
  #same = 0;
  #of = 0;
  #worst: readonly Disagreement[] = [];

  constructor(keepWorst: number) {
    this.#keepWorst = keepWorst;
  }

  drop(reason: DropReason): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1);
  }

  mirrored(primaryNs: number): void {
    this.#mirrored += 1;
    this.#primary.record(primaryNs);
  }

  answered(shadowNs: number): void {
    this.#shadow.record(shadowNs);
  }

  failed(why: string): void {
    this.#failed += 1;
    this.#lastFailure = why;
  }

  /** `describe` is asked only where the difference is kept. */
  compared(comparison: Comparison, describe: () => Pick<Disagreement, "requestId" | "at" | "inputs">): void {
    const { agreed, maxAbsolute, maxRelative, top1, worst } = comparison;
    this.#compared += 1;
    if (agreed) this.#agreed += 1;
    this.#maxAbsolute = Math.max(this.#maxAbsolute, maxAbsolute);
    this.#maxRelative = Math.max(this.#maxRelative, maxRelative);
    this.#same += top1.same;
    this.#of += top1.of;
    const last = this.#worst.at(-1);
    if (worst === undefined || this.#keepWorst === 0) return;
    if (last !== undefined && this.#worst.length >= this.#keepWorst && distanceOf(last) >= distanceOf(worst)) return;
    this.#worst = [...this.#worst, { ...describe(), ...worst, agreed }]
      .toSorted((a, b) => distanceOf(b) - distanceOf(a))
      .slice(0, this.#keepWorst);
  }

  status(): TallyStatus {
    const dropped = Object.fromEntries(DROP_REASONS.map((reason) => [reason, this.#dropped.get(reason) ?? 0]));
    return {
      mirrored: this.#mirrored,
      dropped: dropped as Record<DropReason, number>,
      failed: this.#failed,
      lastFailure: this.#lastFailure,
      compared: this.#compared,
      agreed: this.#agreed,
      maxAbsolute: this.#maxAbsolute,
      maxRelative: this.#maxRelative,
      top1: { same: this.#same, of: this.#of },
      latency: { primary: latencyOf(this.#primary), shadow: latencyOf(this.#shadow) },
      worst: this.#worst,
    };
  }
}

/** Finite, so that two that have no number are equal; NaN would be no order. */
function distanceOf({ absolute }: Pick<Difference, "absolute">): number {
  return absolute ?? Number.MAX_VALUE;
}

function latencyOf(histogram: LatencyHistogram): ShadowLatency | null {
  const [p50, p99] = [histogram.quantile(0.5), histogram.quantile(0.99)];
  return p50 === undefined || p99 === undefined ? null : { p50Ms: p50 / 1e6, p99Ms: p99 / 1e6 };
}
