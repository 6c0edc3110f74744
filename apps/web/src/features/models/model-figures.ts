import type { ModelSummary } from "@nereid/services";
import { formatDuration, formatNumber, formatShare } from "@nereid/ui";

export interface ModelFigures {
  readonly requests: string;
  readonly errors: string;
  readonly errorsAlarming: boolean;
  readonly p99: string;
  readonly batch: string;
  readonly queueShare: string;
  readonly pending: string;
}

/**
 * Figures of a model as text. `live` tells whether the stream has begun: a loaded model without a summary then has no
 * traffic, which is a fact, while before that nothing is known.
 */
export function modelFigures(
  summary: ModelSummary | undefined,
  { live, loaded }: { live: boolean; loaded: boolean },
): ModelFigures {
  if (summary === undefined) {
    const quiet = live && loaded ? "0" : "–";
    return {
      requests: quiet,
      errors: "–",
      errorsAlarming: false,
      p99: "–",
      batch: "–",
      queueShare: "–",
      pending: quiet,
    };
  }
  return {
    requests: formatNumber(summary.requestsPerSecond),
    errors: formatShare(summary.failureShare),
    errorsAlarming: (summary.failureShare ?? 0) > 0,
    p99: formatDuration(summary.p99),
    batch: formatNumber(summary.meanBatch),
    queueShare: formatShare(summary.queueShare),
    pending: formatNumber(summary.pending),
  };
}
