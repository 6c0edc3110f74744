import { NereidError } from "@nereid/errors";
import { byteSizeOf, type OutputTensor } from "@nereid/protocol";
import type { ValidInput, ValidRequest } from "../request/valid-request.ts";
import type { OutputRequest, TensorRef } from "../runner-protocol/messages.ts";
import type { ExecutionResult } from "../runners/instance-channel.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";
import type { ModelSpec, TensorSpec } from "./model-spec.ts";
import { modelShape, outwardShape } from "./reshape.ts";

const ALIGNMENT = 64;
const SMALLEST_ARENA = 4096;

/** A batch laid out in shared memory, ready to be executed. */
export interface GatheredBatch {
  readonly inputs: readonly TensorRef[];
  readonly outputs: readonly OutputRequest[];
  /** Holds the copied inputs; free as soon as the execution is over. */
  readonly inputBlock: SlabBlock | undefined;
  /** Holds the outputs until the last answer is sent. */
  readonly outputBlock: SlabBlock | undefined;
  readonly arena: SlabBlock | undefined;
}

/** What the outputs without a known size took per batch item last time; grows and shrinks with use. */
export interface ArenaHint {
  bytesPerItem: number;
}

/**
 * Copies the inputs of all requests of a batch behind each other into shared memory: the one copy between processes. A lone
 * request whose body was received there is used where it lies. Outputs
 * whose size is known get their place; the others share an arena sized by experience.
 */
export function gatherBatch(
  context: { spec: ModelSpec; slab: Slab; hint: ArenaHint },
  requests: readonly ValidRequest[],
): GatheredBatch {
  const { spec, slab, hint } = context;
  const batchSize = requests.reduce((sum, request) => sum + request.batchSize, 0);
  const { inputs, inputBlock } = gatherInputs(spec, slab, requests);
  const wanted = spec.outputs.filter((output) => requests.some((request) => request.outputs.includes(output)));
  const fixed = wanted.filter((output) => hasFixedSize(output));
  let outputBlock: SlabBlock | undefined;
  try {
    if (fixed.length > 0)
      outputBlock = slab.allocate(sumOf(fixed, (output) => align(fixedBytes(output, spec, batchSize))));
    const places = placeFixed(fixed, { spec, batchSize, block: outputBlock });
    const loose = wanted.length > fixed.length;
    const arena = loose
      ? slab.allocate(Math.max(SMALLEST_ARENA, Math.ceil(hint.bytesPerItem * batchSize * 1.25)))
      : undefined;
    const outputs = wanted.map(({ name }) => {
      const place = places.get(name);
      return place === undefined ? { name } : { name, place };
    });
    return { inputs, outputs, inputBlock, outputBlock, arena };
  } catch (error) {
    inputBlock?.release();
    outputBlock?.release();
    throw error;
  }
}

interface GatheredInputs {
  readonly inputs: readonly TensorRef[];
  readonly inputBlock: SlabBlock | undefined;
}

function gatherInputs(spec: ModelSpec, slab: Slab, requests: readonly ValidRequest[]): GatheredInputs {
  const [first] = requests;
  if (first === undefined) return { inputs: [], inputBlock: undefined };
  const places = first.inputs.map((_, index) => (requests.length === 1 ? placeOf(first, index, slab) : undefined));
  const copied = sumOf(first.inputs, (_, index) =>
    places[index] === undefined ? align(sumOf(requests, (request) => partOf(request, index).bytes.byteLength)) : 0,
  );
  const inputBlock = places.includes(undefined) ? slab.allocate(copied) : undefined;
  const batchSize = sumOf(requests, (request) => request.batchSize);
  let offset = 0;
  const inputs = first.inputs.map((input, index): TensorRef => {
    const item = spec.maxBatchSize > 0 ? input.shape.slice(1) : input.shape;
    const dims = modelShape(input.spec, item);
    const shape = spec.maxBatchSize > 0 ? [batchSize, ...dims] : dims;
    const { name, datatype } = input.spec;
    const place = places[index];
    if (place !== undefined) return { name, datatype, shape, ...place, byteLength: input.bytes.byteLength };
    if (inputBlock === undefined) throw new NereidError("INTERNAL", `input '${name}' has no place in shared memory`);
    const start = offset;
    for (const request of requests) {
      const { bytes } = partOf(request, index);
      inputBlock.bytes.set(bytes, offset);
      offset += bytes.byteLength;
    }
    const byteLength = offset - start;
    offset = align(offset);
    return { name, datatype, shape, segment: inputBlock.segment, offset: inputBlock.offset + start, byteLength };
  });
  return { inputs, inputBlock };
}

/** A lone request whose bytes came into shared memory with its body, at an offset its element type allows. */
function placeOf(request: ValidRequest, index: number, slab: Slab) {
  const { bytes, spec } = partOf(request, index);
  const place = slab.locate(bytes);
  return place !== undefined && place.offset % Math.max(1, byteSizeOf(spec.datatype)) === 0 ? place : undefined;
}

function partOf(request: ValidRequest, index: number): ValidInput {
  const part = request.inputs[index];
  if (part === undefined) throw new NereidError("INTERNAL", "requests of one batch differ in their inputs");
  return part;
}

function sumOf<T>(items: readonly T[], value: (item: T, index: number) => number): number {
  return items.reduce((sum, item, index) => sum + value(item, index), 0);
}

function placeFixed(
  outputs: readonly TensorSpec[],
  to: { spec: ModelSpec; batchSize: number; block: SlabBlock | undefined },
): Map<string, TensorRef> {
  const places = new Map<string, TensorRef>();
  if (to.block === undefined) return places;
  let offset = 0;
  for (const output of outputs) {
    const byteLength = fixedBytes(output, to.spec, to.batchSize);
    places.set(output.name, {
      name: output.name,
      datatype: output.datatype,
      shape: to.spec.maxBatchSize > 0 ? [to.batchSize, ...output.modelDims] : output.modelDims,
      segment: to.block.segment,
      offset: to.block.offset + offset,
      byteLength,
    });
    offset += align(byteLength);
  }
  return places;
}

/**
 * Cuts the outputs of a batch into one set of views per request; no bytes are copied. Fails with INTERNAL when the model's
 * answer does not have the batch dimension it was given.
 */
export function scatterBatch(
  spec: ModelSpec,
  batch: { requests: readonly ValidRequest[]; gathered: GatheredBatch },
  result: ExecutionResult,
): OutputTensor[][] {
  const answers: OutputTensor[][] = batch.requests.map(() => []);
  const total = batch.requests.reduce((sum, request) => sum + request.batchSize, 0);
  const byName = new Map(result.outputs.map((ref) => [ref.name, ref]));
  for (const output of spec.outputs) {
    const ref = byName.get(output.name);
    if (ref === undefined) continue;
    const bytes = bytesAt(ref, [batch.gathered.outputBlock, result.extra ?? batch.gathered.arena]);
    const cutter = new OutputCutter(spec, output, { ref, bytes, total });
    batch.requests.forEach((request, index) => {
      const part = cutter.next(request.batchSize);
      if (request.outputs.includes(output)) answers[index]?.push(part);
    });
  }
  return answers;
}

class OutputCutter {
  readonly #spec: ModelSpec;
  readonly #output: TensorSpec;
  readonly #source: { ref: TensorRef; bytes: Uint8Array; total: number };
  readonly #itemShape: readonly number[];
  #offset = 0;

  constructor(spec: ModelSpec, output: TensorSpec, source: { ref: TensorRef; bytes: Uint8Array; total: number }) {
    this.#spec = spec;
    this.#output = output;
    this.#source = source;
    const { shape } = source.ref;
    if (spec.maxBatchSize > 0 && shape[0] !== source.total) {
      throw new NereidError(
        "INTERNAL",
        `output '${output.name}' of model '${spec.name}' has shape [${shape.join(",")}] for a batch of ${source.total}; its first dimension must be the batch`,
      );
    }
    const item = spec.maxBatchSize > 0 ? shape.slice(1) : shape;
    this.#itemShape = outwardShape(output, item);
  }

  next(batchSize: number): OutputTensor {
    const { bytes, ref } = this.#source;
    const batching = this.#spec.maxBatchSize > 0;
    const elements = this.#itemShape.reduce((product, dim) => product * dim, batching ? batchSize : 1);
    const length =
      ref.datatype === "BYTES"
        ? bytesElementsLength(bytes, this.#offset, elements)
        : elements * byteSizeOf(ref.datatype);
    const part = bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return {
      name: this.#output.name,
      datatype: ref.datatype,
      shape: batching ? [batchSize, ...this.#itemShape] : [...this.#itemShape],
      bytes: part,
    };
  }
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

/** Whether a batch's bytes of this output are known before it is executed; texts and variable dimensions are not. */
export function hasFixedSize(output: TensorSpec): boolean {
  return output.datatype !== "BYTES" && output.modelDims.every((dim) => dim >= 0);
}

function fixedBytes(output: TensorSpec, spec: ModelSpec, batchSize: number): number {
  return output.modelDims.reduce(
    (product, dim) => product * dim,
    byteSizeOf(output.datatype) * (spec.maxBatchSize > 0 ? batchSize : 1),
  );
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
