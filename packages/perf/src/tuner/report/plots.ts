import type { TuningMeasurement, TuningPoint, TuningResult } from "../tuning-types.ts";
import { COLOURS, type Drawing, GREY, type Shape, type Spot } from "./drawing.ts";

export type MeasuredPoint = TuningPoint & { readonly measured: TuningMeasurement };

const SIZE = { width: 640, height: 360 } as const;
const FRAME = { left: 70, right: 190, top: 40, bottom: 50 } as const;
const PLOT = { width: SIZE.width - FRAME.left - FRAME.right, height: SIZE.height - FRAME.top - FRAME.bottom } as const;
const MOST_LINES = 6;

export function measuredPoints({ points }: TuningResult): MeasuredPoint[] {
  return points.filter((point): point is MeasuredPoint => point.measured !== null);
}

export interface ScatterAxes {
  readonly title: string;
  readonly x: { readonly label: string; readonly of: (point: MeasuredPoint) => number | undefined };
  readonly y: { readonly label: string; readonly of: (point: MeasuredPoint) => number | undefined };
}

/** Throughput against p99, as Model Analyzer's first plot. */
export const THROUGHPUT_LATENCY: ScatterAxes = {
  title: "Throughput vs. Latency",
  x: { label: "p99 Latency (ms)", of: ({ measured }) => measured.p99Us / 1000 },
  y: { label: "Throughput (infer/sec)", of: ({ measured }) => measured.throughput },
};

/** A line for each configuration, the best ones coloured. Pure. */
export function scatterPlot(points: readonly MeasuredPoint[], axes: ScatterAxes): Drawing {
  const series = [...new Set(points.map(({ config }) => config))].map((config) => ({
    config,
    spots: points
      .filter((point) => point.config === config)
      .flatMap((point): Spot[] => {
        const [x, y] = [axes.x.of(point), axes.y.of(point)];
        return x === undefined || y === undefined ? [] : [[x, y]];
      })
      .toSorted((a, b) => a[0] - b[0]),
  }));
  const all = series.flatMap(({ spots }) => spots);
  const most = [0, 1].map((axis) => niceEnd(Math.max(1e-9, ...all.map((spot) => spot[axis] ?? 0))));
  const at = ([x, y]: Spot): Spot => [
    FRAME.left + (x / (most[0] ?? 1)) * PLOT.width,
    FRAME.top + PLOT.height - (y / (most[1] ?? 1)) * PLOT.height,
  ];
  const shapes = [...frame(axes.title, { x: axes.x.label, y: axes.y.label }), ...ticks(most[0] ?? 1, most[1] ?? 1)];
  for (const [index, { config, spots }] of series.entries()) {
    const colour = index < MOST_LINES ? (COLOURS[index] ?? GREY) : "#bbbbbb";
    if (spots.length > 1) shapes.push({ kind: "line", points: spots.map(at), colour, width: 1.5 });
    for (const spot of spots) shapes.push({ kind: "dot", at: at(spot), radius: 3, colour });
    if (index < MOST_LINES) shapes.push(...legend(config, colour, index));
  }
  if (series.length > MOST_LINES) shapes.push(...legend(`${series.length - MOST_LINES} others`, "#bbbbbb", MOST_LINES));
  return { ...SIZE, title: axes.title, shapes };
}

const PHASES = [
  ["Queue", "queue"],
  ["Compute Input", "computeInput"],
  ["Compute Infer", "computeInfer"],
  ["Compute Output", "computeOutput"],
] as const;

/** Where the time of a request goes at each load: stacked phases of the server, and what is left of the client's wait. Pure. */
export function latencyBreakdown(points: readonly MeasuredPoint[], config: string): Drawing {
  const bars = points
    .filter((point) => point.config === config && point.measured.phases !== null)
    .toSorted((a, b) => a.level - b.level);
  const parts = bars.map(({ measured: { phases } }) => {
    const known = PHASES.map(([, phase]) => (phases?.[phase] ?? 0) / 1000);
    const sum = known.reduce((total, one) => total + one, 0);
    return [...known, Math.max(0, (phases?.client ?? 0) / 1000 - sum)];
  });
  const top = niceEnd(Math.max(1e-9, ...parts.map((values) => values.reduce((sum, one) => sum + one, 0))));
  const step = PLOT.width / Math.max(1, bars.length);
  const title = `Latency Breakdown: ${config}`;
  const shapes: Shape[] = [...frame(title, { x: "Load", y: "Mean latency (ms)" }), ...ticks(0, top)];
  for (const [index, values] of parts.entries()) {
    let height = 0;
    const x = FRAME.left + step * (index + 0.2);
    for (const [part, value] of values.entries()) {
      const size = (value / top) * PLOT.height;
      height += size;
      shapes.push({
        kind: "box",
        at: [x, FRAME.top + PLOT.height - height],
        size: [step * 0.6, size],
        colour: COLOURS[part] ?? GREY,
      });
    }
    shapes.push(label(String(bars[index]?.level ?? ""), [x + step * 0.3, FRAME.top + PLOT.height + 14], "middle"));
  }
  for (const [part, name] of [...PHASES.map(([words]) => words), "Network, front and client"].entries())
    shapes.push(...legend(name, COLOURS[part] ?? GREY, part));
  return { ...SIZE, title, shapes };
}

/** How much each parameter explains. Pure. */
export function importancePlot({ importance }: TuningResult): Drawing {
  const step = PLOT.height / Math.max(1, importance.length);
  const title = "What the parameters explain";
  const shapes: Shape[] = [label(title, [SIZE.width / 2, 22], "middle", 14)];
  for (const [index, { parameter, share, interval }] of importance.entries()) {
    const y = FRAME.top + step * (index + 0.25);
    const x = (value: number) => FRAME.left + 60 + value * PLOT.width;
    shapes.push(label(parameter, [FRAME.left + 54, y + step * 0.3 + 3], "right"));
    shapes.push({ kind: "box", at: [x(0), y], size: [share * PLOT.width, step * 0.5], colour: COLOURS[0] });
    shapes.push({
      kind: "line",
      points: [
        [x(interval[0]), y + step * 0.25],
        [x(interval[1]), y + step * 0.25],
      ],
      colour: "#000000",
      width: 1,
    });
    shapes.push(
      label(`${(share * 100).toFixed(0)} %`, [x(Math.max(share, interval[1])) + 6, y + step * 0.3 + 3], "left"),
    );
  }
  return { ...SIZE, title, shapes };
}

function frame(title: string, labels: { readonly x: string; readonly y: string }): Shape[] {
  const [left, bottom] = [FRAME.left, FRAME.top + PLOT.height];
  return [
    label(title, [SIZE.width / 2, 22], "middle", 14),
    label(labels.x, [left + PLOT.width / 2, SIZE.height - 12], "middle"),
    label(labels.y, [left, FRAME.top - 6], "middle"),
    {
      kind: "line",
      points: [
        [left, FRAME.top],
        [left, bottom],
        [left + PLOT.width, bottom],
      ],
      colour: GREY,
      width: 1,
    },
  ];
}

function ticks(endX: number, endY: number): Shape[] {
  const shares = [0, 0.25, 0.5, 0.75, 1];
  const across =
    endX === 0
      ? []
      : shares.map((share) =>
          label(short(share * endX), [FRAME.left + share * PLOT.width, FRAME.top + PLOT.height + 14], "middle"),
        );
  const up = shares.map((share) =>
    label(short(share * endY), [FRAME.left - 6, FRAME.top + PLOT.height * (1 - share) + 4], "right"),
  );
  return [...across, ...up];
}

function legend(text: string, colour: string, row: number): Shape[] {
  const at: Spot = [SIZE.width - FRAME.right + 16, FRAME.top + 8 + row * 16];
  return [{ kind: "dot", at, radius: 4, colour }, label(text, [at[0] + 9, at[1] + 4], "left")];
}

function label(text: string, at: Spot, align: "left" | "middle" | "right", size = 11): Shape {
  return { kind: "text", at, text, size, colour: "#222222", align };
}

function niceEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
