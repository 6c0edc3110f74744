import type { OutputTensor } from "@nereid/protocol";
import type { TensorSpec } from "../models/model-spec.ts";
import type { ValidInput, ValidRequest } from "../request/valid-request.ts";
import { controlInputs } from "./control-inputs.ts";
import { stateOutputs } from "./implicit-state.ts";
import type { SequencePolicy } from "./sequence-policy.ts";
import type { SequenceTurn } from "./sequence-turn.ts";
import { zeroByteLength } from "./zero-bytes.ts";

/** A place of a batch as far as the request made for it depends on it; every `SlotEntry` is one. */
export interface TurnEntry {
  readonly kind: "request" | "null";
  readonly place: SequenceTurn;
}

/**
 * The request as the model gets it: with control and state inputs, and asking for the states too. For a null entry, `request` is
 * any request of the same batch: its shapes are used, its values are not, and nothing is asked for.
 */
export function augment(request: ValidRequest, entry: TurnEntry, policy: SequencePolicy): ValidRequest {
  const { place } = entry;
  const own = entry.kind === "request" ? request.inputs : request.inputs.map(zeros);
  const states = place.state?.inputs() ?? [];
  const inputs = [
    ...own,
    ...controlInputs(policy.controls, place),
    ...(entry.kind === "request" ? states : states.map(zeros)),
  ];
  const byteLength = inputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const shapeKey = request.shapeKey + (place.state?.shapeKey ?? "");
  if (entry.kind === "null") {
    return {
      ...request,
      id: "",
      batchSize: 1,
      inputs,
      outputs: [],
      shapeKey,
      byteLength,
      sequence: undefined,
      parameters: new Map(),
    };
  }
  return {
    ...request,
    batchSize: 1,
    inputs,
    outputs: withStates(request.outputs, policy),
    shapeKey,
    byteLength,
    sequence: { id: place.id, start: place.start, end: place.end },
  };
}

/** Takes away the states that the client did not ask for. `request` is the client's, before `augment`. */
export function stripStates(outputs: readonly OutputTensor[], request: ValidRequest): readonly OutputTensor[] {
  const stays = ({ name }: OutputTensor) => request.outputs.some((output) => output.name === name);
  return outputs.every(stays) ? outputs : outputs.filter(stays);
}

function zeros(input: ValidInput): ValidInput {
  const { spec, shape } = input;
  return { spec, shape, bytes: new Uint8Array(zeroByteLength(spec.datatype, shape)) };
}

/** Most requests of a model share one list of outputs; batches of such requests are recognised by the list itself. */
const extended = new WeakMap<SequencePolicy, WeakMap<readonly TensorSpec[], readonly TensorSpec[]>>();

function withStates(outputs: readonly TensorSpec[], policy: SequencePolicy): readonly TensorSpec[] {
  if (policy.states.length === 0) return outputs;
  let known = extended.get(policy);
  if (known === undefined) {
    known = new WeakMap();
    extended.set(policy, known);
  }
  let all = known.get(outputs);
  if (all === undefined) {
    all = [...outputs, ...stateOutputs(policy.states, outputs)];
    known.set(outputs, all);
  }
  return all;
}
