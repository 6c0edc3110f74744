import { goodputWithin, type TuningFigures, type TuningPoint, type TuningSetting } from "@nereid/perf/tuner";

/** What is known best of a point: measured, else simulated. */
export function figuresOf({ measured, simulated }: TuningPoint): TuningFigures | null {
  return measured ?? simulated;
}

/** Good answers a second of a point under a limit; null where nothing is known of it. */
export function goodputOf(point: TuningPoint, limitMs: number | null): number | null {
  const figures = figuresOf(point);
  return figures === null ? null : goodputWithin(figures, limitMs);
}

/** The measured point with the most good answers a second under this limit; of equals the quicker one. Null where nothing was measured. */
export function pickUnder(points: readonly TuningPoint[], limitMs: number | null): TuningPoint | null {
  let best: TuningPoint | null = null;
  let most = -1;
  for (const point of points) {
    const { measured } = point;
    if (measured === null) continue;
    const goodput = goodputWithin(measured, limitMs);
    const isQuicker = goodput === most && measured.p99Us < (best?.measured?.p99Us ?? 0);
    if (goodput > most || isQuicker) [best, most] = [point, goodput];
  }
  return best;
}

/** A setting in a line: "2 instances, batches of 8 within 500 µs". */
export function settingWords(setting: TuningSetting): string {
  const { instances, maxBatchSize, queueDelayUs, preferred, threads, accelerator } = setting;
  const batch =
    maxBatchSize === 0
      ? "no batches"
      : queueDelayUs === null
        ? `batches of ${maxBatchSize}, not put together`
        : `batches of ${maxBatchSize} within ${queueDelayUs} µs`;
  return [
    `${instances} ${instances === 1 ? "instance" : "instances"}`,
    batch,
    ...(preferred.length > 0 ? [`preferred ${preferred.join(", ")}`] : []),
    ...(threads === null ? [] : [`${threads} ${threads === 1 ? "thread" : "threads"}`]),
    ...(accelerator === null ? [] : [accelerator]),
  ].join(", ");
}
