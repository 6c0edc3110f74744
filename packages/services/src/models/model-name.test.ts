import { expect, it } from "vitest";
import { startShadowInput } from "../shadow/shadow-input.ts";
import { divideTrafficInput } from "./divide-traffic.ts";
import { versionNumber } from "./model-name.ts";

it("some inputs took versions of 19 digits and some did not, and one took more than a server has", () => {
  for (const [version, isTaken] of [
    ["9223372036854775807", true],
    ["9223372036854775808", false],
    ["01", false],
  ] as const) {
    expect(versionNumber.safeParse(version).success).toBe(isTaken);
    for (const target of [version, `c/${version}`]) {
      expect(divideTrafficInput.safeParse({ name: "m", weights: { [target]: 1 } }).success).toBe(isTaken);
      expect(startShadowInput.safeParse({ name: "m", target, percent: 1 }).success).toBe(isTaken);
    }
  }
});
