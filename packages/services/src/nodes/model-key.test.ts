import { expect, it } from "vitest";
import { modelKey } from "./model-key.ts";

it("records of a model on another node are not those of the local one of the same name", () => {
  expect(modelKey({ nodeId: "local" }, "resnet")).toBe("resnet");
  expect(modelKey({ nodeId: "n1" }, "resnet")).toBe("n1/resnet");
});
