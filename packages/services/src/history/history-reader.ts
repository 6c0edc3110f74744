import type { GpuReading } from "@nereid/telemetry";
import type { SeriesSums } from "./series-sums.ts";

/** What is asked of the past. Times are Unix seconds; `to` is exclusive. */
export interface HistoryQuery {
  /** Id of a node, or "all". */
  readonly node: string;
  /** All models together when it is absent. */
  readonly model?: string | undefined;
  /** All of the model's versions when it is absent. */
  readonly version?: string | undefined;
  readonly from: number;
  readonly to: number;
  /** At most 300, which is also the default. */
  readonly maxPoints?: number | undefined;
  /** A series for each version of the model, or for each node. */
  readonly splitBy?: "version" | "node" | undefined;
}

/** One step. A step without requests that was watched has sums of 0; a step that nobody watched has no point. */
export interface HistoryPoint {
  /** Unix second at which the step begins. */
  readonly t: number;
  readonly merged: SeriesSums;
  /** Seconds of data in it: what rates are divided by. */
  readonly seconds: number;
}

export interface HistorySeries {
  /** Empty, or the version or node that the series is of. */
  readonly key: string;
  /** Oldest first. */
  readonly points: readonly HistoryPoint[];
}

export interface HistoryAnswer {
  /** Seconds of one step; `from` and `to` are multiples of it. */
  readonly step: number;
  readonly from: number;
  readonly to: number;
  /** Beginning of the step that is still filling; null when all are full. */
  readonly partialFrom: number | null;
  readonly series: readonly HistorySeries[];
  readonly source: "own" | "prometheus";
}

/** A node in one step: shares, memory and power are means, lag, temperature and errors the greatest of its seconds. */
export interface NodePoint {
  readonly t: number;
  readonly seconds: number;
  readonly cpu?: number;
  readonly memoryUsedBytes?: number;
  readonly memoryTotalBytes?: number;
  readonly rssBytes?: number;
  readonly eventLoopLagMs?: number;
  readonly gpus?: readonly GpuReading[];
}

export interface NodeHistory {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly partialFrom: number | null;
  readonly points: readonly NodePoint[];
  readonly source: "own" | "prometheus";
}

export interface WindowQuery {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

/** All that a model did in a window, its versions together. */
export interface ModelTotals {
  readonly model: string;
  readonly sums: SeriesSums;
}

/** Reads what was measured, whoever keeps it. All reject with UNAVAILABLE while the keeper does not answer. */
export interface HistoryReader {
  range(query: HistoryQuery): Promise<HistoryAnswer>;
  nodeRange(query: WindowQuery & { readonly maxPoints?: number | undefined }): Promise<NodeHistory>;
  /** Every model with requests in the window, sorted by name. The window is widened to whole steps, a thirtieth of it at most. */
  totals(query: WindowQuery): Promise<readonly ModelTotals[]>;
  /** Models with requests in the window, sorted. */
  models(query: WindowQuery): Promise<readonly string[]>;
}
