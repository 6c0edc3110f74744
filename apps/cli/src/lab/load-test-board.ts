import { type LoadWindow, PointSeries } from "@nereid/perf";
import type { LoadTestProgress } from "@nereid/services/load-test-report";
import { type LoadTestSpec, levelsOf } from "@nereid/services/load-test-spec";
import { levelWords } from "./load-test-words.ts";

interface LevelNow {
  readonly level: number;
  /** Inferences a second that are due; null in a closed loop. */
  readonly offered: number | null;
}

/** How a load test stands, second by second. */
export class LoadTestBoard {
  readonly #spec: LoadTestSpec;
  readonly #series: PointSeries;
  readonly #startedMs: number;
  readonly #tell: (progress: LoadTestProgress) => void;
  #level: LevelNow = { level: 0, offered: null };
  #levelsDone = -1;
  #seconds = 0;

  constructor(
    spec: LoadTestSpec,
    { startedMs, tell }: { readonly startedMs: number; readonly tell: (progress: LoadTestProgress) => void },
  ) {
    this.#spec = spec;
    this.#series = new PointSeries(spec.batch);
    this.#startedMs = startedMs;
    this.#tell = tell;
  }

  begin(level: LevelNow): void {
    this.#level = level;
    this.#levelsDone += 1;
    this.#seconds = 0;
    this.#show("begins");
  }

  /** A second has passed; where it does not count, the load warms up. */
  second(window: LoadWindow, counts: boolean): void {
    const { goodWithinMs } = this.#spec;
    const t = (window.toMs - this.#startedMs) / 1000;
    this.#series.add({ ...this.#level, t, window, goodWithinMs: goodWithinMs ?? undefined });
    if (counts) this.#seconds += window.durationMs / 1000;
    const { load, duration } = this.#spec;
    const of = load.kind === "recorded" ? "" : ` of ${duration}`;
    this.#show(counts ? `${Math.round(this.#seconds)}${of} s` : "warms up");
  }

  #show(what: string): void {
    const { load, duration } = this.#spec;
    const { level } = this.#level;
    const whole = load.kind === "recorded" ? load.seconds / load.speed : duration;
    const inLevel = Math.min(1, this.#seconds / whole);
    // How far a ramp goes is what it is to find out.
    const share = load.kind === "knee" ? undefined : Math.min(1, (this.#levelsDone + inLevel) / levelsOf(load));
    this.#tell({
      says: `${levelWords(load, level)}: ${what}`,
      ...(share !== undefined && { share }),
      level,
      points: this.#series.points,
    });
  }
}
