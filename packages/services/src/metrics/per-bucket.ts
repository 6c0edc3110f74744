import type { SecondBucket } from "@nereid/client";
import type { SeriesFilter } from "./series-filter.ts";

export interface PerBucket<Value> {
  /** What `compute` answers, or answered before for the same bucket and filter. */
  of(bucket: SecondBucket, filter: SeriesFilter, compute: () => Value): Value;
}

/**
 * Remembers what was worked out of a bucket for as long as the bucket is remembered, so that any number of viewers costs one
 * computation. `worthwhile` keeps out what callers can make up at will: models and versions that nothing was measured of.
 */
export function perBucket<Value>(worthwhile: (value: Value) => boolean): PerBucket<Value> {
  const known = new WeakMap<SecondBucket, Map<string, Value>>();
  return {
    of(bucket, filter, compute) {
      const key = `${filter.version ?? "*"}/${filter.model}`;
      const values = known.get(bucket);
      const old = values?.get(key);
      if (old !== undefined) return old;
      const value = compute();
      if (!worthwhile(value)) return value;
      if (values === undefined) known.set(bucket, new Map([[key, value]]));
      else values.set(key, value);
      return value;
    },
  };
}
