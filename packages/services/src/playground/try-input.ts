import { DATATYPES } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { modelName, versionNumber } from "../models/model-name.ts";

/** Bytes of all inputs of a request together. */
export const MOST_INPUT_BYTES = 16 * 1024 * 1024;

const NUMERIC = DATATYPES.filter((datatype) => datatype !== "BYTES");

const shape = z.array(z.int().min(0).max(1e9)).max(16);
const name = z.string().min(1).max(1000);
/** 2^53 - 1: what a number of JSON says exactly. */
const MOST_WHOLE = Number.MAX_SAFE_INTEGER;

/** Parameters that are no model's but the protocol's own; a number must be whole and at least 0 (extension_sequence, extension_schedule_policy). */
const RESERVED: Readonly<Record<string, "whole" | "whole or text" | "yes or no">> = {
  timeout: "whole",
  priority: "whole",
  sequence_id: "whole or text",
  sequence_start: "yes or no",
  sequence_end: "yes or no",
  binary_data_output: "yes or no",
};

const tryTensor = z.union([
  /** Little-endian, row-major bytes in base64. */
  z.strictObject({ name, datatype: z.enum(NUMERIC), shape, base64: z.base64() }),
  /** One text for each element. */
  z.strictObject({ name, datatype: z.literal("BYTES"), shape, text: z.array(z.string()).max(1_000_000) }),
]);

/** A request as people put it together, without the model, as it is kept. Whoever takes one from people checks it by `sendable` too. */
export const tryRequest = z.object({
  version: versionNumber.optional(),
  protocol: z.enum(["http", "grpc"]).default("http"),
  inputs: z.array(tryTensor).max(256),
  /** Classes asked for of outputs that can be read as such; 0 = the values. */
  classification: z.int().min(0).max(1000).default(0),
  parameters: z
    .record(z.string().min(1).max(200), z.union([z.string().max(10_000), z.number(), z.boolean()]))
    .default({}),
});

export type TryRequest = z.output<typeof tryRequest>;

/** Names every field of a request that no server can be sent: half of a surrogate pair has no bytes, a time is not below 0. Pure. */
export function sendable({ inputs, parameters }: TryRequest, found: z.core.$RefinementCtx): void {
  const refuse = (path: readonly (string | number)[], message: string) =>
    found.addIssue({ code: "custom", path: [...path], message });
  for (const [at, input] of inputs.entries()) {
    if (isBroken(input.name)) refuse(["inputs", at, "name"], HALF_PAIR);
    if (!("text" in input)) continue;
    const element = input.text.findIndex(isBroken);
    if (element >= 0) refuse(["inputs", at, "text", element], HALF_PAIR);
  }
  for (const [key, value] of Object.entries(parameters)) {
    const wrong = isBroken(key) || (typeof value === "string" && isBroken(value)) ? HALF_PAIR : problemOf(key, value);
    if (wrong !== undefined) refuse(["parameters", key], wrong);
  }
}

const HALF_PAIR = "has half of a surrogate pair, which is no character";

function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function problemOf(key: string, value: string | number | boolean): string | undefined {
  const wanted = Object.hasOwn(RESERVED, key) ? RESERVED[key] : undefined;
  if (wanted === undefined) return undefined;
  if (wanted === "yes or no") return typeof value === "boolean" ? undefined : "must be true or false";
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_WHOLE) return undefined;
  if (wanted === "whole or text" && typeof value === "string" && value !== "") return undefined;
  return `must be a whole number from 0 to ${MOST_WHOLE}${wanted === "whole" ? "" : ", or a text"}`;
}

export const tryInput = tryRequest
  .extend({
    model: modelName,
    /** One after the other. */
    repeat: z.int().min(1).max(100).default(1),
  })
  .superRefine(sendable);
export type TryTensor = TryRequest["inputs"][number];

/** Bytes that the inputs have without their encoding. Pure. */
export function bytesOfInputs(inputs: readonly TryTensor[]): number {
  return inputs.reduce((sum, input) => sum + bytesOf(input), 0);
}

function bytesOf(input: TryTensor): number {
  if ("base64" in input) return Math.floor((input.base64.length * 3) / 4);
  return input.text.reduce((sum, text) => sum + 4 + Buffer.byteLength(text), 0);
}

/** Throws PAYLOAD_TOO_LARGE for more than the playground sends. */
export function checkInputSize(inputs: readonly TryTensor[]): void {
  const bytes = bytesOfInputs(inputs);
  if (bytes <= MOST_INPUT_BYTES) return;
  throw new NereidError(
    "PAYLOAD_TOO_LARGE",
    `the inputs have ${bytes} bytes; at most ${MOST_INPUT_BYTES} may be sent here`,
    {
      fix: "send a smaller batch, or send the request to the server itself",
    },
  );
}
