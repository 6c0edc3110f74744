import { experimentSpec } from "@nereid/services/lab-specs";
import { expect, it } from "vitest";
import { FIRST_DRAFT, readExperimentDraft } from "./experiment-draft.ts";

const compared = {
  model: "mnist",
  served: { text: "max_batch_size: 8", digest: "a".repeat(64) },
  change: "max_batch_size: 16",
};
const typed = { ...FIRST_DRAFT, hypothesis: " larger batches answer more " };

it("a form with a hypothesis asks for something that may be asked", () => {
  const { request, errors, seconds } = readExperimentDraft(compared, typed);
  expect(errors).toEqual({});
  expect(experimentSpec.parse(request?.spec)).toMatchObject({
    hypothesis: "larger batches answer more",
    load: { kind: "concurrency", level: 8 },
    pairs: 6,
    leastEffect: 0.02,
    baseline: compared.served,
    change: { text: compared.change },
  });
  expect(seconds).toBe(84);
});

it.each([
  ["hypothesis", " "],
  ["level", "1.5"],
  ["pairs", "1"],
  ["windowSeconds", "0"],
  ["leastPercent", "60"],
  ["goodWithinMs", "-3"],
  ["shapes", "x"],
] as const)("a wrong field %s (%j) is named", (field, text) => {
  const { request, errors } = readExperimentDraft(compared, { ...typed, [field]: text });
  expect(request).toBeNull();
  expect(Object.keys(errors)).toEqual([field]);
});

it("good answers need a time, and rates need not be whole", () => {
  expect(readExperimentDraft(compared, { ...typed, metric: "goodput" }).errors).toHaveProperty("goodWithinMs");
  expect(readExperimentDraft(compared, { ...typed, loadKind: "rate", level: "12.5" }).errors).toEqual({});
});
