import { ERROR_CODES } from "@nereid/errors";
import { z } from "zod";
import { object } from "./schemas.ts";

/** What is remembered of one request. Durations are nanoseconds. */
const requestRecord = object({
  serial: z.number(),
  id: z.string(),
  model: z.string(),
  version: z.string(),
  causes: z.array(z.enum(["sampled", "slow", "failed"])),
  atMs: z.number(),
  outcome: z.enum(["answered", "failed"]),
  error: object({ code: z.enum(ERROR_CODES), message: z.string() }).optional(),
  totalNs: z.number(),
  queue: object({ position: z.number(), waitedNs: z.number(), priority: z.number() }),
  batch: object({
    serial: z.number(),
    requests: z.number(),
    size: z.number(),
    reason: z.string(),
    leftWaiting: z.number(),
    first: z.boolean().optional(),
    mates: z.array(z.string()),
  }).optional(),
  instance: object({ name: z.string(), device: z.number() }).optional(),
  phases: object({ inputNs: z.number(), inferNs: z.number(), outputNs: z.number() }).optional(),
  bytes: object({ input: z.number(), output: z.number(), copied: z.number() }),
  sequence: z.string().optional(),
  shapes: z.array(object({ name: z.string(), shape: z.array(z.number()) })),
  cached: z.boolean().optional(),
  steps: z
    .array(
      object({
        model: z.string(),
        version: z.string(),
        startedNs: z.number(),
        queueNs: z.number(),
        computeNs: z.number(),
        copiedBytes: z.number(),
      }),
    )
    .optional(),
  receiveNs: z.number().optional(),
  writeNs: z.number().optional(),
});

export const foundRequests = object({ records: z.array(requestRecord) });
