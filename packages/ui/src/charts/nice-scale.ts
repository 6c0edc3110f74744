const STEPS = [1, 2, 2.5, 5, 10];

export interface Scale {
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

/** Ticks of a time axis at round moments: about `wanted` of them between two Unix seconds. */
export function timeTicks(from: number, to: number, wanted: number): number[] {
  const step = [5, 10, 15, 30, 60, 120, 180, 300].find((one) => (to - from) / one <= wanted) ?? 600;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}
