import { describe, expect, it } from "vitest";
import { BodyBudget } from "./body-budget.ts";

describe("BodyBudget", () => {
  it("lets bodies in until together they reach the limit, and again when one is done", () => {
    const budget = new BodyBudget(100);
    const [a, b] = [budget.open(), budget.open()];
    expect(a.add(60)).toBe(true);
    expect(b.add(50)).toBe(false);
    expect(b.add(40)).toBe(true);
    a.close();
    a.close();
    expect(budget.used).toBe(40);
    expect(b.add(60)).toBe(true);
    b.close();
    expect(budget.used).toBe(0);
  });

  it("takes nothing for an exchange that is over", () => {
    const share = new BodyBudget(100).open();
    share.close();
    expect(share.add(1)).toBe(false);
  });
});
