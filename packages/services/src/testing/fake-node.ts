import { createHash } from "node:crypto";
import type {
  Draft,
  FlightRecord,
  ModelProfile,
  ModelStatus,
  ServerStatus,
  ShadowStatus,
  TrafficStatus,
  VersionFiles,
} from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { InferenceNode } from "../context.ts";
import { BATCHING, LOG_LINES, MEMORY, SHADOW, SHAPES, SIMULATION } from "./fake-facts.ts";

const CREATED_MS = Date.parse("2026-11-20T08:00:00Z");

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A request that was slow because it waited, with all that can be remembered of one. */
const SLOW_REQUEST: FlightRecord = {
  serial: 7,
  id: "r-7",
  model: "resnet",
  version: "2",
  causes: ["slow"],
  atMs: CREATED_MS,
  outcome: "answered",
  totalNs: 9_000_000,
  queue: { position: 3, waitedNs: 6_000_000, priority: 1 },
  batch: { serial: 4, requests: 2, size: 3, reason: "preferred-size", leftWaiting: 1, mates: ["#6"] },
  instance: { name: "resnet_0_0", device: 0 },
  phases: { inputNs: 100_000, inferNs: 2_500_000, outputNs: 300_000 },
  bytes: { input: 12, output: 4, copied: 0 },
  sequence: "11",
  shapes: [{ name: "x", shape: [2, 3] }],
  cached: false,
  steps: [{ model: "crop", version: "1", startedNs: 0, queueNs: 10_000, computeNs: 20_000, copiedBytes: 12 }],
  writeNs: 40_000,
};

const FAILED_REQUEST: FlightRecord = {
  serial: 8,
  id: "",
  model: "resnet",
  version: "1",
  causes: ["sampled", "failed"],
  atMs: CREATED_MS + 1_000,
  outcome: "failed",
  error: { code: "UNAVAILABLE", message: "the queue is full" },
  totalNs: 20_000,
  queue: { position: 9, waitedNs: 0, priority: 0 },
  bytes: { input: 12, output: 0, copied: 0 },
  shapes: [],
};

const OPERATOR = { operator: "Relu", provider: "CPUExecutionProvider", calls: 4, totalUs: 80 };

const PROFILE: ModelProfile = {
  id: "5e0c1c35-7a53-4d35-9f4e-0d3f6a1b2c3d",
  model: "resnet",
  version: "1",
  seconds: 5,
  runs: 4,
  totalUs: 120,
  operators: [OPERATOR],
  nodes: [{ ...OPERATOR, node: "relu_1" }],
};

/** The files of a version whose model file has the content `model`. */
export function versionOf(version: string, content = `model ${version}`): VersionFiles {
  const file = { path: "model.onnx", bytes: content.length, sha256: sha256(content) };
  const tensor = { datatype: "FP32", dims: ["batch", 3] };
  return {
    version,
    digest: sha256(file.path + file.sha256),
    bytes: file.bytes,
    createdAtMs: CREATED_MS,
    files: [file],
    graph: {
      inputs: [{ name: "x", ...tensor }],
      outputs: [{ name: `y${version}`, ...tensor }],
      opset: { "": 17 },
      producer: "test",
      externalData: [],
      operators: { Relu: 1 },
    },
  };
}

export interface FakeNode extends InferenceNode {
  /** Puts a configuration on the disk behind the server's back. */
  writeConfig(text: string): void;
}

/**
 * A node with one model, `resnet`, in versions 1 to 3, that does what it is told; loading `broken` fails, unloading `stuck` does
 * nothing. Models share one state, but only of `resnet` a load is in progress, until it is cancelled.
 */
export function fakeNode(): FakeNode {
  let served: string[] = [];
  let pinned: string[] | null = null;
  let traffic: TrafficStatus | null = null;
  let shadow: ShadowStatus | null = null;
  let loading = true;
  let isDraining = false;
  let configText = 'name: "resnet"\n';
  let versions = ["1", "2", "3"].map((version) => versionOf(version));
  const drafts = new Map<string, Draft>();

  const status = (name: string): ModelStatus => ({
    name,
    inRepository: true,
    platform: "onnxruntime_onnx",
    backend: "onnxruntime",
    maxBatchSize: 8,
    scheduler: "dynamic",
    versions: [...new Set(["1", ...served])].sort().map((version) => {
      const ready = served.includes(version);
      return {
        version,
        state: ready ? "READY" : "UNAVAILABLE",
        reason: "",
        ready,
        pending: 0,
        queued: 0,
        instances: [],
      };
    }),
    warnings: [],
    pinned,
    lastLoadError: "",
    traffic,
    loading:
      loading && name === "resnet" ? [{ version: "3", stage: "warm-up", sinceMs: CREATED_MS, elapsedMs: 3_200 }] : [],
    wantedBy: served.length > 0 ? "person" : "nobody",
  });
  const pin = (wanted: readonly string[] | null) => {
    for (const version of wanted ?? []) requireVersion(version);
    pinned = wanted === null ? null : [...wanted];
    served = [...(wanted ?? ["1"])];
    return [];
  };
  const requireVersion = (version: string) => {
    if (!versions.some((one) => one.version === version)) {
      throw new NereidError("NOT_FOUND", `'resnet' has no version ${version}`);
    }
  };
  const requireDraft = (id: string): Draft => {
    const draft = drafts.get(id);
    if (draft === undefined) throw new NereidError("NOT_FOUND", `there is no draft '${id}'`);
    return draft;
  };
  const put = (draft: Draft): Draft => {
    drafts.set(draft.id, draft);
    return draft;
  };
  const serverStatus = async (): Promise<ServerStatus> => ({
    name: "nereid",
    version: "0.1.0",
    ready: true,
    controlMode: "explicit",
    repositories: ["/models"],
    startedAtMs: CREATED_MS,
    pid: 1,
    rssBytes: 1,
    cores: 2,
    httpPort: 8000,
    metricsPort: 8002,
    draining: isDraining,
  });
  return {
    writeConfig: (text) => {
      configText = text;
    },
    serverEvents: async () => [],
    serverStatus,
    setDraining: async (draining) => {
      isDraining = draining;
      return serverStatus();
    },
    models: async () => [status("resnet"), status("broken")],
    model: async (name) => status(name),
    modelMetadata: async (name) => ({ name, versions: ["1"], platform: "onnxruntime_onnx", inputs: [], outputs: [] }),
    modelConfig: async (name) => ({ name }),
    infer: async (name, { id = "" }) => ({ modelName: name, modelVersion: "1", id, outputs: [] }),
    generateStream: async function* (name) {
      yield { model_name: name, model_version: "1" };
    },
    loadModel: async (name) => {
      if (name === "broken") throw new NereidError("INVALID_ARGUMENT", "failed to load 'broken': no model.onnx");
      served = ["1"];
      return [{ code: "UNUSED_FIELD", message: "dynamic_batching is ignored" }];
    },
    unloadModel: async (name) => {
      if (name !== "stuck") served = [];
    },
    cancelLoad: async (name) => {
      if (!loading || name !== "resnet") throw new NereidError("CONFLICT", `no load of model '${name}' is in progress`);
      loading = false;
      return { cancelled: 1 };
    },
    profile: async (model, { seconds = 5, version = "1" } = {}) => {
      requireVersion(version);
      return { ...PROFILE, model, seconds, version };
    },
    simulate: async () => SIMULATION,
    operateInstance: async (_model, { action, index, version = "1" }) => {
      const instance = BATCHING.instances[index];
      if (instance === undefined) throw new NereidError("NOT_FOUND", `there is no instance ${index}`);
      return { version, instance: { ...instance, phase: action === "drain" ? "drained" : "serving" } };
    },
    profileTrace: async (model, id) => {
      if (id !== PROFILE.id) throw new NereidError("NOT_FOUND", `there is no profile '${id}' of model '${model}'`);
      return [{ cat: "Node", name: "relu_1_kernel_time", dur: 20 }];
    },
    addCandidate: async (of, { name }) => {
      requireVersion("1");
      return { name, of, versions: ["1"], warnings: [], expiresAt: new Date(CREATED_MS).toISOString() };
    },
    candidates: async () => [],
    removeCandidate: async (name) => {
      throw new NereidError("NOT_FOUND", `there is no candidate '${name}'`);
    },
    divideTraffic: async (_name, wanted) => {
      for (const version of Object.keys(wanted?.weights ?? {})) requireVersion(version);
      const sum = Object.values(wanted?.weights ?? {}).reduce((total, weight) => total + weight, 0);
      traffic = wanted && {
        ...wanted,
        shares: Object.fromEntries(Object.entries(wanted.weights).map(([version, weight]) => [version, weight / sum])),
      };
      return { traffic, warnings: [] };
    },
    shadow: async () => shadow,
    startShadow: async (_name, { target, percent }) => {
      if (!target.includes("/")) requireVersion(target);
      const begun = { ...SHADOW, target, percent };
      shadow = begun;
      return begun;
    },
    stopShadow: async () => {
      shadow = null;
    },
    requests: async ({ id, model, cause, limit = 50 } = {}) =>
      [FAILED_REQUEST, SLOW_REQUEST]
        .filter((one) => id === undefined || one.id === id)
        .filter((one) => model === undefined || one.model === model)
        .filter((one) => cause === undefined || one.causes.includes(cause))
        .slice(0, limit),
    batching: async () => [BATCHING],
    shapes: async () => [SHAPES],
    memory: async () => MEMORY,
    logs: async ({ after = 0 } = {}) => ({ lines: LOG_LINES.filter(({ id }) => id > after), next: 2, gap: false }),
    logStream: async function* ({ after = 0 } = {}) {
      yield* LOG_LINES.filter(({ id }) => id > after);
    },
    modelConfigState: async () => ({
      text: configText,
      digest: sha256(configText),
      exists: true,
      effective: null,
      graph: versions[0]?.graph ?? null,
    }),
    checkConfig: async (_name, text) => ({
      diagnostics: [],
      effective: text,
      change: { kind: "reload", fields: ["max_batch_size"] },
    }),
    applyConfig: async (_name, { text, ifDigest }) => {
      if (ifDigest !== sha256(configText)) {
        throw new NereidError("CONFLICT", "the configuration was changed meanwhile", {
          details: { digest: sha256(configText) },
        });
      }
      if (text.includes("bad")) throw new NereidError("INVALID_ARGUMENT", "line 1: bad field");
      configText = text;
      return { digest: sha256(text), change: { kind: "reload", fields: ["max_batch_size"] }, warnings: [] };
    },
    versionFiles: async () => versions,
    pinVersions: async (_name, wanted) => pin(wanted),
    loadVersion: async (_name, version) => pin([...served, version]),
    unloadVersion: async (_name, version) => {
      const rest = served.filter((one) => one !== version);
      if (rest.length > 0) return pin(rest);
      served = [];
      return [];
    },
    deleteVersion: async (_name, version) => {
      requireVersion(version);
      if (served.includes(version)) throw new NereidError("CONFLICT", `version ${version} is served`);
      versions = versions.filter((one) => one.version !== version);
    },
    deleteModel: async (name) => {
      if (served.length > 0) throw new NereidError("CONFLICT", `'${name}' is served`);
    },
    versionArchive: async (name, version) => {
      requireVersion(version);
      return new Blob([`tar of ${name}/${version}`]).stream();
    },
    drafts: async () => [...drafts.values()],
    draft: async (id) => requireDraft(id),
    openDraft: async ({ author, model = null, version = null }) =>
      put({
        id: `d${drafts.size + 1}`,
        createdAtMs: CREATED_MS,
        author,
        state: "open",
        model,
        version,
        configText: null,
        uploads: [],
        step: "",
        report: null,
        problem: null,
      }),
    editDraft: async (id, patch) => put({ ...requireDraft(id), ...patch, state: "open", report: null }),
    checkDraft: async (id) => {
      const draft = requireDraft(id);
      const files = versionOf(draft.version ?? "4");
      const text = draft.configText ?? 'name: "resnet"\nmax_batch_size: 4\n';
      return put({
        ...draft,
        state: "ready",
        report: {
          model: draft.model ?? "resnet",
          version: files.version,
          newModel: false,
          files: files.files,
          digest: files.digest,
          duplicateOf: null,
          graph: files.graph,
          config: {
            text,
            source: "proposed",
            before: configText,
            beforeDigest: sha256(configText),
            diagnostics: [],
          },
          trial: { outcome: "passed", reason: "", loadSeconds: 0.5, rssBytes: 1, inferences: [] },
          findings: [],
        },
      });
    },
    publishDraft: async (id, { load }) => {
      const { report, state } = requireDraft(id);
      if (report === null || state !== "ready") throw new NereidError("CONFLICT", "check the draft first");
      versions = [versionOf(report.version), ...versions];
      configText = report.config.text;
      const { model, version, digest } = report;
      return { model, version, digest, configDigest: sha256(configText), loaded: load, loadError: null, warnings: [] };
    },
    discardDraft: async (id) => {
      requireDraft(id);
      drafts.delete(id);
    },
  };
}
