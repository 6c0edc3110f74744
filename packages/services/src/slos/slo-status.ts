import type { ServiceContext } from "../context.ts";
import type { HistoryPoint } from "../history/history-reader.ts";
import {
  attainment,
  type BurnRule,
  budgetLeft,
  burnRate,
  burnRules,
  ruleHolds,
  STAYS_OPEN_SHARE,
} from "./burn-rate.ts";
import { type Kept, keptOf } from "./good-requests.ts";
import type { SloInput } from "./slo-input.ts";

const DAY = 86_400;

export type SloReader = Pick<ServiceContext, "history" | "clock">;

/** How a promise stands. */
export interface SloStanding {
  /** Over the whole window. Nulls: no requests, or a node without histograms. */
  readonly requests: number;
  readonly good: number | null;
  readonly attainment: number | null;
  readonly budgetLeft: number | null;
  /** Speeds at which the budget is used, by window. */
  readonly burn: readonly { readonly seconds: number; readonly rate: number }[];
  /** Good requests a second in the last five minutes (goodput), and all of them; null where nobody can say. */
  readonly goodput: number | null;
  readonly throughput: number;
  readonly state: "no-data" | "kept" | "burning" | "broken";
  /** Budget left at the end of each step of the window, for a chart. */
  readonly trend: readonly { readonly t: number; readonly left: number | null }[];
}

/** The requests of the last seconds that kept the promise; null where that cannot be said. */
export async function keptWithin(
  { history, clock }: SloReader,
  { model, latencyMs, seconds }: Pick<SloInput, "model" | "latencyMs"> & { readonly seconds: number },
): Promise<Kept | null> {
  const to = Math.floor(clock.now() / 1000);
  const { series } = await history.range({ node: "all", model, from: to - seconds, to });
  return addKept(
    series.flatMap(({ points }) => points),
    latencyMs,
  );
}

function addKept(points: readonly HistoryPoint[], latencyMs: number | null): Kept | null {
  let good = 0;
  let all = 0;
  for (const { merged } of points) {
    const kept = keptOf(merged, latencyMs);
    if (kept === null) return null;
    good += kept.good;
    all += kept.all;
  }
  return { good, all };
}

const SHORT_SECONDS = 300;
const BURN_WINDOWS = [300, 3_600, 21_600];

/** How the promise stands, out of what was really measured: the same for one that is kept and one that is being written. */
export async function sloStanding(reader: SloReader, slo: SloInput): Promise<SloStanding> {
  const { model, latencyMs, objective, windowDays } = slo;
  const to = Math.floor(reader.clock.now() / 1000);
  const range = { node: "all", model, from: to - windowDays * DAY, to, maxPoints: 120 };
  const [{ series, step }, ...windows] = await Promise.all([
    reader.history.range(range),
    ...BURN_WINDOWS.map((seconds) => keptWithin(reader, { model, latencyMs, seconds })),
  ]);
  const points = series[0]?.points ?? [];
  const whole = addKept(points, latencyMs);
  const recent = windows[0] ?? null;
  const burn = windows.flatMap((kept, i) =>
    kept === null ? [] : [{ seconds: BURN_WINDOWS[i] ?? 0, rate: burnRate(kept, objective) }],
  );
  const left = whole === null ? null : budgetLeft(whole, objective);
  const requests = points.reduce((sum, { merged }) => sum + merged.success + merged.failure, 0);
  return {
    requests,
    good: whole?.good ?? null,
    attainment: whole === null ? null : attainment(whole),
    budgetLeft: left,
    burn,
    goodput: recent === null ? null : recent.good / SHORT_SECONDS,
    throughput: (recent?.all ?? 0) / SHORT_SECONDS,
    state: left === null ? "no-data" : left < 0 ? "broken" : (burn[0]?.rate ?? 0) >= 1 ? "burning" : "kept",
    trend: trendOf(points, { latencyMs, objective, step }),
  };
}

function trendOf(
  points: readonly HistoryPoint[],
  { latencyMs, objective, step }: Pick<SloInput, "latencyMs" | "objective"> & { readonly step: number },
): { t: number; left: number | null }[] {
  let good = 0;
  let all = 0;
  return points.map(({ t, merged }) => {
    const kept = keptOf(merged, latencyMs);
    good += kept?.good ?? 0;
    all += kept?.all ?? 0;
    return { t: t + step, left: kept === null ? null : budgetLeft({ good, all }, objective) };
  });
}

export interface RuleStanding {
  readonly rule: BurnRule;
  readonly holds: boolean;
  readonly longRate: number;
  readonly shortRate: number;
}

/** Which of the alert rules hold now. `isOpen`: whether the rule's alert is open, which then takes less to stay so. */
export async function sloRules(
  reader: SloReader,
  { slo, isOpen }: { readonly slo: SloInput; readonly isOpen: (rule: BurnRule["id"]) => boolean },
): Promise<RuleStanding[]> {
  const { model, latencyMs, objective, windowDays } = slo;
  const rules = burnRules(windowDays);
  return Promise.all(
    rules.map(async (rule) => {
      const short = await keptWithin(reader, { model, latencyMs, seconds: rule.shortSeconds });
      const nothing = { rule, holds: false, longRate: 0, shortRate: 0 };
      if (short === null) return nothing;
      // Days of history are read only when the last minutes give a reason to.
      if (burnRate(short, objective) < rule.rate * STAYS_OPEN_SHARE) return nothing;
      const long = await keptWithin(reader, { model, latencyMs, seconds: rule.longSeconds });
      if (long === null) return nothing;
      return {
        rule,
        holds: ruleHolds(rule, { long, short, objective, open: isOpen(rule.id) }),
        longRate: burnRate(long, objective),
        shortRate: burnRate(short, objective),
      };
    }),
  );
}
