import { missedPercent } from "./compare-figures.ts";
import { type SpacePoint, spacePoint } from "./search-space.ts";
import { measuredUtility, type NextStep, type TuningState } from "./tuning-state.ts";
import type { TuningConfig } from "./tuning-types.ts";

/** Throughput must rise by this part over four levels for higher ones to be tried (Model Analyzer). */
const WORTH = 0.05;
const LOOKED_AT = 4;

/**
 * Everything, in order; with early exits as Model Analyzer's automatic search, and at the end levels between one that keeps the limits and
 * one that does not for the best configurations. Pure.
 */
export function chooseBrute(state: TuningState): NextStep {
  const { space, measured, skipped, options } = state;
  for (const config of space.configs) {
    const points = space.points.filter((point) => point.config.id === config.id);
    if (points.every(({ id }) => skipped.has(id))) continue;
    if (options.earlyExit && isLargerInVain(config, state)) continue;
    for (const requestBatch of new Set(points.map((point) => point.requestBatch))) {
      const levels = points.filter((point) => point.requestBatch === requestBatch);
      for (const [index, point] of levels.entries()) {
        if (measured.has(point.id) || skipped.has(point.id)) continue;
        if (options.earlyExit && isFlat(levels.slice(0, index), state)) break;
        return { kind: "measure", point, why: "the whole space is measured" };
      }
    }
  }
  return refine(state) ?? { kind: "end", ended: "complete" };
}

function isFlat(before: readonly SpacePoint[], { measured }: TuningState): boolean {
  const last = before.slice(-LOOKED_AT).map(({ id }) => measured.get(id)?.throughput ?? 0);
  const [first = 0] = last;
  return last.length === LOOKED_AT && Math.max(...last) < first * (1 + WORTH);
}

/** Whether batches half as large did no worse than the ones before them. */
function isLargerInVain({ setting }: TuningConfig, state: TuningState): boolean {
  const like = state.space.configs
    .filter(({ setting: other }) => sameBut(other, setting) && other.maxBatchSize < setting.maxBatchSize)
    .toSorted((a, b) => a.setting.maxBatchSize - b.setting.maxBatchSize);
  const [before, last] = like.slice(-2).map((config) => bestThroughput(config, state));
  return before !== undefined && last !== undefined && last > 0 && before > 0 && last <= before;
}

function sameBut(a: TuningConfig["setting"], b: TuningConfig["setting"]): boolean {
  return (
    JSON.stringify({ ...a, maxBatchSize: 0, preferred: [] }) ===
    JSON.stringify({ ...b, maxBatchSize: 0, preferred: [] })
  );
}

function bestThroughput(config: TuningConfig, { space, measured }: TuningState): number {
  const own = space.points.filter((point) => point.config.id === config.id);
  return Math.max(0, ...own.map(({ id }) => measured.get(id)?.throughput ?? 0));
}

/** The middle between the highest level that keeps the limits and the lowest above it that does not, for the best configurations. Pure. */
export function refine(state: TuningState): NextStep | undefined {
  const { space, measured, wanted, options, skipped } = state;
  if (wanted.constraints.length === 0 || options.binarySteps === 0) return undefined;
  for (const config of bestConfigs(state)) {
    for (const requestBatch of new Set(space.points.map((point) => point.requestBatch))) {
      const grid = new Set(space.points.filter((one) => one.config.id === config.id).map(({ level }) => level));
      const levels = [...measured].flatMap(([id, figures]) => {
        const [name, level, batch] = id.split(" ");
        return name === config.id && Number(batch) === requestBatch ? [{ level: Number(level), figures }] : [];
      });
      if (levels.filter(({ level }) => !grid.has(level)).length >= options.binarySteps) continue;
      const keeps = (figures: (typeof levels)[number]["figures"]) => missedPercent(figures, wanted.constraints) === 0;
      const good = Math.max(0, ...levels.filter(({ figures }) => keeps(figures)).map(({ level }) => level));
      const bad = Math.min(
        ...levels.filter(({ level, figures }) => level > good && !keeps(figures)).map((one) => one.level),
      );
      if (good === 0 || !Number.isFinite(bad)) continue;
      const middle = Math.floor((good + bad) / 2);
      const point = spacePoint(config, middle, requestBatch);
      if (middle > good && middle < bad && !skipped.has(point.id))
        return { kind: "measure", point, why: "between a load that keeps the limits and one that does not" };
    }
  }
  return undefined;
}

/** The configurations whose best measured point is best. */
export function bestConfigs(state: TuningState): TuningConfig[] {
  const { space, options, measured } = state;
  const best = new Map<string, number>();
  for (const id of measured.keys()) {
    const [name = ""] = id.split(" ");
    best.set(name, Math.max(best.get(name) ?? Number.NEGATIVE_INFINITY, measuredUtility(state, id) ?? 0));
  }
  return space.configs
    .filter(({ id }) => best.has(id))
    .toSorted((a, b) => (best.get(b.id) ?? 0) - (best.get(a.id) ?? 0))
    .slice(0, options.topConfigs);
}
