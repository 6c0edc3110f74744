import { LatencyWindow } from "./latency-window.ts";
import { PHASES, type Phase } from "./phase-durations.ts";
import type { PhaseSeries } from "./phase-series.ts";

type Windows = Readonly<Record<Phase, LatencyWindow>>;

/** The sliding windows behind the summary families; those of series that are gone go with them. */
export class SummaryWindows {
  readonly #windows = new WeakMap<PhaseSeries, Windows>();

  of(series: PhaseSeries): Windows {
    let windows = this.#windows.get(series);
    if (windows === undefined) {
      windows = Object.fromEntries(
        PHASES.map((phase) => [phase, new LatencyWindow(series.histograms[phase])]),
      ) as unknown as Windows;
      this.#windows.set(series, windows);
    }
    return windows;
  }

  /** To be called every `WINDOW_STEP_MS` with all series there are. */
  step(all: Iterable<PhaseSeries>): void {
    for (const series of all) {
      const windows = this.of(series);
      for (const phase of PHASES) windows[phase].step();
    }
  }
}
