/** One column of the heat map and what it is about. */
export interface HeatMetric {
  readonly key: string;
  readonly label: string;
  /** Value from which on a cell is as hot as can be; what is below it is shaded in proportion. */
  readonly hot: number;
  readonly format: (value: number | null) => string;
}

export interface HeatNode {
  readonly id: string;
  readonly name: string;
  /** By the metric's key; null where it is not known. */
  readonly values: Readonly<Record<string, number | null>>;
  /** Nothing of it is live. */
  readonly stale: boolean;
}

export interface HeatCell {
  readonly key: string;
  readonly text: string;
  /** 0 (cool) to 4 (hot); null where nothing is known. */
  readonly level: 0 | 1 | 2 | 3 | 4 | null;
}

export interface HeatRow {
  readonly id: string;
  readonly name: string;
  readonly stale: boolean;
  readonly cells: readonly HeatCell[];
}

const LEVELS = [0, 1, 2, 3, 4] as const;
/** Shares of "hot" at which the next level begins. */
const STEPS = [0.4, 0.65, 0.85, 1];

/** Texts and shades of a heat map of nodes and metrics; the nodes with the hottest cells first. */
export function prepareNodeHeat(nodes: readonly HeatNode[], metrics: readonly HeatMetric[]): HeatRow[] {
  return nodes
    .map(({ id, name, stale, values }) => ({
      id,
      name,
      stale,
      cells: metrics.map(({ key, hot, format }): HeatCell => {
        const value = values[key] ?? null;
        return { key, text: format(value), level: value === null || stale ? null : levelOf(value / hot) };
      }),
    }))
    .sort((a, b) => heatOf(b) - heatOf(a));
}

function levelOf(share: number): HeatCell["level"] {
  return LEVELS[STEPS.filter((step) => share >= step).length] ?? 4;
}

function heatOf({ cells }: HeatRow): number {
  return cells.reduce((sum, { level }) => sum + 10 ** (level ?? 0), 0);
}
