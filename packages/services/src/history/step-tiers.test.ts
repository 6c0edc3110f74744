import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { historyDaysIn } from "./history-store.ts";
import { MOST_POINTS, planSteps, tiersFor } from "./step-tiers.ts";

const NOW = 1_700_000_000;
const DAY = 86_400;
const tiers = tiersFor(30);

describe("which step answers", () => {
  it.each([
    ["1 m", 60, 0, 1, 1],
    ["5 m", 300, 0, 1, 1],
    ["15 m", 900, 0, 5, 1],
    ["1 h", 3_600, 0, 20, 10],
    ["a minute of this morning", 60, 6 * 3_600, 10, 10],
    ["a minute of last week", 60, 7 * DAY, 60, 60],
    ["24 h", DAY, 0, 300, 60],
    ["30 d", 30 * DAY, 0, 10_800, 60],
  ])("%s", (_what, length, ago, step, tier) => {
    const to = NOW - ago;
    expect(planSteps({ from: to - length, to, now: NOW, tiers })).toMatchObject({ step, tier: { step: tier } });
  });

  it("never more points than asked for, and all of what was asked for", () => {
    const range = fc.tuple(
      fc.nat({ max: 40 * DAY }),
      fc.integer({ min: 1, max: 31 * DAY }),
      fc.integer({ min: 10, max: 900 }),
    );
    fc.assert(
      fc.property(range, ([ago, length, maxPoints]) => {
        const to = NOW - ago;
        const plan = planSteps({ from: to - length, to, now: NOW, maxPoints, tiers });
        expect(plan.from).toBeLessThanOrEqual(to - length);
        expect(plan.to).toBeGreaterThanOrEqual(to);
        expect((plan.to - plan.from) / plan.step).toBeLessThanOrEqual(Math.min(MOST_POINTS, maxPoints));
        expect(plan.step % plan.tier.step).toBe(0);
      }),
    );
  });

  it("the step that is still filling is named", () => {
    const now = NOW + 7;
    expect(planSteps({ from: NOW - 3_600, to: now, now, tiers }).partialFrom).toBe(Math.floor(now / 20) * 20);
    expect(planSteps({ from: NOW - 7_200, to: NOW - 3_600, now, tiers }).partialFrom).toBeNull();
  });
});

it.each([
  ['{"historyDays":7}', 7],
  ['{"historyDays":0}', 30],
  ['{"historyDays":"7"}', 30],
  ["broken", 30],
  ["null", 30],
])("retention %s is %s days", (text, days) => expect(historyDaysIn(text)).toBe(days));
