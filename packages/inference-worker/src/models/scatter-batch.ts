import { NereidError } from "@nereid/errors";
import { byteSizeOf, type OutputTensor } from "@nereid/protocol";
import type { ValidRequest } from "../request/valid-request.ts";
import type { TensorRef } from "../runner-protocol/messages.ts";
import type { ExecutionResult } from "../runners/instance-channel.ts";
import type { SlabBlock } from "../shm/slab.ts";
import type { GatheredBatch } from "./gather-batch.ts";
import type { ModelSpec, TensorSpec } from "./model-spec.ts";
import { outwardShape } from "./reshape.ts";

/**
 * Cuts the outputs of a batch into one set of views per request; no bytes are copied. Fails with INTERNAL when the model's
 * answer does not have the batch dimension it was given.
 */
export function scatterBatch(
  spec: ModelSpec,
  batch: { requests: readonly ValidRequest[]; gathered: GatheredBatch },
  result: ExecutionResult,
): OutputTensor[][] {
  const { requests, gathered } = batch;
  const answers: OutputTensor[][] = requests.map(() => []);
  const byName = new Map(result.outputs.map((ref) => [ref.name, ref]));
  for (const output of outputsOf(requests)) {
    const ref = byName.get(output.name);
    if (ref === undefined) continue;
    const bytes = bytesAt(ref, [gathered.outputBlock, result.extra ?? gathered.arena]);
    const cut = cutterOf(spec, output, { ref, bytes, requests });
    requests.forEach((request, index) => {
      const part = cut(request);
      if (request.outputs.includes(output)) answers[index]?.push(part);
    });
  }
  return answers;
}

function outputsOf(requests: readonly ValidRequest[]): Iterable<TensorSpec> {
  const [first] = requests;
  if (first !== undefined && requests.every(({ outputs }) => outputs === first.outputs)) return first.outputs;
  return new Set(requests.flatMap(({ outputs }) => outputs));
}

interface Source {
  readonly ref: TensorRef;
  readonly bytes: Uint8Array;
  readonly requests: readonly ValidRequest[];
}

type Cut = (request: ValidRequest) => OutputTensor;

function cutterOf(spec: ModelSpec, output: TensorSpec, source: Source): Cut {
  const scattered = spec.batchOutputs.find(({ targets }) => targets.includes(output.name));
  const shapeOf =
    scattered === undefined
      ? byBatch(spec, output, source)
      : (request: ValidRequest) => shapeOfInput(request, scattered.source);
  const { ref, bytes } = source;
  let offset = 0;
  return (request) => {
    const shape = shapeOf(request);
    const elements = shape.reduce((product, dim) => product * dim, 1);
    const length =
      ref.datatype === "BYTES" ? bytesElementsLength(bytes, offset, elements) : elements * byteSizeOf(ref.datatype);
    if (offset + length > bytes.byteLength) {
      throw new NereidError(
        "INTERNAL",
        `output '${output.name}' of model '${spec.name}' has ${bytes.byteLength} bytes, fewer than the requests of its batch need`,
      );
    }
    const part = bytes.subarray(offset, offset + length);
    offset += length;
    return { name: output.name, datatype: ref.datatype, shape, bytes: part };
  };
}

/** The first dimension is the batch, and each request has its share of it. */
function byBatch(spec: ModelSpec, output: TensorSpec, { ref, requests }: Source): (request: ValidRequest) => number[] {
  const { shape } = ref;
  if (spec.maxBatchSize === 0) return () => [...outwardShape(output, shape)];
  const total = requests.reduce((sum, request) => sum + request.batchSize, 0);
  if (shape[0] !== total) {
    throw new NereidError(
      "INTERNAL",
      `output '${output.name}' of model '${spec.name}' has shape [${shape.join(",")}] for a batch of ${total}; its first dimension must be the batch`,
    );
  }
  const item = outwardShape(output, shape.slice(1));
  return ({ batchSize }) => [batchSize, ...item];
}

/** BATCH_SCATTER_WITH_INPUT_SHAPE: a request gets as much as its input has, in the input's shape. */
function shapeOfInput(request: ValidRequest, name: string): number[] {
  const input = request.inputs.find(({ spec }) => spec.name === name);
  if (input === undefined)
    throw new NereidError("INTERNAL", `batch_output needs input '${name}', which a request lacks`);
  return [...input.shape];
}

function bytesElementsLength(bytes: Uint8Array, start: number, elements: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = start;
  for (let index = 0; index < elements; index++) offset += 4 + view.getUint32(offset, true);
  return offset - start;
}

function bytesAt(ref: TensorRef, blocks: readonly (SlabBlock | undefined)[]): Uint8Array {
  const block = blocks.find(
    (candidate) =>
      candidate !== undefined &&
      candidate.segment === ref.segment &&
      ref.offset >= candidate.offset &&
      ref.offset + ref.byteLength <= candidate.offset + candidate.byteLength,
  );
  if (block === undefined)
    throw new NereidError("INTERNAL", `output '${ref.name}' lies outside the memory given to the execution`);
  return block.bytes.subarray(ref.offset - block.offset, ref.offset - block.offset + ref.byteLength);
}
