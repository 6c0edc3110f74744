import { seededRandom } from "./seeded-random.ts";

/** When requests are due in an open loop, whatever became of earlier ones. */
export type ArrivalPlan =
  | { readonly kind: "constant"; readonly perSecond: number }
  /** Gaps drawn from an exponential distribution. */
  | { readonly kind: "poisson"; readonly perSecond: number; readonly seed: number }
  /** `size` requests at once, as often as makes the rate. */
  | { readonly kind: "bursts"; readonly perSecond: number; readonly size: number }
  /** Gaps in microseconds, over and over. */
  | { readonly kind: "intervals"; readonly gapsUs: readonly number[] }
  /** Times of requests that came once, in milliseconds from the first; ends with the last. */
  | { readonly kind: "recorded"; readonly offsetsMs: readonly number[] };

/** Which of the arrivals are one process's: each `of`-th, from `index` on. */
export interface ArrivalShare {
  readonly index: number;
  readonly of: number;
}

/** Milliseconds from the start at which requests are due, never falling; without end but for recorded ones. Pure. */
export function* arrivalTimes(plan: ArrivalPlan, { index, of }: ArrivalShare = { index: 0, of: 1 }): Generator<number> {
  let number = 0;
  for (const atMs of allTimes(plan)) {
    if (number % of === index) yield atMs;
    number += 1;
  }
}

function* allTimes(plan: ArrivalPlan): Generator<number> {
  switch (plan.kind) {
    case "constant":
      for (let number = 0; ; number += 1) yield (number * 1000) / plan.perSecond;
    case "bursts":
      for (let number = 0; ; number += 1) yield (Math.floor(number / plan.size) * plan.size * 1000) / plan.perSecond;
    case "poisson": {
      const random = seededRandom(plan.seed);
      let atMs = 0;
      for (;;) {
        atMs += (-Math.log(1 - random()) * 1000) / plan.perSecond;
        yield atMs;
      }
    }
    case "intervals": {
      let atUs = 0;
      for (let number = 0; ; number += 1) {
        atUs += plan.gapsUs[number % plan.gapsUs.length] ?? 0;
        yield atUs / 1000;
      }
    }
    case "recorded":
      yield* plan.offsetsMs;
  }
}

/** Requests a second that a plan asks for; of recorded ones their mean. */
export function offeredPerSecond(plan: ArrivalPlan): number {
  if (plan.kind === "intervals") {
    const sumUs = plan.gapsUs.reduce((sum, gap) => sum + gap, 0);
    return (plan.gapsUs.length * 1e6) / sumUs;
  }
  if (plan.kind !== "recorded") return plan.perSecond;
  const lastMs = plan.offsetsMs.at(-1) ?? 0;
  return lastMs === 0 ? plan.offsetsMs.length : ((plan.offsetsMs.length - 1) * 1000) / lastMs;
}
