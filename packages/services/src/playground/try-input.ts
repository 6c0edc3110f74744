import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { modelName, versionNumber } from "../models/model-name.ts";

/** Bytes of all inputs of a request together. */
export const MOST_INPUT_BYTES = 16 * 1024 * 1024;

const NUMERIC = [
  "BOOL",
  "UINT8",
  "UINT16",
  "UINT32",
  "UINT64",
  "INT8",
  "INT16",
  "INT32",
  "INT64",
  "FP16",
  "FP32",
  "FP64",
  "BF16",
] as const;

const shape = z.array(z.int().min(0).max(1e9)).max(16);
const name = z.string().min(1).max(1000);

const tryTensor = z.union([
  /** Little-endian, row-major bytes in base64. */
  z.strictObject({ name, datatype: z.enum(NUMERIC), shape, base64: z.base64() }),
  /** One text for each element. */
  z.strictObject({ name, datatype: z.literal("BYTES"), shape, text: z.array(z.string()).max(1_000_000) }),
]);

/** A request as people put it together, without the model. */
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

export const tryInput = tryRequest.extend({
  model: modelName,
  /** One after the other. */
  repeat: z.int().min(1).max(100).default(1),
});

export type TryRequest = z.output<typeof tryRequest>;
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
