import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_UNRELEASED_BYTES, MAX_UNRELEASED_RESPONSES, ResponseCredit } from "./response-credit.ts";

describe("ResponseCredit", () => {
  it("grants in order and stays within its limits by at most one response", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: MAX_UNRELEASED_BYTES * 2 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.infiniteStream(fc.boolean()), (asked, releases) => {
        const credit = new ResponseCredit();
        const granted: number[] = [];
        const held: number[] = [];
        const check = () => {
          const beforeLast = held.slice(0, -1).reduce((sum, size) => sum + size, 0);
          expect(held.length <= 1 || beforeLast < MAX_UNRELEASED_BYTES).toBe(true);
        };
        const releaseOne = () => {
          const size = held.shift();
          if (size !== undefined) credit.release(size);
        };
        asked.forEach((size, index) => {
          credit.acquire(size, () => {
            granted.push(index);
            held.push(size);
          });
          check();
          if (releases.next().value === true) releaseOne();
          check();
        });
        while (held.length > 0) releaseOne();
        expect(granted).toEqual(asked.map((_, index) => index));
      }),
    );
  });

  it("lets a limited number of responses out, however small", () => {
    const credit = new ResponseCredit();
    let granted = 0;
    for (let index = 0; index < MAX_UNRELEASED_RESPONSES + 5; index++) credit.acquire(0, () => granted++);
    expect(granted).toBe(MAX_UNRELEASED_RESPONSES);
    credit.release(0);
    expect(granted).toBe(MAX_UNRELEASED_RESPONSES + 1);
  });

  it("grants nothing that was withdrawn, and nothing once closed", () => {
    const credit = new ResponseCredit();
    const granted: string[] = [];
    credit.acquire(MAX_UNRELEASED_BYTES, () => granted.push("first"));
    const withdraw = credit.acquire(1, () => granted.push("withdrawn"));
    credit.acquire(MAX_UNRELEASED_BYTES, () => granted.push("second"));
    credit.acquire(1, () => granted.push("third"));
    withdraw();
    credit.release(MAX_UNRELEASED_BYTES);
    credit.close();
    credit.release(MAX_UNRELEASED_BYTES);
    expect(granted).toEqual(["first", "second"]);
  });
});
