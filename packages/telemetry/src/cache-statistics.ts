const NS_PER_US = 1000;

/** Look-ups of the response cache for one model version; times in nanoseconds, and truncated to microseconds each. */
export class CacheStatistics {
  hits = 0;
  misses = 0;
  hitNs = 0;
  missNs = 0;
  hitUs = 0;
  missUs = 0;

  recordHit(lookupNs: number): void {
    this.hits += 1;
    this.hitNs += lookupNs;
    this.hitUs += Math.trunc(lookupNs / NS_PER_US);
  }

  /** The insertion that followed a miss, which is told once the look-up is over. */
  recordInsertion(ns: number): void {
    this.missNs += ns;
    this.missUs += Math.trunc(ns / NS_PER_US);
  }

  /** `ns` is the look-up. */
  recordMiss(ns: number): void {
    this.misses += 1;
    this.missNs += ns;
    this.missUs += Math.trunc(ns / NS_PER_US);
  }
}
