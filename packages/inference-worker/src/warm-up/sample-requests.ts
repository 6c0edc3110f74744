import { NereidError } from "@nereid/errors";
import type { InferRequest } from "@nereid/protocol";
import type { ModelSpec } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import { validateRequest } from "../request/validate-request.ts";
import { augment } from "../sequence/augment.ts";
import { ImplicitState } from "../sequence/implicit-state.ts";
import type { SequencePolicy } from "../sequence/sequence-policy.ts";
import type { SequenceTurn } from "../sequence/sequence-turn.ts";
import type { SampleInput, WarmUpSample } from "./compile-samples.ts";

/** One request of a sample: as a client would send it, and as the model gets it. */
export interface SampleRequest {
  readonly own: ValidRequest;
  readonly request: ValidRequest;
  readonly turn?: SequenceTurn;
}

/**
 * The requests of one execution of a sample, each of one item. For a model of sequences each is a whole sequence, with its controls and
 * states; a sample may give values for those, too. INVALID_ARGUMENT, with the texts a client gets, when it does not fit the model.
 */
export function sampleRequests(spec: ModelSpec, sample: WarmUpSample): readonly SampleRequest[] {
  const { scheduling } = spec;
  const policy = scheduling.kind === "sequence" ? scheduling.policy : undefined;
  const added = new Set(policy === undefined ? [] : namesAddedBy(policy));
  const own = validateRequest(
    spec,
    requestOf(
      spec,
      sample.inputs.filter(({ name }) => !added.has(name)),
    ),
  );
  const given = sample.inputs.filter(({ name }) => added.has(name));
  return Array.from({ length: sample.batchSize }, (_, slot) => {
    if (policy === undefined) return { own, request: own };
    const turn = turnOf(policy, slot);
    const request = augment(own, { kind: "request", place: turn }, policy);
    return { own, request: replaced(request, given), turn };
  });
}

function namesAddedBy({ controls, states }: SequencePolicy): readonly string[] {
  return [...controls.map(({ tensor }) => tensor.name), ...states.map(({ input }) => input.name)];
}

function requestOf({ maxBatchSize }: ModelSpec, inputs: readonly SampleInput[]): InferRequest {
  return {
    id: "",
    modelParameters: new Map(),
    controls: { sequenceStart: false, sequenceEnd: false, priority: 0n, timeoutMicroseconds: 0n },
    binaryDataOutput: true,
    inputs: inputs.map(({ name, datatype, dims, bytes }) => ({
      name,
      datatype,
      shape: maxBatchSize > 0 ? [1, ...dims] : [...dims],
      data: { kind: "bytes", bytes },
    })),
    outputs: [],
  };
}

function turnOf({ states, batching }: SequencePolicy, slot: number): SequenceTurn {
  const state = states.length > 0 ? new ImplicitState(states, batching) : undefined;
  return { slot, id: BigInt(slot + 1), start: true, end: true, ready: true, state };
}

/** The request with the sample's values for inputs that the server adds. */
function replaced(request: ValidRequest, given: readonly SampleInput[]): ValidRequest {
  if (given.length === 0) return request;
  const inputs = request.inputs.map((input) => {
    const sample = given.find(({ name }) => name === input.spec.name);
    if (sample === undefined) return input;
    const variable = input.spec.dims.includes(-1);
    const shape = variable
      ? [...input.shape.slice(0, input.shape.length - input.spec.dims.length), ...sample.dims]
      : input.shape;
    if (sample.datatype === input.spec.datatype && (variable || sample.bytes.byteLength === input.bytes.byteLength))
      return { ...input, shape, bytes: sample.bytes };
    throw new NereidError(
      "INVALID_ARGUMENT",
      `the value of input '${sample.name}' is ${sample.datatype} of ${sample.bytes.byteLength} bytes, but the model's sequences have ${input.spec.datatype} of ${input.bytes.byteLength} bytes there`,
    );
  });
  return { ...request, inputs };
}
