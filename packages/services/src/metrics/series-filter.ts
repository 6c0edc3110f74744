import type { SecondBucket, SeriesBucket } from "@nereid/client";

export interface SeriesFilter {
  readonly model: string;
  /** One version; all of the model's versions when it is absent. */
  readonly version?: string | undefined;
}

/** The series of a bucket that a filter means. */
export function seriesIn(bucket: SecondBucket, filter: SeriesFilter): SeriesBucket[] {
  return bucket.series.filter(
    (one) => one.model === filter.model && (filter.version === undefined || one.version === filter.version),
  );
}
