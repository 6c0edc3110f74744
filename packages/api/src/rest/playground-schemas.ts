import { tryRequest } from "@nereid/services";
import { z } from "zod";
import { moment, nullableText, object } from "./schemas.ts";

const output = object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.number()),
  count: z.number(),
  bytes: z.number(),
  values: z.array(z.union([z.number(), z.string(), z.boolean()])),
  classes: z.array(object({ value: z.number(), index: z.number(), label: nullableText })).nullable(),
});

const phases = object({
  receive: z.number(),
  decode: z.number(),
  queue: z.number(),
  input: z.number(),
  infer: z.number(),
  output: z.number(),
});

export const tryResult = object({
  requestId: z.string(),
  protocol: z.enum(["http", "grpc"]),
  wholeMs: z.number(),
  durationsMs: z.array(z.number()),
  answer: object({
    version: z.string(),
    outputs: z.array(output),
    phases: phases.nullable(),
    noPhases: nullableText,
    steps: z.array(object({ atMs: z.number(), outputs: z.array(output) })).nullable(),
    cutShort: nullableText,
  }).nullable(),
  failure: object({ code: z.string(), message: z.string(), fix: nullableText }).nullable(),
});

export const fixtureRow = object({
  name: z.string(),
  inputs: z.array(object({ name: z.string(), datatype: z.string(), shape: z.array(z.number()) })),
  bytes: z.number(),
  createdAt: moment,
  authorName: z.string(),
});

export const fixtureRecord = object({ ...fixtureRow.shape, request: tryRequest });
