import { formatTick } from "../format/format-duration.ts";
import { timeTicks } from "./nice-scale.ts";

const BINS_PER_OCTAVE = 2;
const NS_PER_MS = 1e6;

export interface HeatRow {
  readonly t: number;
  /** `[bin, requests]`; bin `b` begins at 2^(b / 2) ns. */
  readonly heat: readonly (readonly [bin: number, requests: number])[];
}

export interface HeatCell {
  readonly t: number;
  readonly bin: number;
  readonly requests: number;
  /** 0…1, on a logarithmic scale of requests. */
  readonly shade: number;
}

export interface PreparedHeat {
  readonly cells: readonly HeatCell[];
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Lowest bin, and the one after the highest. */
  readonly lowest: number;
  readonly beyond: number;
  /** Requests of the darkest cell. */
  readonly most: number;
  readonly timeTicks: readonly number[];
  readonly latencyTicks: readonly { readonly bin: number; readonly label: string }[];
}

/** Milliseconds at which a bin begins. */
export function binStartMs(bin: number): number {
  return 2 ** (bin / BINS_PER_OCTAVE) / NS_PER_MS;
}

export interface PrepareHeatInput {
  readonly rows: readonly HeatRow[];
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Decides what a heat map of latencies draws; null without requests. */
export function prepareHeat({ rows, from, to, step }: PrepareHeatInput): PreparedHeat | null {
  const inside = rows.filter(({ t }) => t >= from && t < to);
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let most = 0;
  for (const { heat } of inside) {
    for (const [bin, requests] of heat) {
      lowest = Math.min(lowest, bin);
      highest = Math.max(highest, bin);
      most = Math.max(most, requests);
    }
  }
  if (most === 0) return null;
  const cells = inside.flatMap(({ t, heat }) =>
    heat.map(([bin, requests]) => ({
      t,
      bin,
      requests,
      shade: most === 1 ? 1 : 0.15 + 0.85 * (Math.log(requests) / Math.log(most)),
    })),
  );
  const beyond = highest + 1;
  return {
    cells,
    from,
    to,
    step,
    lowest,
    beyond,
    most,
    timeTicks: timeTicks(from, to, 5),
    latencyTicks: decades(lowest, beyond),
  };
}

/** Round latencies between two bins; the ends where no round one lies between. */
function decades(lowest: number, beyond: number): { bin: number; label: string }[] {
  const ticks: { bin: number; label: string }[] = [];
  for (let power = -6; power <= 7; power += 1) {
    const ms = Number(`1e${power}`);
    const bin = Math.log2(ms * NS_PER_MS) * BINS_PER_OCTAVE;
    if (bin >= lowest && bin <= beyond) ticks.push({ bin, label: formatTick(ms) });
  }
  if (ticks.length > 1) return ticks;
  return [lowest, beyond].map((bin) => ({ bin, label: formatTick(Number(binStartMs(bin).toPrecision(2))) }));
}

export interface HeatPlace {
  readonly t: number;
  readonly bin: number;
}

/** Where an arrow key leads in the map; the same place at an edge, null for other keys. */
export function movedInHeat(place: HeatPlace, key: string, map: PreparedHeat): HeatPlace | null {
  const { t, bin } = place;
  const inside = (moved: HeatPlace) =>
    moved.t >= map.from && moved.t < map.to && moved.bin >= map.lowest && moved.bin < map.beyond ? moved : place;
  switch (key) {
    case "ArrowLeft":
      return inside({ t: t - map.step, bin });
    case "ArrowRight":
      return inside({ t: t + map.step, bin });
    case "ArrowUp":
      return inside({ t, bin: bin + 1 });
    case "ArrowDown":
      return inside({ t, bin: bin - 1 });
    default:
      return null;
  }
}
