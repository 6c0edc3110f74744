/** How finely seconds are kept, and for how long. */
export interface StepTier {
  /** Seconds of one point. */
  readonly step: number;
  /** Seconds of one row of the database. */
  readonly chunkSeconds: number;
  /** Seconds for which it is kept. */
  readonly keepSeconds: number;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Days of minutes that are kept unless the setting `retention` says otherwise. */
export const DEFAULT_HISTORY_DAYS = 30;

/** Finest first. */
export function tiersFor(historyDays: number): readonly [StepTier, StepTier, StepTier] {
  return [
    { step: 1, chunkSeconds: 60, keepSeconds: HOUR },
    { step: 10, chunkSeconds: 600, keepSeconds: DAY },
    { step: 60, chunkSeconds: HOUR, keepSeconds: historyDays * DAY },
  ];
}

/** Beginning of the chunk or step of so many seconds in which `t` lies. */
export function floorTo(t: number, seconds: number): number {
  return Math.floor(t / seconds) * seconds;
}

/** Steps that people can read off an axis; each is a multiple of the tier that it is made of. */
const STEPS = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800,
  604_800,
];

export const MOST_POINTS = 300;

export interface StepQuestion {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly maxPoints?: number | undefined;
  readonly tiers: readonly StepTier[];
}

export interface StepPlan {
  readonly tier: StepTier;
  readonly step: number;
  /** Multiples of the step that enclose what was asked for. */
  readonly from: number;
  readonly to: number;
  readonly partialFrom: number | null;
}

/** Which step, of which tier, answers a question with no more points than wanted. The finest one that is still kept at `from`. */
export function planSteps({ from, to, now, maxPoints = MOST_POINTS, tiers }: StepQuestion): StepPlan {
  const most = Math.max(2, Math.min(MOST_POINTS, maxPoints));
  const kept = tiers.find(({ keepSeconds }) => now - from <= keepSeconds) ?? tiers.at(-1);
  const plans = STEPS.filter((step) => step >= (kept?.step ?? 1)).flatMap((step) => {
    const tier = tiers.findLast((one) => step % one.step === 0);
    if (tier === undefined) return [];
    const start = floorTo(from, step);
    const end = Math.max(start + step, Math.ceil(to / step) * step);
    return [{ tier, step, from: start, to: end }];
  });
  const plan = plans.find((one) => (one.to - one.from) / one.step <= most) ?? plans.at(-1);
  if (plan === undefined) throw new RangeError("there is no tier");
  const filling = floorTo(now, plan.step);
  return { ...plan, partialFrom: filling >= plan.from && filling < plan.to ? filling : null };
}
