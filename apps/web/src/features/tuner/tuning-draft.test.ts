import { tuningSpec } from "@nereid/services/lab-specs";
import { expect, it } from "vitest";
import { firstDraft, readDraft } from "./tuning-draft.ts";

const first = firstDraft({ maxBatchSize: 8, cores: 2, promisedMs: 20 });

it("a form as it begins asks for something that may be asked", () => {
  const { request, errors, points } = readDraft("mnist", first);
  expect(errors).toEqual({});
  expect(tuningSpec.parse(request?.spec)).toMatchObject({
    model: "mnist",
    load: { kind: "concurrency", levels: [1, 2, 4, 8, 16, 32, 64] },
    space: { instances: [1, 2], maxBatchSizes: [1, 2, 4, 8], queueDelaysUs: [null, 0, 500, 2000], threads: [null] },
    goodWithinMs: 20,
    guard: { liveP99Ms: 20 },
  });
  expect(points).toBe(7 * 2 * 4 * 4);
});

it("so does that of a model without batches, and without a promise", () => {
  const { request } = readDraft("m", firstDraft({ maxBatchSize: 0, cores: 1, promisedMs: null }));
  expect(tuningSpec.parse(request?.spec)).toMatchObject({
    space: { instances: [1], maxBatchSizes: [0], queueDelaysUs: [null] },
    goodWithinMs: null,
  });
});

it("recorded arrivals are those of the last minutes, at several speeds", () => {
  const { request } = readDraft("m", { ...first, loadKind: "recorded", levels: "1, 2" });
  expect(request?.spec.load).toEqual({
    kind: "recorded",
    source: { kind: "server", seconds: 300 },
    levels: [1, 2],
  });
});

it.each([
  ["levels", "many"],
  ["instances", "0"],
  ["maxBatchSizes", "5000"],
  ["delaysUs", ""],
  ["threads", "0"],
  ["goodWithinMs", "-1"],
  ["liveP99Ms", "fast"],
  ["measurements", "1.5"],
  ["measureSeconds", "0"],
  ["shapes", "x"],
] as const)("a wrong field %s (%s) is named, and nothing is asked for", (field, text) => {
  const { request, errors } = readDraft("m", { ...first, [field]: text });
  expect(request).toBeNull();
  expect(Object.keys(errors)).toEqual([field]);
});
