import { NODE_ABILITIES } from "@nereid/services";
import { z } from "zod";
import { modelStatus } from "./model-schemas.ts";
import { event } from "./overview-schemas.ts";
import { nullableNumber, nullableText, object } from "./schemas.ts";

const connection = object({ state: z.enum(["connecting", "live", "down"]), since: z.number() });

const facts = object({
  serverName: z.string(),
  version: z.string(),
  ready: z.boolean(),
  draining: z.boolean().nullable(),
  controlMode: z.enum(["none", "explicit", "poll"]).nullable(),
  repositories: z.array(z.string()).nullable(),
  startedAtMs: nullableNumber,
  cores: nullableNumber,
  extensions: z.array(z.string()),
});

const gpu = object({
  index: z.number(),
  name: z.string().optional(),
  utilization: z.number().optional(),
  memoryUsedBytes: z.number().optional(),
  memoryTotalBytes: z.number().optional(),
  powerWatts: z.number().optional(),
  temperatureCelsius: z.number().optional(),
  eccErrors: z.number().optional(),
  xidErrors: z.number().optional(),
});

const readingFields = {
  cpu: z.number().optional(),
  memoryUsedBytes: z.number().optional(),
  memoryTotalBytes: z.number().optional(),
  rssBytes: z.number().optional(),
  eventLoopLagMs: z.number().optional(),
  gpus: z.array(gpu).optional(),
};

const choiceFields = {
  id: z.string(),
  name: z.string(),
  kind: z.enum(["nereid", "triton"]),
  cordoned: z.boolean(),
  connection,
  capabilities: z.record(z.enum(NODE_ABILITIES), nullableText),
};

export const nodeChoice = object(choiceFields);

export const nodeRow = object({
  ...choiceFields,
  url: z.string(),
  metricsUrl: nullableText,
  grpcUrl: nullableText,
  hasKey: z.boolean(),
  facts: facts.nullable(),
  models: object({ total: z.number(), ready: z.number() }).nullable(),
  figures: object({
    t: z.number(),
    requestsPerSecond: z.number(),
    failuresPerSecond: z.number(),
    failureShare: nullableNumber,
    p99: nullableNumber,
    mean: nullableNumber,
    pending: z.number(),
    trend: z.array(nullableNumber),
    reading: object(readingFields).nullable(),
  }).nullable(),
  problem: nullableText,
});

export const nodeDetail = object({
  node: nodeRow,
  placed: z.array(modelStatus).nullable(),
  events: z.array(event),
});

export const nodeReadingsAnswer = object({
  step: z.number(),
  from: z.number(),
  to: z.number(),
  points: z.array(
    object({
      t: z.number(),
      requestsPerSecond: nullableNumber,
      failuresPerSecond: nullableNumber,
      ...readingFields,
    }),
  ),
  connection,
});

export const modelOnNode = object({
  node: nodeChoice,
  status: modelStatus.nullable(),
  problem: nullableText,
  requestsPerSecond: nullableNumber,
  p99: nullableNumber,
});

export const addedNode = object({ id: z.string() });

export const nodeProbe = object({
  ok: z.boolean(),
  facts: facts.optional(),
  problem: z.string().optional(),
  fix: nullableText.optional(),
});
