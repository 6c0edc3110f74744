import { NereidError } from "@nereid/errors";
import { byteSizeOf } from "@nereid/protocol";
import type { ValidInput, ValidRequest } from "../request/valid-request.ts";
import type { OutputRequest, TensorRef } from "../runner-protocol/messages.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";
import { makeBatchInputs } from "./batch-inputs.ts";
import { type ArenaHint, align, arenaBytes, placeOf, productOf } from "./lay-out.ts";
import type { ModelSpec, TensorSpec } from "./model-spec.ts";
import { modelShape } from "./reshape.ts";

/** A batch laid out in shared memory, ready to be executed. */
export interface GatheredBatch {
  readonly inputs: readonly TensorRef[];
  readonly outputs: readonly OutputRequest[];
  /** Holds the copied inputs; free as soon as the execution is over. */
  readonly inputBlock: SlabBlock | undefined;
  /** Holds the outputs until the last answer is sent. */
  readonly outputBlock: SlabBlock | undefined;
  readonly arena: SlabBlock | undefined;
  /** Bytes of inputs that were copied; those that lie in shared memory already are not. */
  readonly copiedBytes: number;
}

/**
 * Copies the inputs of all requests of a batch behind each other into shared memory: the one copy between processes. A lone
 * request whose tensors lie there already, because its body was received there or another runner wrote them, is used where it lies.
 * Outputs whose size is known get their place; the others share an arena sized by experience.
 */
export function gatherBatch(
  context: { spec: ModelSpec; slab: Slab; hint: ArenaHint },
  requests: readonly ValidRequest[],
): GatheredBatch {
  const { spec, slab, hint } = context;
  const batchSize = sumOf(requests, (request) => request.batchSize);
  const { inputs, inputBlock, copiedBytes } = gatherInputs(spec, slab, requests);
  const wanted = wantedOutputs(requests);
  const fixed = wanted.filter((output) => hasFixedSize(output, spec));
  let outputBlock: SlabBlock | undefined;
  try {
    if (fixed.length > 0)
      outputBlock = slab.allocate(sumOf(fixed, (output) => align(fixedBytes(output, spec, batchSize))));
    const places = placeFixed(fixed, { spec, batchSize, block: outputBlock });
    const arena = wanted.length > fixed.length ? slab.allocate(arenaBytes(hint, batchSize)) : undefined;
    const outputs = wanted.map(({ name }) => {
      const place = places.get(name);
      return place === undefined ? { name } : { name, place };
    });
    return { inputs, outputs, inputBlock, outputBlock, arena, copiedBytes };
  } catch (error) {
    inputBlock?.release();
    outputBlock?.release();
    throw error;
  }
}

/** Outputs that any request of the batch wants. */
function wantedOutputs(requests: readonly ValidRequest[]): readonly TensorSpec[] {
  const [first] = requests;
  if (first !== undefined && requests.every(({ outputs }) => outputs === first.outputs)) return first.outputs;
  return [...new Set(requests.flatMap(({ outputs }) => outputs))];
}

interface GatheredInputs {
  readonly inputs: readonly TensorRef[];
  readonly inputBlock: SlabBlock | undefined;
  readonly copiedBytes: number;
}

/** One tensor of the batch before it has a place: its parts are laid behind each other. */
interface Piece {
  readonly name: string;
  readonly datatype: TensorRef["datatype"];
  readonly shape: readonly number[];
  readonly parts: readonly Uint8Array[];
  readonly byteLength: number;
  readonly place: { readonly segment: number; readonly offset: number } | undefined;
}

function gatherInputs(spec: ModelSpec, slab: Slab, requests: readonly ValidRequest[]): GatheredInputs {
  const pieces = piecesOf(spec, slab, requests);
  const copied = sumOf(pieces, ({ place, byteLength }) => (place === undefined ? align(byteLength) : 0));
  const inputBlock = pieces.some(({ place }) => place === undefined) ? slab.allocate(copied) : undefined;
  let offset = 0;
  let copiedBytes = 0;
  const inputs = pieces.map(({ name, datatype, shape, parts, byteLength, place }): TensorRef => {
    if (place !== undefined) return { name, datatype, shape, ...place, byteLength };
    if (inputBlock === undefined) throw new NereidError("INTERNAL", `input '${name}' has no place in shared memory`);
    const start = offset;
    for (const bytes of parts) {
      inputBlock.bytes.set(bytes, offset);
      offset += bytes.byteLength;
    }
    offset = start + align(byteLength);
    copiedBytes += byteLength;
    return { name, datatype, shape, segment: inputBlock.segment, offset: inputBlock.offset + start, byteLength };
  });
  return { inputs, inputBlock, copiedBytes };
}

function piecesOf(spec: ModelSpec, slab: Slab, requests: readonly ValidRequest[]): readonly Piece[] {
  const [first] = requests;
  if (first === undefined) return [];
  const batchSize = sumOf(requests, (request) => request.batchSize);
  const pieces = first.inputs.map((input, index): Piece => {
    const parts = requests.map((request) => partOf(request, index).bytes);
    const { name, datatype } = input.spec;
    return {
      name,
      datatype,
      shape: batchShape(spec, input, { batchSize, requests, index }),
      parts,
      byteLength: sumOf(parts, ({ byteLength }) => byteLength),
      place: requests.length === 1 ? placeOf(input, slab) : undefined,
    };
  });
  if (spec.batchInputs.length === 0) return pieces;
  const made = makeBatchInputs(spec.batchInputs, requests);
  return [
    ...pieces,
    ...made.map(({ bytes, ...tensor }) => ({
      ...tensor,
      parts: [bytes],
      byteLength: bytes.byteLength,
      place: undefined,
    })),
  ];
}

function batchShape(
  spec: ModelSpec,
  input: ValidInput,
  batch: { batchSize: number; requests: readonly ValidRequest[]; index: number },
): readonly number[] {
  if (input.spec.ragged === true)
    return [sumOf(batch.requests, (request) => productOf(partOf(request, batch.index).shape))];
  if (spec.maxBatchSize === 0) return modelShape(input.spec, input.shape);
  return [batch.batchSize, ...modelShape(input.spec, input.shape.slice(1))];
}

function partOf(request: ValidRequest, index: number): ValidInput {
  const part = request.inputs[index];
  if (part === undefined) throw new NereidError("INTERNAL", "requests of one batch differ in their inputs");
  return part;
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

/** Whether a batch's bytes of this output are known before it is executed; texts, variable dimensions and scattered ones are not. */
export function hasFixedSize(output: TensorSpec, spec: ModelSpec): boolean {
  if (output.datatype === "BYTES" || output.modelDims.some((dim) => dim < 0)) return false;
  return !spec.batchOutputs.some(({ targets }) => targets.includes(output.name));
}

function fixedBytes(output: TensorSpec, spec: ModelSpec, batchSize: number): number {
  return output.modelDims.reduce(
    (product, dim) => product * dim,
    byteSizeOf(output.datatype) * (spec.maxBatchSize > 0 ? batchSize : 1),
  );
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
