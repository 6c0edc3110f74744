import type { RecentExecution } from "../facts/recent-traffic.ts";

type Execution = Pick<RecentExecution, "batchSize" | "restNs">;

/** Fewer executions of a kind do not say how they vary. */
const ENOUGH_TO_DRAW = 20;
/** Rests up to it are none; longer ones are alike as long as one is less than twice the other. */
const NO_REST_NS = 50_000;
const MOST_STEPS = 16;
/** Batches of twice the size are as unlike as rests four times as long. */
const STEP_WEIGHT = 0.5;

interface Kind {
  readonly sizeLog: number;
  readonly step: number;
  readonly extras: number[];
}

/**
 * Sorts what executions took more or less than usual (nanoseconds) by size and by the rest before. The answer tells those that are most like
 * a given execution.
 */
export function besides(
  executions: readonly RecentExecution[],
  usualNs: (batchSize: number) => number,
): (execution: Execution) => readonly number[] {
  const kinds = new Map<string, Kind>();
  const all: number[] = [];
  for (const execution of executions) {
    const extra = execution.ns - usualNs(execution.batchSize);
    all.push(extra);
    const name = nameOf(execution);
    const kind = kinds.get(name) ?? { ...placeOf(execution), extras: [] };
    kind.extras.push(extra);
    kinds.set(name, kind);
  }
  const enough = [...kinds.values()].filter(({ extras }) => extras.length >= ENOUGH_TO_DRAW);
  const found = new Map<string, readonly number[]>();
  return (execution) => {
    const name = nameOf(execution);
    const known = found.get(name);
    if (known !== undefined) return known;
    const extras = nearestOf(enough, placeOf(execution))?.extras ?? all;
    found.set(name, extras);
    return extras;
  };
}

function nearestOf(kinds: readonly Kind[], place: Pick<Kind, "sizeLog" | "step">): Kind | undefined {
  const distance = ({ sizeLog, step }: Kind) =>
    Math.abs(sizeLog - place.sizeLog) + STEP_WEIGHT * Math.abs(step - place.step);
  let nearest: Kind | undefined;
  for (const kind of kinds) if (nearest === undefined || distance(kind) < distance(nearest)) nearest = kind;
  return nearest;
}

function nameOf(execution: Execution): string {
  return `${execution.batchSize}/${stepOf(execution.restNs)}`;
}

function placeOf({ batchSize, restNs }: Execution): Pick<Kind, "sizeLog" | "step"> {
  return { sizeLog: Math.log2(Math.max(1, batchSize)), step: stepOf(restNs) };
}

function stepOf(restNs: number): number {
  return restNs < NO_REST_NS ? 0 : Math.min(MOST_STEPS, 1 + Math.floor(Math.log2(restNs / NO_REST_NS)));
}
