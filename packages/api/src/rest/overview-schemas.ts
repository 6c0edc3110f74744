import { EVENT_KINDS } from "@nereid/services";
import { z } from "zod";
import { moment, nullableNumber, nullableText, object } from "./schemas.ts";

const heat = z.array(z.tuple([z.number(), z.number()]));

const connection = object({ state: z.enum(["connecting", "live", "down"]), since: z.number() });

export const event = object({
  id: z.string(),
  t: z.number(),
  kind: z.enum(EVENT_KINDS),
  model: nullableText,
  version: nullableText,
  node: z.string(),
  label: z.string(),
  detail: nullableText,
  actorName: z.string(),
  auditId: nullableText,
  change: object({ from: z.string(), to: z.string() }).nullable(),
});

export const timeline = object({
  events: z.array(event),
  more: z.boolean(),
  silent: z.array(object({ node: z.string(), problem: z.string() })),
  from: nullableNumber,
  to: z.number(),
});

const tile = object({ now: nullableNumber, previous: nullableNumber, spark: z.array(nullableNumber) });

const server = object({
  name: z.string(),
  version: z.string(),
  ready: z.boolean(),
  controlMode: z.enum(["none", "explicit", "poll"]),
  repositories: z.array(z.string()),
  startedAtMs: z.number(),
  pid: z.number(),
  rssBytes: z.number(),
  cores: z.number(),
  httpPort: z.number(),
  grpcPort: z.number().optional(),
  draining: z.boolean().optional(),
  metricsPort: z.number(),
});

export const overview = object({
  health: object({ state: z.enum(["good", "degraded", "bad", "unknown"]), sentence: z.string() }),
  tiles: object({ requestsPerSecond: tile, errorShare: tile, p50Ms: tile, p99Ms: tile, queueMs: tile }),
  worst: z.array(
    object({
      model: z.string(),
      p99Ms: nullableNumber,
      errorShare: nullableNumber,
      queueShare: nullableNumber,
      requestsPerSecond: z.number(),
      why: z.string(),
    }),
  ),
  models: object({ total: z.number(), ready: z.number(), loading: z.number(), failed: z.number() }),
  recent: z.array(event),
  server: server.nullable(),
});

export const recentLatency = object({
  connection,
  rows: z.array(
    object({
      t: z.number(),
      queue: nullableNumber,
      input: nullableNumber,
      infer: nullableNumber,
      output: nullableNumber,
      p50: nullableNumber,
      p95: nullableNumber,
      p99: nullableNumber,
      count: z.number(),
      failed: z.number(),
      pending: z.number(),
      inferences: z.number(),
      executions: z.number(),
      heat,
    }),
  ),
  figures: object({
    requestsPerSecond: z.number(),
    failuresPerSecond: z.number(),
    failureShare: nullableNumber,
    p99: nullableNumber,
    queueShare: nullableNumber,
    meanBatch: nullableNumber,
    pending: z.number(),
    samples: z.number(),
  }).nullable(),
});

const auditEvent = object({
  id: z.string(),
  seq: nullableNumber,
  previousHash: nullableText,
  hash: nullableText,
  at: moment,
  actorId: nullableText,
  actorKind: z.string(),
  actorName: z.string(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  reason: nullableText,
  before: z.unknown(),
  after: z.unknown(),
  outcome: z.string(),
  requestId: z.string(),
});

export const auditPage = object({ events: z.array(auditEvent), nextCursor: nullableText });

export const auditVerdict = object({
  ok: z.boolean(),
  checked: z.number(),
  brokenAt: object({ id: z.string(), at: moment }).nullable(),
  problem: nullableText,
});
