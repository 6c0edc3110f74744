import { expect, it } from "vitest";
import { budgetText, lastsText, promiseText, shareText } from "./slo-words.ts";

it("says a promise in one sentence", () => {
  expect(promiseText({ latencyMs: 20, objective: 0.999, windowDays: 30 })).toBe(
    "99.9 % of requests succeed within 20 ms, over 30 days",
  );
  expect(promiseText({ latencyMs: null, objective: 0.99, windowDays: 1 })).toBe("99 % of requests succeed, over 1 day");
  expect(shareText(0.99999)).toBe("99.999 %");
});

it("says what is left, and how long it lasts", () => {
  expect([budgetText(null), budgetText(0.25), budgetText(-1.5), budgetText(-98.25)]).toEqual([
    "no requests yet",
    "25 % left",
    "used 2.5 times over",
    "used 99 times over",
  ]);
  const burn = (rate: number) => [{ seconds: 3_600, rate }];
  expect(lastsText({ budgetLeft: 0.5, burn: burn(10) }, 30)).toBe("gone in 36 h at this speed");
  expect(lastsText({ budgetLeft: 0.5, burn: burn(2) }, 30)).toBe("gone in 8 days at this speed");
  expect(lastsText({ budgetLeft: 0.5, burn: burn(0.5) }, 30)).toBeNull();
  expect(lastsText({ budgetLeft: -0.5, burn: burn(9) }, 30)).toBeNull();
});
