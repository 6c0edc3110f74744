import type { ModelStatus, TrafficStatus, VersionState } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { divideRefusal, draftOf, readDraft, sharesOf, trafficRows } from "./traffic-draft.ts";

const model = (
  states: Readonly<Record<string, VersionState>>,
  traffic: TrafficStatus | null = null,
): Pick<ModelStatus, "versions" | "traffic"> => ({
  versions: Object.entries(states).map(([version, state]) => ({
    version,
    state,
    reason: "",
    ready: state === "READY",
    pending: 0,
    queued: 0,
    instances: [],
  })),
  traffic,
});
const divided = { weights: { "1": 90, "3": 10 }, shares: { "1": 1 }, stickyHeader: "x-user" };

describe("trafficRows", () => {
  it("gives all to the highest version that is served, by number, while nothing is divided", () => {
    expect(trafficRows(model({ "9": "READY", "10": "READY", "11": "UNAVAILABLE" }))).toEqual([
      { version: "10", weight: null, share: 1, served: true },
      { version: "9", weight: null, share: 0, served: true },
    ]);
    expect(trafficRows(model({ "1": "UNAVAILABLE" }))).toEqual([]);
  });

  it("has every version that is served or has a weight", () => {
    expect(trafficRows(model({ "1": "READY", "2": "READY", "3": "LOADING" }, divided))).toEqual([
      { version: "3", weight: 10, share: 0, served: false },
      { version: "2", weight: null, share: 0, served: true },
      { version: "1", weight: 90, share: 1, served: true },
    ]);
  });
});

it("divideRefusal asks for two versions that are served", () => {
  expect(divideRefusal([])).toContain("No version");
  expect(divideRefusal(trafficRows(model({ "1": "READY" })))).toContain("Only one version");
  expect(divideRefusal(trafficRows(model({ "1": "READY", "2": "READY" })))).toBeNull();
});

describe("a draft", () => {
  it("begins as things are, and reads back as the same", () => {
    const rows = trafficRows(model({ "1": "READY", "2": "READY" }));
    expect(draftOf(rows, null)).toEqual({ weights: { "1": "0", "2": "100" }, stickyHeader: "" });
    const draft = draftOf(trafficRows(model({ "1": "READY" }, divided)), divided);
    expect(readDraft(draft)).toEqual({
      kind: "right",
      traffic: { weights: { "1": 90, "3": 10 }, stickyHeader: "x-user" },
    });
  });

  it.each(["", "-1", "0.5", "1e3", "many", "1000001", "10000000"])("refuses the weight %j at its field", (text) => {
    expect(readDraft({ weights: { "1": text, "2": "1" }, stickyHeader: "" })).toEqual({
      kind: "wrong",
      weights: { "1": expect.stringContaining("whole number") },
      stickyHeader: undefined,
      whole: undefined,
    });
  });

  it("refuses nothing at all, and what is no header", () => {
    expect(readDraft({ weights: { "1": "0", "2": "0" }, stickyHeader: "x user" })).toMatchObject({
      kind: "wrong",
      weights: {},
      stickyHeader: expect.stringContaining("x-user"),
      whole: expect.stringContaining("above 0"),
    });
  });

  it("says which shares come of it, of the versions that are served", () => {
    const rows = trafficRows(model({ "1": "READY", "2": "READY", "3": "LOADING" }, divided));
    expect(sharesOf({ weights: { "1": "30", "2": "10", "3": "60" } }, rows)).toEqual({ "1": 0.75, "2": 0.25, "3": 0 });
    expect(sharesOf({ weights: { "1": "x", "2": "0" } }, rows)).toEqual({});
  });
});

it("a candidate stands before the versions, and is told from one that does not answer", () => {
  const traffic = { weights: { "1": 90, "trial/1": 10, "gone/1": 5 }, shares: { "1": 0.9, "trial/1": 0.1 } };
  expect(trafficRows(model({ "1": "READY" }, traffic))).toEqual([
    { version: "trial/1", weight: 10, share: 0.1, served: true },
    { version: "gone/1", weight: 5, share: 0, served: false },
    { version: "1", weight: 90, share: 0.9, served: true },
  ]);
});
