import { fromWall, toWall } from "../format/time-zone.ts";

const STEPS = [1, 2, 2.5, 5, 10];

export interface Scale {
  /** 0 where it is absent. */
  readonly min?: number;
  readonly max: number;
  readonly ticks: number[];
}

/** A scale from 0 that holds `largest`, with about four round steps. */
export function niceScale(largest: number): Scale {
  if (!(largest > 0)) return { max: 1, ticks: [0, 0.25, 0.5, 0.75, 1] };
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const count = Math.ceil((largest * 0.999) / step);
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6))) };
}

/** A scale of bytes from 0 that holds `largest`, in two to four steps of a power of two: 256 MiB, 1 GiB. */
export function binaryScale(largest: number): Scale {
  if (!(largest > 0)) return { max: 1024, ticks: [0, 512, 1024] };
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(largest / 4) - 1e-9));
  const count = Math.ceil(largest / step);
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) };
}

/** A logarithmic scale of whole powers of ten around what is shown. */
export function logScale(smallest: number, largest: number): Scale {
  if (!(largest > 0)) return { min: 0.1, max: 10, ticks: [0.1, 1, 10] };
  const first = Math.floor(Math.log10(Math.min(smallest, largest)) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(largest) - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(`1e${first + i}`));
  return { min: ticks[0] ?? 0.1, max: ticks.at(-1) ?? 10, ticks };
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const TIME_STEPS = [
  ...[5, 10, 15, 30],
  ...[1, 2, 3, 5, 10, 15, 30].map((one) => one * MINUTE),
  ...[1, 2, 3, 6, 12].map((one) => one * HOUR),
  ...[1, 2, 5, 7, 14, 30, 60, 90].map((one) => one * DAY),
];

/** Ticks of a time axis at moments that are round on the reader's clock: about `wanted` of them between two Unix seconds. */
export function timeTicks(from: number, to: number, wanted: number): number[] {
  const step = TIME_STEPS.find((one) => (to - from) / one <= wanted) ?? 180 * DAY;
  const first = Math.ceil(toWall(from) / step) * step;
  const count = Math.max(0, Math.floor((toWall(to) - first) / step) + 1);
  const ticks = Array.from({ length: count }, (_, i) => fromWall(first + i * step));
  // Where the clock is put forward two of them may fall together.
  return [...new Set(ticks)].filter((t) => t >= from && t <= to);
}
