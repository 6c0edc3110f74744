import type { ModelStatus } from "@nereid/client";
import { expect, it } from "vitest";
import { filterModels, modelsSentence } from "./filter-models.ts";

const model = (name: string, backend: string, ready: boolean, lastLoadError = ""): ModelStatus => ({
  name,
  inRepository: true,
  platform: "",
  backend,
  maxBatchSize: 0,
  scheduler: "default",
  versions: [
    { version: "1", state: ready ? "READY" : "UNAVAILABLE", reason: "", ready, pending: 0, queued: 0, instances: [] },
  ],
  warnings: [],
  pinned: null,
  lastLoadError,
});
const models = [
  model("ResNet-50", "onnxruntime", true),
  model("bert", "python", false, "boom"),
  model("add", "js", false),
];

it.each([
  ["", ["ResNet-50", "bert", "add"]],
  ["resnet", ["ResNet-50"]],
  ["onnx ready", ["ResNet-50"]],
  ["failed", ["bert"]],
  ["zzz", []],
])("the filter %j finds %j", (filter, names) => {
  expect(filterModels(models, filter).map(({ name }) => name)).toEqual(names);
});

it("says how the models are", () => {
  expect(modelsSentence(models)).toBe("1 of 3 models ready, 1 failed to load");
  expect(modelsSentence(models.slice(0, 1))).toBe("1 of 1 model ready");
});
