import type { Kept } from "./good-requests.ts";

/** Share of requests that were good, 0…1; null without requests. */
export function attainment({ good, all }: Kept): number | null {
  return all === 0 ? null : good / all;
}

/**
 * How fast the error budget is being used: 1 uses exactly all of it over the objective's window, 2 twice as fast (Google's SRE
 * workbook, chapter 5). 0 without requests.
 */
export function burnRate(kept: Kept, objective: number): number {
  const share = attainment(kept);
  return share === null ? 0 : (1 - share) / (1 - objective);
}

/** What is left of the error budget of the whole window, 1 = all, negative when it is overdrawn; null without requests. */
export function budgetLeft(kept: Kept, objective: number): number | null {
  const share = attainment(kept);
  return share === null ? null : 1 - (1 - share) / (1 - objective);
}

export type Severity = "page" | "ticket";

/** An alert is due when both windows burn at least so fast: the long one that it matters, the short one that it still goes on. */
export interface BurnRule {
  readonly id: "fast" | "slow" | "creeping";
  readonly severity: Severity;
  readonly longSeconds: number;
  readonly shortSeconds: number;
  readonly rate: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The workbook's recommended rules for a window of 30 days; for a shorter one the rates shrink with it, so that the same share of the budget is meant. */
export function burnRules(windowDays: number): readonly BurnRule[] {
  const scale = Math.min(1, windowDays / 30);
  const rate = (of30: number) => Math.max(1, of30 * scale);
  return [
    { id: "fast", severity: "page", longSeconds: HOUR, shortSeconds: 5 * MINUTE, rate: rate(14.4) },
    { id: "slow", severity: "page", longSeconds: 6 * HOUR, shortSeconds: 30 * MINUTE, rate: rate(6) },
    { id: "creeping", severity: "ticket", longSeconds: 72 * HOUR, shortSeconds: 6 * HOUR, rate: rate(1) },
  ];
}

/** Fewer requests than this in the long window say nothing. */
export const MIN_REQUESTS = 20;

/** An open alert closes only below this share of the rate, so that it does not flap. */
export const STAYS_OPEN_SHARE = 0.8;

/** Whether the rule holds. */
export function ruleHolds(
  rule: BurnRule,
  {
    long,
    short,
    objective,
    open,
  }: { readonly long: Kept; readonly short: Kept; readonly objective: number; readonly open: boolean },
): boolean {
  if (long.all < MIN_REQUESTS) return false;
  const bar = open ? rule.rate * STAYS_OPEN_SHARE : rule.rate;
  return burnRate(long, objective) >= bar && burnRate(short, objective) >= bar;
}
