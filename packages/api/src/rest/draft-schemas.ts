import { z } from "zod";
import { diagnostic, file, graph, nullableNumber, nullableText, object, warning } from "./schemas.ts";

const upload = object({
  id: z.string(),
  path: z.string(),
  bytes: z.number(),
  receivedBytes: z.number(),
  sha256: nullableText,
});

const inference = object({
  input: z.enum(["zeros", "random"]),
  ok: z.boolean(),
  milliseconds: z.number(),
  outputs: z.array(object({ name: z.string(), datatype: z.string(), shape: z.array(z.number()), finite: z.boolean() })),
  error: nullableText,
});

const report = object({
  model: z.string(),
  version: z.string(),
  newModel: z.boolean(),
  files: z.array(file),
  digest: z.string(),
  duplicateOf: nullableText,
  graph,
  config: object({
    text: z.string(),
    source: z.enum(["draft", "upload", "existing", "proposed"]),
    before: nullableText,
    beforeDigest: z.string(),
    diagnostics: z.array(diagnostic),
  }),
  trial: object({
    outcome: z.enum(["passed", "failed", "skipped"]),
    reason: z.string(),
    loadSeconds: nullableNumber,
    rssBytes: nullableNumber,
    inferences: z.array(inference),
  }),
  findings: z.array(
    object({
      severity: z.enum(["error", "warning", "info"]),
      code: z.string(),
      message: z.string(),
      fix: z.string().optional(),
    }),
  ),
});

export const draft = object({
  id: z.string(),
  createdAtMs: z.number(),
  author: z.string(),
  state: z.enum(["open", "checking", "ready", "refused", "publishing", "published"]),
  model: nullableText,
  version: nullableText,
  configText: nullableText,
  uploads: z.array(upload),
  step: z.string(),
  report: report.nullable(),
  problem: object({ message: z.string(), fix: z.string().optional() }).nullable(),
});

export const publishedDraft = object({
  model: z.string(),
  version: z.string(),
  digest: z.string(),
  configDigest: z.string(),
  loaded: z.boolean(),
  loadError: nullableText,
  warnings: z.array(warning),
});
