import type { ShadowDisagreement } from "@nereid/client";
import { describe, expect, it } from "vitest";
import {
  differenceText,
  dropTexts,
  figure,
  firstTarget,
  inputText,
  placeText,
  readShadow,
  sideText,
  targetText,
} from "./shadow-words.ts";

const NONE = {
  "primary-busy": 0,
  "target-not-ready": 0,
  "target-busy": 0,
  memory: 0,
  "too-large": 0,
  behind: 0,
  unsupported: 0,
};
const worst = (part: Partial<ShadowDisagreement>): ShadowDisagreement => ({
  requestId: "r",
  at: "",
  agreed: false,
  output: "logits",
  index: 3,
  primary: 1.25,
  shadow: 1,
  absolute: 0.25,
  relative: 0.2,
  inputs: [],
  ...part,
});

describe("a disagreement", () => {
  it.each([
    [worst({}), "logits[3]", "0.25 (20 %)"],
    [worst({ relative: null }), "logits[3]", "0.25"],
    [worst({ absolute: null }), "logits[3]", "no number"],
    [worst({ index: -1, absolute: null }), "logits", "other type or shape"],
  ])("%# is said as a place and a difference", (one, place, difference) => {
    expect([placeText(one), differenceText(one)]).toEqual([place, difference]);
  });

  it("shows both sides as they are", () => {
    expect([1 / 3, "NaN", true, null].map(sideText)).toEqual(["0.3333333", "NaN", "true", "missing"]);
    const input = { name: "x", datatype: "FP32", shape: [1, 3], first: [0.5, "NaN"] };
    expect(inputText(input)).toBe("x FP32 [1,3]: 0.5, NaN, …");
  });
});

it("figures are short whatever their size", () => {
  expect([0, 0.25, 12.3456, 1.5e-7, 250_000].map(figure)).toEqual(["0", "0.25", "12.35", "1.50e-7", "2.50e+5"]);
});

it("what was left out is told by reason, the most frequent first", () => {
  expect(dropTexts(NONE)).toEqual([]);
  expect(dropTexts({ ...NONE, memory: 1, "target-busy": 3 })).toEqual([
    "3 because the target was busy",
    "1 because too little memory",
  ]);
});

it("targets are told apart", () => {
  expect(["2", "trial/1"].map(targetText)).toEqual(["version 2", "candidate trial, version 1"]);
  expect([["1", "2"], ["1", "trial/1"], []].map(firstTarget)).toEqual(["1", "trial/1", ""]);
});

describe("a draft", () => {
  const draft = { target: "2", percent: "10", absolute: "1e-5", relative: "0.001" };
  it("is read as numbers", () => {
    expect(readShadow(draft)).toEqual({ kind: "right", percent: 10, absolute: 1e-5, relative: 0.001 });
  });

  it.each(["", "0", "100.1", "all"])("refuses the share %j", (percent) => {
    expect(readShadow({ ...draft, percent })).toEqual({
      kind: "wrong",
      errors: { percent: expect.stringContaining("0.1 to 100") },
    });
  });

  it("refuses tolerances below 0", () => {
    expect(readShadow({ ...draft, absolute: "-1", relative: "" })).toMatchObject({
      errors: { absolute: "A number from 0", relative: "A number from 0" },
    });
  });
});
