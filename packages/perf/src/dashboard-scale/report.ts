import type { TabActivity } from "./watch-tab.ts";

/** Of one moment of the walk. */
export interface MemorySample {
  readonly minute: number;
  readonly webMiB: number;
  readonly nodesMiB: number;
  /** Of the walking tab, after a collection of garbage, on the Overview. */
  readonly heapMiB: number;
  readonly domNodes: number;
  /** Share of one processor that the web process used since the sample before. */
  readonly webProcessor: number;
}

export interface PageFigures {
  readonly name: string;
  /** Milliseconds from the request for the address, in a new tab, to the first data. */
  readonly cold: readonly number[];
  /** Milliseconds from a click in the walking tab. */
  readonly clicked: readonly number[];
  readonly activity: readonly TabActivity[];
}

export const FIRST_DATA_BAR_MS = 1_500;
export const REDRAW_BAR = 4;
export const POINTS_BAR = 300;

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Whether a series went on growing: the last third above the middle one by a tenth and by more than `noise`. Null with too few. */
export function grew(values: readonly number[], noise: number): boolean | null {
  if (values.length < 6) return null;
  const third = Math.floor(values.length / 3);
  const middle = median(values.slice(third, values.length - third)) ?? 0;
  const last = median(values.slice(-third)) ?? 0;
  return last > middle * 1.1 && last - middle > noise;
}

/** A line for each page: first data, tasks, frames, redraws; what missed its bar is marked. */
export function pageLines(pages: readonly PageFigures[]): string[] {
  const header = row([
    "page",
    "cold ms",
    "worst",
    "click ms",
    "worst",
    "long tasks/min",
    "longest",
    "frames/s",
    "redraws/s",
    "points",
  ]);
  return [
    header,
    ...pages.map(({ name, cold, clicked, activity }) => {
      const seconds = sum(activity.map((one) => one.seconds));
      const worst = Math.max(0, ...cold, ...clicked);
      const redraws = Math.max(0, ...activity.map((one) => one.mostRedraws));
      const points = Math.max(0, ...activity.map((one) => one.mostPoints));
      const missed = [
        worst > FIRST_DATA_BAR_MS ? "first data" : "",
        redraws > REDRAW_BAR ? "redraws" : "",
        points > POINTS_BAR ? "points" : "",
      ];
      const text = row([
        name,
        whole(median(cold)),
        whole(Math.max(0, ...cold)),
        whole(median(clicked)),
        clicked.length === 0 ? "–" : whole(Math.max(...clicked)),
        seconds === 0 ? "–" : ((60 * sum(activity.map((one) => one.longTasks))) / seconds).toFixed(1),
        whole(Math.max(0, ...activity.map((one) => one.longestTaskMs))),
        seconds === 0 ? "–" : (sum(activity.map((one) => one.frames)) / seconds).toFixed(0),
        String(redraws),
        String(points),
      ]);
      return `${text}${missed.some((one) => one !== "") ? `  MISSED ${missed.filter(Boolean).join(", ")}` : ""}`;
    }),
  ];
}

const GROWTH = [
  { name: "web process, MiB", of: (one: MemorySample) => one.webMiB, noise: 20 },
  { name: "nodes together, MiB", of: (one: MemorySample) => one.nodesMiB, noise: 20 },
  { name: "JS heap of the tab, MiB", of: (one: MemorySample) => one.heapMiB, noise: 3 },
  { name: "DOM nodes of the tab", of: (one: MemorySample) => one.domNodes, noise: 500 },
];

/** A line for each thing that may grow: start, middle, end, and whether it did. */
export function growthLines(samples: readonly MemorySample[]): string[] {
  const places = [samples[0], samples[Math.floor(samples.length / 2)], samples.at(-1)];
  return GROWTH.map(({ name, of, noise }) => {
    const [start = 0, middle = 0, end = 0] = places.map((one) => (one === undefined ? 0 : of(one)));
    const verdict = { true: "GREW", false: "steady", null: "too few samples to tell" }[
      `${grew(samples.map(of), noise)}`
    ];
    return `${name}: ${whole(start)} at the start, ${whole(middle)} in the middle, ${whole(end)} at the end; ${verdict}`;
  });
}

function row([first = "", ...others]: readonly string[]): string {
  return `${first.padEnd(18)}${others.map((text) => text.padStart(15)).join("")}`;
}

function whole(value: number | null): string {
  return value === null ? "–" : value.toFixed(0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}
