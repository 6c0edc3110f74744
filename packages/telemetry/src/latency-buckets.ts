/**
 * Log-linear bucket layout for durations in nanoseconds: 32 sub-buckets per octave, so a bucket is at most 1/32
 * (3.125 %) of its lower bound wide. 0…31 ns have a bucket each; the last bucket collects 2^43 ns (2.4 h) and more.
 * Pure and free of node imports: dashboards use it on the sparse form.
 */
const SUB_BITS = 5;
const SUB_BUCKETS = 2 ** SUB_BITS;
const LAST_OCTAVE = 42;
const LIMIT_NS = 2 ** (LAST_OCTAVE + 1);
const WORD = 2 ** 32;
const SHIFT = 11;
const SHIFT_FACTOR = 2 ** SHIFT;

/** Number of buckets, the overflow bucket included. */
export const BUCKET_COUNT = (LAST_OCTAVE - SUB_BITS + 2) * SUB_BUCKETS + 1;

/** Index of the overflow bucket. */
export const OVERFLOW_INDEX = BUCKET_COUNT - 1;

/** Bucket of a duration in nanoseconds. Fractions are cut off; negative numbers and NaN count as 0. */
export function bucketIndex(ns: number): number {
  if (!(ns >= SUB_BUCKETS)) return ns > 0 ? ns | 0 : 0;
  if (ns >= LIMIT_NS) return OVERFLOW_INDEX;
  // Math.clz32 knows 32 bits; longer durations lose their low 11 bits first, which no bucket boundary up there needs.
  if (ns < WORD) return indexOfWord(ns >>> 0, 0);
  return indexOfWord((ns / SHIFT_FACTOR) >>> 0, SHIFT);
}

function indexOfWord(word: number, shift: number): number {
  const top = 31 - Math.clz32(word);
  const sub = (word >>> (top - SUB_BITS)) & (SUB_BUCKETS - 1);
  return (top + shift - SUB_BITS + 1) * SUB_BUCKETS + sub;
}

export interface BucketBounds {
  /** First value in the bucket, ns. */
  readonly lower: number;
  /** First value above the bucket, ns; Infinity for the overflow bucket. */
  readonly upper: number;
}

/** Bounds of a bucket in nanoseconds. Throws RangeError for an index outside 0…OVERFLOW_INDEX. */
export function bucketBoundsNs(index: number): BucketBounds {
  if (!Number.isInteger(index) || index < 0 || index > OVERFLOW_INDEX) {
    throw new RangeError(`latency bucket index ${index} is outside 0…${OVERFLOW_INDEX}`);
  }
  if (index === OVERFLOW_INDEX) return { lower: LIMIT_NS, upper: Number.POSITIVE_INFINITY };
  if (index < SUB_BUCKETS) return { lower: index, upper: index + 1 };
  const octave = Math.floor(index / SUB_BUCKETS) - 1;
  const width = 2 ** octave;
  const lower = (SUB_BUCKETS + (index % SUB_BUCKETS)) * width;
  return { lower, upper: lower + width };
}
