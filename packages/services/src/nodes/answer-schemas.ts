import type { NereidClient } from "@nereid/client";
import { z } from "zod";

/*
 * What must hold of a server's answers before a verb reads them: the fields that are always there, by type. Fields that are not named may be
 * anything, and what came with a later release need not be there: servers are of many releases.
 */

const text = z.string();
const number = z.number();
const texts = z.array(text);
const record = z.record(text, z.unknown());
const loose = z.looseObject;

const warnings = z.array(loose({ code: text, message: text }));
const traffic = loose({ weights: z.record(text, number), shares: z.record(text, number) });
const tensors = z.array(
  loose({ name: text, datatype: text, shape: z.array(z.union([number, z.string().regex(/^-?\d+$/)])) }),
);
const dims = z.array(z.union([number, text]));
const graphTensors = z.array(loose({ name: text, datatype: text, dims }));
const graph = loose({
  inputs: graphTensors,
  outputs: graphTensors,
  opset: record,
  externalData: texts,
  operators: z.record(text, number),
}).nullable();

const instance = loose({ name: text, kind: text, device: number });
const modelStatus = loose({
  name: text,
  inRepository: z.boolean(),
  platform: text,
  backend: text,
  maxBatchSize: number,
  scheduler: text,
  versions: z.array(
    loose({
      version: text,
      state: text,
      reason: text,
      ready: z.boolean(),
      pending: number,
      instances: z.array(instance),
      placement: z.record(text, number).optional(),
      runner: loose({ pid: number, restarts: number, memory: record }).optional(),
    }),
  ),
  warnings,
  pinned: texts.nullable(),
  lastLoadError: text,
  traffic: traffic.nullish(),
  loading: z.array(loose({ version: text, stage: text, sinceMs: number, elapsedMs: number })).optional(),
});
const shadow = loose({
  target: text,
  percent: number,
  startedAt: text,
  mirrored: number,
  dropped: z.record(text, number),
  failed: number,
  compared: number,
  agreed: number,
  maxAbsolute: number,
  maxRelative: number,
  top1: loose({ same: number, of: number }),
  latency: record,
  worst: z.array(loose({ requestId: text, at: text, output: text, index: number, inputs: z.array(record) })),
});
const trafficChange = loose({ traffic: traffic.nullable(), warnings });

const event = loose({
  id: number,
  atMs: number,
  kind: text,
  model: text,
  version: text,
  reason: text,
  versions: texts.optional(),
});

const flight = loose({
  serial: number,
  id: text,
  model: text,
  version: text,
  causes: texts,
  atMs: number,
  outcome: text,
  error: loose({ code: text, message: text }).optional(),
  totalNs: number,
  queue: loose({ position: number, waitedNs: number, priority: number }),
  batch: loose({ serial: number, requests: number, size: number, reason: text, mates: texts }).optional(),
  instance: loose({ name: text }).optional(),
  phases: loose({ inputNs: number, inferNs: number, outputNs: number }).optional(),
  bytes: loose({ input: number, output: number, copied: number }),
  shapes: z.array(loose({ name: text, shape: z.array(number) })),
  steps: z.array(loose({ model: text, version: text, startedNs: number })).optional(),
});

const pairs = z.array(z.tuple([number, number]));
const batching = loose({
  version: text,
  scheduler: text,
  maxBatchSize: number,
  preferredBatchSizes: z.array(number),
  policies: z.array(record),
  defaultPolicy: record,
  batchSizes: pairs,
  closed: z.record(text, number),
  wait: pairs,
  refusals: z.array(loose({ level: number })),
  instances: z.array(instance),
});
const shapes = loose({
  version: text,
  maxBatchSize: number,
  inputs: z.array(loose({ name: text, datatype: text, dims: z.array(number) })),
  rows: z.array(loose({ inputs: z.array(loose({ name: text, shape: z.array(number) })), count: number })),
});
const memory = loose({
  loads: z.array(loose({ version: text, atMs: number })),
  estimates: z.array(loose({ version: text, bytes: number })),
  holders: z.array(loose({ model: text, version: text, bytes: number })),
  serverBytes: number,
});
export const logLine = loose({
  id: number,
  atMs: number,
  level: text,
  source: text,
  model: text,
  version: text,
  instance: text,
  requestId: text,
  text,
});

const file = loose({ path: text, bytes: number, sha256: text });
const diagnostics = z.array(loose({ severity: text, code: text, message: text }));
const change = loose({ kind: text, fields: texts });
const draft = loose({
  id: text,
  createdAtMs: number,
  author: text,
  state: text,
  model: text.nullable(),
  version: text.nullable(),
  configText: text.nullable(),
  uploads: z.array(loose({ id: text, path: text, bytes: number, receivedBytes: number })),
  report: loose({
    files: z.array(file),
    graph,
    config: loose({ text, diagnostics }),
    trial: loose({ outcome: text, inferences: z.array(record) }),
    findings: z.array(loose({ severity: text, code: text, message: text })),
  }).nullable(),
  problem: loose({ message: text }).nullable(),
});
const operators = z.array(loose({ operator: text, provider: text, calls: number, totalUs: number }));
const serverStatus = loose({
  name: text,
  version: text,
  ready: z.boolean(),
  controlMode: text,
  repositories: texts,
  startedAtMs: number,
  cores: number,
  grpcPort: number.optional(),
});

export interface ExpectedAnswer {
  /** For messages: the answer is no `what`. */
  readonly what: string;
  readonly schema: z.ZodType;
}

/** By call. Calls that are not here answer nothing, or bytes, or are checked where they are decoded. */
export const EXPECTED_ANSWERS: Readonly<Partial<Record<keyof NereidClient, ExpectedAnswer>>> = {
  serverMetadata: { what: "description of a server", schema: loose({ name: text, version: text, extensions: texts }) },
  serverStatus: { what: "status of a server", schema: serverStatus },
  setDraining: { what: "status of a server", schema: serverStatus },
  modelMetadata: {
    what: "description of a model",
    schema: loose({ name: text, platform: text, inputs: tensors, outputs: tensors }),
  },
  modelConfig: { what: "configuration of a model", schema: record },
  repositoryIndex: {
    what: "list of models",
    schema: z.array(loose({ name: text, version: text.optional(), state: text.optional(), reason: text.optional() })),
  },
  statistics: {
    what: "list of statistics",
    schema: loose({ model_stats: z.array(loose({ name: text, version: text, inference_stats: record })) }),
  },
  models: { what: "list of models", schema: z.array(modelStatus) },
  model: { what: "status of a model", schema: modelStatus },
  loadModel: { what: "list of warnings", schema: warnings },
  pinVersions: { what: "list of warnings", schema: warnings },
  loadVersion: { what: "list of warnings", schema: warnings },
  unloadVersion: { what: "list of warnings", schema: warnings },
  cancelLoad: { what: "number of loads", schema: loose({ cancelled: number }) },
  serverEvents: { what: "list of events", schema: z.array(event) },
  traffic: { what: "division of requests", schema: traffic.nullable() },
  divideTraffic: { what: "division of requests", schema: trafficChange },
  addCandidate: { what: "candidate", schema: loose({ name: text, of: text, versions: texts, warnings }) },
  shadow: { what: "account of mirrored requests", schema: shadow.nullable() },
  startShadow: { what: "account of mirrored requests", schema: shadow },
  profile: {
    what: "profile",
    schema: loose({ id: text, runs: number, totalUs: number, operators, nodes: operators }),
  },
  profileTrace: { what: "list of trace events", schema: z.array(record) },
  requests: { what: "list of requests", schema: z.array(flight) },
  batching: { what: "list of batching facts", schema: z.array(batching) },
  shapes: { what: "list of shapes", schema: z.array(shapes) },
  memory: { what: "account of memory", schema: memory },
  logs: { what: "list of log lines", schema: loose({ lines: z.array(logLine), next: number, gap: z.boolean() }) },
  modelConfigState: {
    what: "configuration of a model",
    schema: loose({ text, digest: text, exists: z.boolean(), effective: text.nullable(), graph }),
  },
  checkConfig: { what: "list of findings", schema: loose({ diagnostics, effective: text.nullable(), change }) },
  applyConfig: { what: "account of a change", schema: loose({ digest: text, change, warnings }) },
  versionFiles: {
    what: "list of versions",
    schema: z.array(loose({ version: text, digest: text, bytes: number, files: z.array(file), graph })),
  },
  drafts: { what: "list of drafts", schema: z.array(draft) },
  draft: { what: "draft", schema: draft },
  openDraft: { what: "draft", schema: draft },
  editDraft: { what: "draft", schema: draft },
  checkDraft: { what: "draft", schema: draft },
  publishDraft: {
    what: "account of a publication",
    schema: loose({ model: text, version: text, loaded: z.boolean(), warnings }),
  },
};
