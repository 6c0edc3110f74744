import { NereidError } from "@nereid/errors";
import { isDatatype } from "@nereid/protocol";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import { validateRequest } from "../request/validate-request.ts";
import type { EnsembleStep } from "./ensemble-graph.ts";

/** A tensor between steps: bytes in shared memory or in the request, as the step before made them. */
export interface EnsembleTensor {
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** Its first dimension is a batch. */
  readonly batched: boolean;
}

/** A tensor as it came from a request (`spec`) or from a step (`datatype`). */
export function tensorOf(
  tensor: {
    readonly spec?: TensorSpec;
    readonly datatype?: string;
    readonly shape: readonly number[];
    readonly bytes: Uint8Array;
  },
  batched: boolean,
): EnsembleTensor {
  const { shape, bytes } = tensor;
  return { datatype: tensor.spec?.datatype ?? tensor.datatype ?? "", shape, bytes, batched };
}

export interface StepInputs {
  readonly step: EnsembleStep;
  /** The ensemble's own request, whose id, sequence, priority, time-out and parameters every step gets. */
  readonly from: ValidRequest;
  readonly tensor: (name: string) => EnsembleTensor | undefined;
  /** Whether anybody looks at this tensor. */
  readonly wanted: (tensor: string) => boolean;
  /** How many look at it: steps, and the answer. */
  readonly readers: (tensor: string) => number;
}

/**
 * The request for one step (scheduling.md §7): its mapped tensors, those that are absent left out, with a batch dimension added or
 * taken away where only one side batches. Throws INVALID_ARGUMENT with the composing model's own text.
 */
export function stepRequest(spec: ModelSpec, { step, from, tensor, wanted, readers }: StepInputs): ValidRequest {
  const inputs = step.inputs.flatMap(({ input, tensor: name }) => {
    const found = tensor(name);
    const target = spec.inputByName.get(input);
    if (found === undefined || target === undefined) return [];
    if (!isDatatype(found.datatype))
      throw new NereidError("INTERNAL", `ensemble tensor '${name}' has datatype ${found.datatype}`);
    return [
      {
        name: input,
        datatype: found.datatype,
        shape: bridged(found, target, spec.maxBatchSize > 0),
        data: { kind: "bytes" as const, bytes: found.bytes },
      },
    ];
  });
  const outputs = step.outputs
    .filter((output) => wanted(output.tensor))
    .map(({ output }) => ({ name: output, binary: true, classification: 0 }));
  const request = validateRequest(
    spec,
    {
      id: from.id,
      modelParameters: from.parameters,
      controls: {
        ...(from.sequence !== undefined && { sequenceId: from.sequence.id }),
        sequenceStart: from.sequence?.start ?? false,
        sequenceEnd: from.sequence?.end ?? false,
        priority: BigInt(from.priority),
        timeoutMicroseconds: BigInt(Math.floor(from.timeoutNs / 1000)),
      },
      binaryDataOutput: true,
      inputs,
      outputs,
    },
    from.deadlineNs,
  );
  if (spec.execution === "batch") return request;
  // An engine leaves its inputs alone; a script may write into them.
  const shared = new Set(step.inputs.filter((input) => readers(input.tensor) > 1).map(({ input }) => input));
  if (shared.size === 0) return request;
  return {
    ...request,
    inputs: request.inputs.map((input) => (shared.has(input.spec.name) ? { ...input, copied: true } : input)),
  };
}

function bridged({ shape, batched }: EnsembleTensor, target: TensorSpec, batching: boolean): readonly number[] {
  if (batching && !batched && fits(shape, target.dims)) return [1, ...shape];
  if (!batching && batched && !fits(shape, target.dims) && shape[0] === 1 && fits(shape.slice(1), target.dims))
    return shape.slice(1);
  return shape;
}

function fits(shape: readonly number[], dims: readonly number[]): boolean {
  return shape.length === dims.length && dims.every((dim, index) => dim === -1 || dim === shape[index]);
}
