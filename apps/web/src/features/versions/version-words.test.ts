import { describe, expect, it } from "vitest";
import { toggled } from "./search-params.ts";
import { rollbackTarget, servedWords, tensorText, versionRefusals } from "./version-words.ts";

const row = (version: string, state: "READY" | "UNAVAILABLE", digest = "d") => ({ version, state, digest });

describe("versionRefusals", () => {
  it("protects what is served", () => {
    expect(versionRefusals(row("1", "READY"))).toEqual({
      load: expect.stringContaining("served"),
      unload: null,
      remove: expect.stringContaining("Unload it first"),
    });
    expect(versionRefusals(row("1", "UNAVAILABLE"))).toMatchObject({ load: null, remove: null });
  });

  it("does nothing while it is changing or gone", () => {
    expect(Object.values(versionRefusals({ state: "LOADING", digest: "d" })).every((why) => why !== null)).toBe(true);
    expect(versionRefusals(row("1", "UNAVAILABLE", "")).load).toContain("no longer on the disk");
  });
});

describe("rollbackTarget", () => {
  it("is the newest before the highest that is served, by number", () => {
    expect(rollbackTarget([row("10", "READY"), row("9", "UNAVAILABLE"), row("2", "READY")])).toBe("9");
    expect(rollbackTarget([row("10", "UNAVAILABLE"), row("9", "READY"), row("2", "UNAVAILABLE")])).toBe("2");
  });

  it("is none without something served or something older", () => {
    expect(rollbackTarget([row("1", "READY"), row("2", "UNAVAILABLE")])).toBeNull();
    expect(rollbackTarget([row("1", "UNAVAILABLE")])).toBeNull();
    expect(rollbackTarget([row("2", "READY"), row("1", "UNAVAILABLE", "")])).toBeNull();
  });
});

it("words", () => {
  expect(servedWords({ pinned: true, servedByPolicy: null, state: "READY" })).toBe("Pinned");
  expect(servedWords({ pinned: false, servedByPolicy: true, state: "READY" })).toBe("By policy");
  expect(servedWords({ pinned: false, servedByPolicy: false, state: "UNAVAILABLE" })).toBe("–");
  expect(tensorText({ name: "x", datatype: "FP32", dims: ["n", -1, 3] })).toBe("FP32 [n, ?, 3]");
  expect(tensorText(null)).toBe("not there");
});

it("compares at most two", () => {
  expect(toggled([], "1")).toEqual(["1"]);
  expect(toggled(["1", "2"], "3")).toEqual(["2", "3"]);
  expect(toggled(["1", "2"], "1")).toEqual(["2"]);
});
