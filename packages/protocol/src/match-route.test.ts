import { describe, expect, it } from "vitest";
import { matchRoute } from "./index.ts";

describe("matchRoute()", () => {
  it.each([
    ["/v2", { kind: "serverMetadata", methods: ["GET"], category: "metadata" }],
    ["/v2?x=1", { kind: "serverMetadata" }],
    ["/v2/health/live", { kind: "serverLive", category: "health" }],
    ["/v2/health/ready", { kind: "serverReady", category: "health" }],
    ["/v2/models/stats", { kind: "allStatistics", category: "statistics" }],
    ["/v2/logging", { kind: "logging", methods: ["GET", "POST"], category: "logging" }],
    ["/v2/trace/setting", { kind: "globalTrace", category: "trace" }],
    ["/v2/models/a%20b", { kind: "modelMetadata", model: "a%20b", version: undefined, category: "metadata" }],
    ["/v2/models/m/versions/0", { kind: "modelMetadata", version: "0" }],
    [
      "/v2/models/m/versions/12/infer?y",
      { kind: "modelInfer", model: "m", version: "12", methods: ["POST"], category: "inference" },
    ],
    ["/v2/models/m/generate", { kind: "modelGenerate", methods: ["POST"] }],
    ["/v2/models/m/generate_stream", { kind: "modelGenerateStream" }],
    ["/v2/models/m/ready", { kind: "modelReady", category: "health" }],
    ["/v2/models/m/config", { kind: "modelConfig", category: "model-config" }],
    ["/v2/models/m/stats", { kind: "modelStatistics", category: "statistics" }],
    ["/v2/models/stats/stats", { kind: "modelStatistics", model: "stats" }],
    ["/v2/models/m/trace/setting", { kind: "modelTrace", model: "m", methods: ["GET", "POST"] }],
    [
      "/v2/systemsharedmemory/status",
      { kind: "systemSharedMemory", action: "status", region: undefined, methods: ["GET"] },
    ],
    [
      "/v2/cudasharedmemory/region/r/register",
      { kind: "cudaSharedMemory", action: "register", region: "r", methods: ["POST"] },
    ],
    [
      "/v2/systemsharedmemory/unregister",
      { kind: "systemSharedMemory", action: "unregister", category: "shared-memory" },
    ],
    ["/v2/repository/index", { kind: "repositoryIndex", methods: ["POST"], category: "model-repository" }],
    ["/v2/repository/r/index", { kind: "repositoryIndex" }],
    ["/v2/repository/models/m/load", { kind: "modelLoad", model: "m", repository: undefined }],
    ["/v2/repository/r/models/m/unload", { kind: "modelUnload", model: "m", repository: "r" }],
  ])("finds %s", (path, route) => {
    expect(matchRoute(path)).toMatchObject(route);
  });

  it.each([
    "/",
    "/v2/",
    "/v2/models",
    "/v2/models/",
    "/v2/models/m/",
    "/v2/models/m/versions/x/infer",
    "/v2/models/m/versions/1/trace/setting",
    "/v2/models/m/nothing",
    "/v2/health",
    "/v2/repository/models/m",
    "/v2/repository/a/b/index",
    "/v2/systemsharedmemory/region/r",
    "/v1/models/m",
  ])("has nothing for %s", (path) => {
    expect(matchRoute(path)).toBeUndefined();
  });
});
