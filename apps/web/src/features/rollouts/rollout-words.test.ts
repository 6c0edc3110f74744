import { expect, it } from "vitest";
import { evidenceText, figureText, gateName, percentOf, readPercents } from "./rollout-words.ts";

it.each([
  ["1, 5, 25, 50, 100", [1, 5, 25, 50, 100]],
  ["10 100", [10, 100]],
  ["", null],
  ["5, 5", null],
  ["50, 20", null],
  ["0, 10", null],
  ["10, 101", null],
  ["1.5", null],
  ["ten", null],
])("the steps %j are %j", (text, percents) => {
  expect(readPercents(text)).toEqual(percents);
});

it.each([
  ["latency-p99", "p99 latency"],
  ["latency-limit-p99.9", "p99.9 latency, limit"],
  ["errors", "Failed requests"],
])("the gate %s is called %s", (id, name) => {
  expect(gateName(id)).toBe(name);
});

it("figures have their unit, and what is not known is a dash", () => {
  expect([figureText(12.345, "ms"), figureText(null, "ms")]).toEqual(["12.3 ms", "–"]);
  expect([percentOf({ "1": 3, "2": 1 }, "2"), percentOf(null, "2")]).toEqual([25, null]);
  expect([evidenceText({ evidence: 0.5, needed: 2500 }), evidenceText({ evidence: null, needed: null })]).toEqual([
    "0.50 of 2500",
    "–",
  ]);
});
