import type { ModelStatus, VersionState, VersionStatus } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { isChanging, isLoaded, modelState, versionState, versionText } from "./model-state.ts";

const version = (state: VersionState, more: Partial<VersionStatus> = {}): VersionStatus => ({
  version: "1",
  state,
  reason: "",
  ready: state === "READY",
  pending: 0,
  queued: 0,
  instances: [],
  ...more,
});
const model = (versions: VersionStatus[], lastLoadError = ""): ModelStatus => ({
  name: "m",
  inRepository: true,
  platform: "",
  backend: "onnxruntime",
  maxBatchSize: 0,
  scheduler: "default",
  versions,
  warnings: [],
  pinned: null,
  lastLoadError,
});

const QUEUED = { version: "", stage: "queued", sinceMs: 0, elapsedMs: 0 } as const;

describe("versionState", () => {
  it.each([
    [version("READY"), "ready", ""],
    [version("READY", { ready: false }), "unavailable", "its runner does not answer"],
    [version("LOADING"), "loading", ""],
    [version("UNAVAILABLE", { reason: "unloaded" }), "unloaded", ""],
    [version("UNAVAILABLE", { reason: "out of memory" }), "unavailable", "out of memory"],
    [version("UNKNOWN"), "unknown", ""],
  ] as const)("%j", (status, state, reason) => {
    expect(versionState(status)).toEqual({ state, reason });
  });
});

describe("modelState", () => {
  it.each([
    ["never loaded", model([]), "unloaded"],
    [
      "one version serves while another failed",
      model([version("UNAVAILABLE", { reason: "x" }), version("READY")]),
      "ready",
    ],
    ["reload failed, old version serves", model([version("READY")], "boom"), "ready"],
    ["load failed", model([version("UNAVAILABLE", { reason: "boom" })], "boom"), "failed"],
    ["loading after a failure", model([version("LOADING")], "boom"), "loading"],
    ["load that waits after a failure", { ...model([], "boom"), loading: [QUEUED] }, "loading"],
    ["reload that waits", { ...model([version("READY")]), loading: [QUEUED] }, "ready"],
  ])("%s", (_name, status, state) => {
    expect(modelState(status).state).toBe(state);
  });
});

it("isChanging also while a load waits", () => {
  const ready = model([version("READY")]);
  expect([isChanging(ready), isChanging({ ...ready, loading: [QUEUED] })]).toEqual([false, true]);
  expect(isChanging(model([version("UNLOADING")]))).toBe(true);
});

it("isLoaded and versionText look at what serves", () => {
  const status = model([version("UNAVAILABLE"), version("READY", { version: "3" })]);
  expect([isLoaded(status), versionText(status)]).toEqual([true, "3"]);
  expect([isLoaded(model([])), versionText(model([]))]).toEqual([false, "–"]);
});
