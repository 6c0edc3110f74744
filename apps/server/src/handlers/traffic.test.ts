import { expect, it } from "vitest";
import { parseShadow } from "../shadow/shadow-rules.ts";
import { parseTraffic } from "./traffic.ts";

const STAMP = "1763850000000000000";

it("a version of 19 digits, such as a time in nanoseconds, was served and could have no share of the traffic", () => {
  expect(parseTraffic({ weights: { [STAMP]: 1, "01": 2, "c/02": 3 } })).toEqual({
    weights: { [STAMP]: 1, "1": 2, "c/2": 3 },
  });
  expect(parseShadow({ target: `c/${STAMP}`, percent: 1 }).target).toBe(`c/${STAMP}`);
  for (const none of ["9223372036854775808", "x", "-1", "c/"]) {
    expect(() => parseTraffic({ weights: { [none]: 1 } })).toThrow("is not a version");
    expect(() => parseShadow({ target: none, percent: 1 })).toThrow("'target' must be a version");
  }
});
