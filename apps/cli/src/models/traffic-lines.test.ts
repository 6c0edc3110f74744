import { expect, it } from "vitest";
import { trafficLines } from "./traffic-lines.ts";

it("says where everything goes when nothing is divided", () => {
  expect(trafficLines("m", null)).toEqual([
    "m: all requests that name no version go to the highest version that is ready",
  ]);
});

it("has a row for each version, by number, and says of which nothing comes", () => {
  const weights = { "10": 10, "2": 60, "3": 30 };
  expect(trafficLines("m", { weights, shares: { "2": 6 / 7, "10": 1 / 7 }, stickyHeader: "x-user" })).toEqual([
    "m: requests that name no version",
    "version  weight  share now",
    "      2      60     85.7 %",
    "      3      30      0.0 %  is not served: the others have its share",
    "     10      10     14.3 %",
    "the same value of x-user goes to the same version",
  ]);
});

it("shows the version that stands in when none with a weight serves", () => {
  expect(trafficLines("m", { weights: { "2": 1 }, shares: { "1": 1 } })).toEqual([
    "m: requests that name no version",
    "version  weight  share now",
    "      1       -    100.0 %",
    "      2       1      0.0 %  is not served: the others have its share",
  ]);
});
