export interface HistogramRow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly count: number;
}

/** Rows of a histogram together with the empty ones between them. Pure. */
export function filledRows(histogram: readonly (readonly [number, number, number])[]): HistogramRow[] {
  const rows: HistogramRow[] = [];
  for (const [fromMs, toMs, count] of histogram) {
    let edge = rows.at(-1)?.toMs ?? fromMs;
    const ratio = toMs / fromMs;
    // The edges are powers: half a step tells them apart.
    while (edge * Math.sqrt(ratio) < fromMs) {
      rows.push({ fromMs: edge, toMs: edge * ratio, count: 0 });
      edge *= ratio;
    }
    rows.push({ fromMs, toMs, count });
  }
  return rows;
}
