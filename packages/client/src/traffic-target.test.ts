import { expect, it } from "vitest";
import { compareTrafficTargets, trafficTargetText } from "./index.ts";

it("versions of 19 digits that were close together stood in any order", () => {
  const keys = ["1763850000000000002", "1763850000000000001", "9"];
  expect(keys.toSorted(compareTrafficTargets)).toEqual(["9", "1763850000000000001", "1763850000000000002"]);
});

it("versions stand by number, candidates behind them by name", () => {
  const keys = ["b/1", "10", "a/2", "9", "a/1"];
  expect(keys.toSorted(compareTrafficTargets)).toEqual(["9", "10", "a/1", "a/2", "b/1"]);
  expect(keys.map(trafficTargetText)).toEqual(["candidate b", "version 10", "candidate a", "version 9", "candidate a"]);
});
