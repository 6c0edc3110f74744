import type { ModelStatus } from "@nereid/client";
import type { Database } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import type { Role } from "../access/actor.ts";
import type { InferenceNode, ServiceContext } from "../context.ts";

/** A node with one model, `resnet`, that loads and unloads; loading `broken` fails, unloading `stuck` does nothing. */
export function fakeNode(): InferenceNode {
  let state: "READY" | "UNAVAILABLE" = "UNAVAILABLE";
  const status = (name: string): ModelStatus => ({
    name,
    inRepository: true,
    platform: "onnxruntime_onnx",
    backend: "onnxruntime",
    maxBatchSize: 8,
    scheduler: "dynamic",
    versions: [{ version: "1", state, reason: "", ready: state === "READY", pending: 0, instances: [] }],
    warnings: [],
    lastLoadError: "",
  });
  return {
    models: async () => [status("resnet"), status("broken")],
    model: async (name) => status(name),
    modelMetadata: async (name) => ({ name, versions: ["1"], platform: "onnxruntime_onnx", inputs: [], outputs: [] }),
    loadModel: async (name) => {
      if (name === "broken") throw new NereidError("INVALID_ARGUMENT", "failed to load 'broken': no model.onnx");
      state = "READY";
      return [{ code: "UNUSED_FIELD", message: "dynamic_batching is ignored" }];
    },
    unloadModel: async (name) => {
      if (name !== "stuck") state = "UNAVAILABLE";
    },
  };
}

/** A context as the web process would make it, with a frozen clock. */
export function testContext(db: Database, role: Role = "operator"): ServiceContext {
  return {
    actor: { id: "u1", name: "Ada", role },
    db,
    node: fakeNode(),
    metrics: {
      connection: { state: "live", since: 0 },
      recent: () => [],
      follow: async function* () {},
    },
    clock: { now: () => Date.parse("2026-11-21T08:00:00Z") },
    requestId: "req-1",
  };
}
