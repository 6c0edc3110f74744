import { describe, expect, it } from "vitest";
import { SignInThrottle, waitAfter } from "./sign-in-throttle.ts";

it.each([
  [0, 0],
  [4, 0],
  [5, 1_000],
  [8, 8_000],
  [30, 60_000],
])("after %s failures one waits %s ms", (failures, ms) => {
  expect(waitAfter(failures)).toBe(ms);
});

describe("SignInThrottle", () => {
  const start = () => {
    const clock = { ms: 1_000_000, now: () => clock.ms };
    const throttle = new SignInThrottle(clock);
    const fail = (times: number) => {
      for (let i = 0; i < times; i += 1) throttle.failed("ada");
    };
    return { clock, throttle, fail };
  };

  it("counts per account, lets the wait pass, forgets after success", () => {
    const { clock, throttle, fail } = start();
    fail(6);
    expect(throttle.waitMs("ada")).toBe(2_000);
    expect(throttle.waitMs("bob")).toBe(0);
    clock.ms += 1_500;
    expect(throttle.waitMs("ada")).toBe(500);
    throttle.succeeded("ada");
    expect(throttle.waitMs("ada")).toBe(0);
  });

  it("forgets old failures", () => {
    const { clock, throttle, fail } = start();
    fail(9);
    clock.ms += 16 * 60_000;
    fail(1);
    expect(throttle.waitMs("ada")).toBe(0);
  });
});
