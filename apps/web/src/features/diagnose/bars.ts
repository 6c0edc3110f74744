import type { DiagnosisReport } from "@nereid/services";

export type Bars = DiagnosisReport["bars"];
export type BarKey = keyof Bars;

export interface BarWords {
  readonly label: string;
  readonly unit: "requests" | "%" | "times" | "ms" | "correlation";
  readonly standard: number;
  readonly min: number;
  readonly max: number;
  /** Where the number comes from. */
  readonly why: string;
}

const share = (label: string, standard: number, why: string): BarWords => ({
  label,
  unit: "%",
  standard,
  min: 0,
  max: 1,
  why,
});
const MOST = 1_000_000_000;

/** Every bar as people read it. Shares are kept as 0 to 1 and shown in per cent. */
export const BARS: Readonly<Record<BarKey, BarWords>> = {
  minRequests: {
    label: "Requests for a p99",
    unit: "requests",
    standard: 200,
    min: 1,
    max: MOST,
    why: "The 99th percentile of 200 requests rests on two of them; fewer say nothing.",
  },
  failureShare: share("Failures come first from", 0.01, "The error budget of an objective of 99 %."),
  sliceShare: share("One slice explains the slow requests from", 0.6, "More than half, with room for chance."),
  sliceLift: {
    label: "More often among the slow",
    unit: "times",
    standard: 1.5,
    min: 1,
    max: MOST,
    why: "Half as often again as among all requests: otherwise the slice is only large.",
  },
  busyShare: share("Instances are saturated from", 0.85, "Waiting times grow steeply beyond it in any queue."),
  clientShare: share("The client takes the time from", 0.5, "More than half of the request’s whole way."),
  closedShare: share("Batches closed for one reason from", 0.5, "More than half of them."),
  cpuShare: share("Processors are short from", 0.85, "As with instances: threads wait for cores beyond it."),
  gpuShare: share("The GPU is busy from", 0.8, "Utilisation counts any kernel, so a full GPU seldom says 100 %."),
  gpuLowShare: share("The device is idle below", 0.4, "Half of what counts as busy."),
  memoryShare: share("Memory is short from", 0.92, "Allocations begin to fail, or the system to swap, soon after."),
  correlation: {
    label: "Two things go together from",
    unit: "correlation",
    standard: 0.5,
    min: 0,
    max: 1,
    why: "Explains a quarter of the ups and downs; −1 to 1, where 0 is chance.",
  },
  eventLoopLagMs: {
    label: "The server lags from",
    unit: "ms",
    standard: 50,
    min: 0,
    max: MOST,
    why: "Longer than most requests take altogether.",
  },
};

// The record above has exactly the keys of the type.
export const BAR_KEYS = Object.keys(BARS) as BarKey[];

function isBarKey(text: string): text is BarKey {
  return Object.hasOwn(BARS, text);
}

/** The bars of an address, `name:value,name:value`; what is no bar, out of its bounds or as usual is left out. Pure. */
export function readBars(text: string): Partial<Bars> {
  const bars: Partial<Record<BarKey, number>> = {};
  for (const part of text.split(",")) {
    const [key = "", told = "", ...rest] = part.split(":");
    if (!isBarKey(key) || told.trim() === "" || rest.length > 0) continue;
    const value = Number(told);
    const { min, max, standard } = BARS[key];
    if (Number.isFinite(value) && value >= min && value <= max && value !== standard) bars[key] = value;
  }
  return bars;
}

/** The way back; empty where all are as usual. Pure. */
export function barsText(bars: Partial<Bars>): string {
  return BAR_KEYS.flatMap((key) => {
    const value = bars[key];
    return value === undefined || value === BARS[key].standard ? [] : [`${key}:${value}`];
  }).join(",");
}

/** A bar's number as it is shown, and back: shares in per cent. Pure. */
export function shownBar(key: BarKey, value: number): number {
  return BARS[key].unit === "%" ? Number((value * 100).toFixed(6)) : value;
}
export function keptBar(key: BarKey, shown: number): number {
  return BARS[key].unit === "%" ? Number((shown / 100).toFixed(8)) : shown;
}
