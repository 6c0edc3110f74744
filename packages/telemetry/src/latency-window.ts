import { bucketBoundsNs } from "./latency-buckets.ts";
import type { HistogramSnapshot, LatencyHistogram } from "./latency-histogram.ts";

/** As in the Prometheus client that Triton uses: a minute, in five steps. */
const STEPS = 5;
export const WINDOW_STEP_MS = 12_000;

/**
 * Quantiles of the last minute of a histogram that only grows: the difference to what it was then. Nothing is done for an
 * observation; the owner calls `step` every 12 s, so the window is 48 to 60 s long.
 */
export class LatencyWindow {
  readonly #histogram: LatencyHistogram;
  /** Oldest first; undefined = empty. */
  #past: (HistogramSnapshot | undefined)[] = [undefined];

  constructor(histogram: LatencyHistogram) {
    this.#histogram = histogram;
  }

  step(): void {
    this.#past.push(this.#histogram.snapshot());
    if (this.#past.length > STEPS) this.#past.shift();
  }

  /** Quantiles in ns, each within a bucket's width (3.2 %) of the exact one; NaN where nothing was observed. */
  quantiles(qs: readonly number[]): readonly number[] {
    const delta = this.#histogram.since(this.#past[0]);
    const total = delta.counts.reduce((sum, count) => sum + count, 0);
    return qs.map((q) => (total === 0 ? Number.NaN : quantile(delta, q * total)));
  }
}

/** The value at a rank, interpolated inside its bucket; as `quantileFromSparse`, without making lists of pairs. */
function quantile({ indices, counts }: HistogramSnapshot, rank: number): number {
  let before = 0;
  for (let at = 0; at < indices.length; at += 1) {
    const count = counts[at] ?? 0;
    if (rank <= before + count || at === indices.length - 1) {
      const { lower, upper } = bucketBoundsNs(indices[at] ?? 0);
      const share = Math.min(1, (rank - before) / count);
      return upper === Number.POSITIVE_INFINITY ? lower : lower + (upper - lower) * share;
    }
    before += count;
  }
  return Number.NaN;
}
