import { NereidError } from "@nereid/errors";
import {
  type InferInput,
  type InferRequest,
  inOneGo,
  inSlices,
  type RequestedOutput,
  requestIdPrefix,
  type Sliced,
  type TensorData,
} from "@nereid/protocol";
import { convertContents } from "./convert-contents.ts";
import type { InferMessage, WireInput, WireRequestedOutput } from "./infer-message.ts";
import { readRequestSettings } from "./request-controls.ts";
import { classesOf, sharedMemoryOf } from "./tensor-parameters.ts";

/** A request as the scheduler takes it, and what only gRPC asks of the answer. */
export interface GrpcInferRequest {
  readonly request: InferRequest;
  readonly emptyFinalResponse: boolean;
}

const INT64_MAX = 2n ** 63n - 1n;
const LARGE_CONTENTS = 256 * 1024;

/**
 * Applies the rules of gRPC requests (grpc.md §4): parameters, and for each input exactly one of shared memory, `contents` and the
 * next raw entry. INVALID_ARGUMENT with Triton's texts.
 */
export function toInferRequest(message: InferMessage): GrpcInferRequest {
  return inOneGo(convert(message));
}

/** The same for large `contents`: awaits `pause` every few milliseconds of work. */
export function toInferRequestInSlices(message: InferMessage, pause: () => Promise<void>): Promise<GrpcInferRequest> {
  return inSlices(convert(message), pause);
}

/** Whether `contents` are so large that they should be converted in slices. */
export function hasLargeContents({ inputs }: InferMessage): boolean {
  let bytes = 0;
  for (const { contents } of inputs) for (const view of contents ?? []) bytes += view.byteLength;
  return bytes > LARGE_CONTENTS;
}

function* convert(message: InferMessage): Sliced<GrpcInferRequest> {
  const { controls, modelParameters, emptyFinalResponse } = readRequestSettings(message.parameters);
  const inputs: InferInput[] = [];
  let nextRaw = 0;
  for (const input of message.inputs) {
    checkShape(input, message);
    const placed = placedData(input, message);
    let data: TensorData;
    if (placed !== undefined) data = placed;
    else if (input.contents !== undefined) {
      const { name, datatype } = input;
      const context = { inputName: name, modelName: message.modelName, datatype };
      data = { kind: "bytes", bytes: yield* convertContents(input.contents, context) };
    } else data = { kind: "bytes", bytes: rawEntry(input, message, nextRaw++) };
    inputs.push({ name: input.name, datatype: input.datatype, shape: input.shape, data });
  }
  const outputs = message.outputs.map(requestedOutput);
  const request = { id: message.id, modelParameters, controls, binaryDataOutput: true, inputs, outputs };
  return { request, emptyFinalResponse };
}

/** The data of an input that lies in shared memory; and no input may have its data in two places. */
function placedData({ name, parameters, contents }: WireInput, message: InferMessage): TensorData | undefined {
  const { modelName } = message;
  const shm = sharedMemoryOf(parameters, name);
  if (shm !== undefined && contents !== undefined) {
    throw invalid(
      `unexpected 'content' provided when using shared memory for input tensor '${name}' for model '${modelName}'`,
    );
  }
  if (contents !== undefined && message.raw.length > 0) {
    throw invalid(
      `contents field must not be specified when using raw_input_contents for '${name}' for model '${modelName}'`,
    );
  }
  return shm === undefined ? undefined : { kind: "shm", ...shm };
}

function rawEntry({ name }: WireInput, { raw, modelName }: InferMessage, index: number): Uint8Array {
  const entry = raw[index];
  if (entry !== undefined) return entry;
  throw invalid(`unable to find data for input tensor '${name}' for model '${modelName}' in request.`);
}

function checkShape({ name, shape }: WireInput, { id, modelName }: InferMessage): void {
  let elements = 1;
  for (const dim of shape) {
    if (dim < 0) {
      throw invalid(
        `${requestIdPrefix(id)}All input dimensions should be specified for input '${name}' for model '${modelName}', got [${shape.join(",")}]`,
      );
    }
    elements *= dim;
  }
  if (elements <= Number.MAX_SAFE_INTEGER || !exceedsInt64(shape)) return;
  throw invalid(
    `invalid shape for input '${name}': shape [${shape.join(",")}] causes total element count to exceed maximum size of ${INT64_MAX}`,
  );
}

function exceedsInt64(shape: readonly number[]): boolean {
  let elements = 1n;
  for (const dim of shape) {
    elements *= BigInt(dim);
    if (elements > INT64_MAX) return true;
  }
  return false;
}

function requestedOutput({ name, parameters }: WireRequestedOutput): RequestedOutput {
  const shm = sharedMemoryOf(parameters, name);
  const classification = classesOf(parameters);
  if (shm !== undefined && classification > 0)
    throw invalid("output can't set both 'shared_memory_region' and 'classification'");
  return { name, binary: true, classification, ...(shm === undefined ? {} : { shm }) };
}

function invalid(text: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", text);
}
