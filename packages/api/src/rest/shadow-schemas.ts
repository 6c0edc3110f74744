import { z } from "zod";
import { nullableNumber, object } from "./schemas.ts";

const element = z.union([z.number(), z.string(), z.boolean()]);
const latency = object({ p50Ms: z.number(), p99Ms: z.number() }).nullable();

const disagreement = object({
  requestId: z.string(),
  at: z.string().describe("ISO 8601"),
  agreed: z.boolean().describe("Whether it is within the tolerance"),
  output: z.string(),
  index: z.number().describe("Of the element, row-major; -1 where the outputs themselves are not alike"),
  primary: element.nullable(),
  shadow: element.nullable(),
  absolute: nullableNumber,
  relative: nullableNumber,
  inputs: z.array(
    object({
      name: z.string(),
      datatype: z.string(),
      shape: z.array(z.number()),
      first: z.array(element).describe("The first elements"),
    }),
  ),
});

const shadow = object({
  target: z.string().describe("A version, or candidate/version"),
  percent: z.number(),
  requests: z.enum(["unversioned", "all"]),
  absolute: z.number(),
  relative: z.number(),
  keepWorst: z.number(),
  startedAt: z.string().describe("ISO 8601; everything is counted since then"),
  mirrored: z.number(),
  dropped: z.record(z.string(), z.number()).describe("Chosen requests that were not mirrored or compared, by reason"),
  failed: z.number(),
  lastFailure: z.string(),
  compared: z.number(),
  agreed: z.number(),
  maxAbsolute: z.number(),
  maxRelative: z.number().describe("Of elements that are not 0"),
  top1: object({ same: z.number(), of: z.number() }),
  latency: object({ primary: latency, shadow: latency }),
  worst: z.array(disagreement).describe("Those that differ most, the worst first"),
});

export const shadowView = object({
  shadow: shadow.nullable(),
  targets: z.array(z.string()).describe("What could be a target now"),
});
export const shadowStarted = object({ shadow });
export const shadowStopped = object({ stopped: z.boolean().describe("Whether there was one") });
