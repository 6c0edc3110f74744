import { expect, it } from "vitest";
import { parseWeights } from "./parse-weights.ts";

it.each([
  ["1=90,2=10", { "1": 90, "2": 10 }],
  [" 1 = 90 , 10=0", { "1": 90, "10": 0 }],
  ["007=1", { "7": 1 }],
  ["9223372036854775807=1", { "9223372036854775807": 1 }],
])("parseWeights(%j)", (text, weights) => {
  expect(parseWeights(text)).toEqual(weights);
});

it.each([
  ["", "'' is not VERSION=WEIGHT"],
  ["1", "'1' is not VERSION=WEIGHT"],
  ["1=0.5", "'1=0.5' is not VERSION=WEIGHT"],
  ["1=-1", "'1=-1' is not VERSION=WEIGHT"],
  ["9223372036854775808=1", "'9223372036854775808=1' is not VERSION=WEIGHT"],
  ["one=1", "'one=1' is not VERSION=WEIGHT"],
  ["1=1,", "'' is not VERSION=WEIGHT"],
  ["1=1,01=2", "version 1 has two weights"],
])("parseWeights(%j) is refused", (text, message) => {
  expect(() => parseWeights(text)).toThrow(message);
});
