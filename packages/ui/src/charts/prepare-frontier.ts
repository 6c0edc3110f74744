import { logScale, niceScale, type Scale } from "./nice-scale.ts";

/** A measured or expected point: how much, and how slow. */
export interface FrontierPoint {
  readonly id: string;
  /** Answers a second. */
  readonly throughput: number;
  /** Milliseconds, above 0. */
  readonly p99Ms: number;
  readonly measured: boolean;
}

export interface PlacedPoint extends FrontierPoint {
  /** From the left and from the top, 0 to 1. */
  readonly x: number;
  readonly y: number;
}

export interface PreparedFrontier {
  readonly points: readonly PlacedPoint[];
  /** Those that no other beats in both, from left to right. */
  readonly front: readonly PlacedPoint[];
  readonly throughput: Scale;
  readonly latency: Scale;
}

/** Where the points stand: throughput from 0, latency logarithmic. Points that took no time at all are left out. Pure. */
export function prepareFrontier(
  points: readonly FrontierPoint[],
  front: readonly string[],
  limitMs: number | null,
): PreparedFrontier {
  const shown = points.filter(({ p99Ms, throughput }) => p99Ms > 0 && Number.isFinite(p99Ms) && throughput >= 0);
  const latencies = [...shown.map(({ p99Ms }) => p99Ms), ...(limitMs === null ? [] : [limitMs])];
  const throughput = niceScale(Math.max(0, ...shown.map((point) => point.throughput)));
  const latency = logScale(Math.min(...latencies), Math.max(0, ...latencies));
  const placed = shown.map((point) => ({
    ...point,
    x: point.throughput / throughput.max,
    y: latencyPlace(latency, point.p99Ms),
  }));
  const byId = new Map(placed.map((point) => [point.id, point]));
  return {
    points: placed,
    front: front.flatMap((id) => byId.get(id) ?? []).toSorted((a, b) => a.x - b.x),
    throughput,
    latency,
  };
}

/** How far from the top a latency stands, 0 to 1. Pure. */
export function latencyPlace({ min = 0.1, max }: Scale, ms: number): number {
  const place = 1 - Math.log(ms / min) / Math.log(max / min);
  return Math.min(1, Math.max(0, place));
}

/** The latency at a height, with three digits. Pure. */
export function latencyAt({ min = 0.1, max }: Scale, y: number): number {
  const share = 1 - Math.min(1, Math.max(0, y));
  return Number((min * (max / min) ** share).toPrecision(3));
}

const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1.05,
  ArrowRight: 1.05,
  ArrowDown: 1 / 1.05,
  ArrowLeft: 1 / 1.05,
  PageUp: 1.5,
  PageDown: 1 / 1.5,
};

/** The limit after a key on its line; null for a key that does not move it. Pure. */
export function movedLimit(limitMs: number, key: string, { min = 0.1, max }: Scale): number | null {
  if (key === "Home") return min;
  if (key === "End") return max;
  const factor = KEYS[key];
  if (factor === undefined) return null;
  return Number(Math.min(max, Math.max(min, limitMs * factor)).toPrecision(3));
}
