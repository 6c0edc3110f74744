import { rangeOf } from "./draft.ts";

export interface RandomPlan {
  readonly count: number;
  readonly datatype: string;
  readonly seed: number;
  /** Least and greatest value; whole datatypes get both ends. */
  readonly min: number;
  readonly max: number;
}

/** Numbers spread evenly over a range: of the same seed always the same (mulberry32). Pure. */
export function randomValues({ count, datatype, seed, min, max }: RandomPlan): Float64Array {
  const next = generator(seed);
  const whole = datatype === "BOOL" ? { min: 0, max: 1 } : rangeOf(datatype);
  const [low, high] = datatype === "BOOL" ? [0, 1] : [min, max];
  return Float64Array.from({ length: count }, () =>
    whole === null
      ? low + next() * (high - low)
      : Math.floor(Math.ceil(low) + next() * (Math.floor(high) - Math.ceil(low) + 1)),
  );
}

/** What is wrong with a range; null when nothing is. Pure. */
export function rangeProblem({ datatype, min, max }: Pick<RandomPlan, "datatype" | "min" | "max">): string | null {
  if (datatype === "BOOL") return null;
  if (!Number.isFinite(min) || !Number.isFinite(max)) return "the range needs two numbers";
  if (min > max) return "the least value is above the greatest";
  const range = rangeOf(datatype);
  if (range === null) return null;
  if (min < range.min || max > range.max) return `${datatype} goes from ${range.min} to ${range.max}`;
  return Math.ceil(min) > Math.floor(max) ? `${datatype} needs a whole number in the range` : null;
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
