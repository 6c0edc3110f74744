import type { TuningProgress, TuningResult } from "@nereid/perf/tuner";
import type { LabJobView } from "@nereid/services";

/** A tuning's job with what it tells by now. */
export interface TuningTold {
  readonly progress: TuningProgress | null;
  readonly result: TuningResult | null;
}

/** What the process of a tuning wrote; null for what is not there, or was written by a release that says it otherwise. Pure. */
export function readTuning({ progress, result }: Pick<LabJobView, "progress" | "result">): TuningTold {
  return {
    progress: isOurs(progress) ? (progress as unknown as TuningProgress) : null,
    result: isOurs(result) ? (result as unknown as TuningResult) : null,
  };
}

function isOurs(value: unknown): value is { readonly version: 1; readonly points: readonly unknown[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    value.version === 1 &&
    "points" in value &&
    Array.isArray(value.points)
  );
}
