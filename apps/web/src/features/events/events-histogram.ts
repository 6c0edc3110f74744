import type { ModelEvent } from "@nereid/services";
import { KIND_LOOKS } from "./kind-looks.ts";

export interface HistogramBin {
  /** Unix second at which it begins. */
  readonly from: number;
  readonly events: number;
  /** Of them those that nobody asked for. */
  readonly trouble: number;
}

export interface Histogram {
  readonly bins: readonly HistogramBin[];
  readonly widthSeconds: number;
  readonly largest: number;
  /** What a screen reader hears. */
  readonly summary: string;
}

const WIDTHS = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000];
const MOST_BINS = 60;

/** Events over a window of Unix seconds, in at most 61 bins of a round width. */
export function histogramOf(
  events: readonly Pick<ModelEvent, "t" | "kind">[],
  window: { from: number; to: number },
): Histogram {
  const span = Math.max(1, window.to - window.from);
  const width = WIDTHS.find((seconds) => span / seconds <= MOST_BINS) ?? Math.ceil(span / MOST_BINS);
  const start = Math.floor(window.from / width) * width;
  const count = Math.floor((window.to - start) / width) + 1;
  const bins = Array.from({ length: count }, (_, at) => ({ from: start + at * width, events: 0, trouble: 0 }));
  for (const { t, kind } of events) {
    const bin = bins[Math.floor((t - start) / width)];
    if (bin === undefined) continue;
    bin.events += 1;
    if (KIND_LOOKS[kind].trouble) bin.trouble += 1;
  }
  const trouble = bins.reduce((sum, bin) => sum + bin.trouble, 0);
  const all = bins.reduce((sum, bin) => sum + bin.events, 0);
  return {
    bins,
    widthSeconds: width,
    largest: Math.max(1, ...bins.map((bin) => bin.events)),
    summary: `${all} events, ${trouble} of them trouble that nobody asked for`,
  };
}
