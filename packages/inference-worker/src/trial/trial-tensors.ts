import { type Datatype, encodeTensorValues, type InferRequest, NO_CONTROLS, type TensorValues } from "@nereid/protocol";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";

/** Sizes tried, one after the other, for the dimensions that a model leaves open. */
export const OPEN_SIZES = [1, 16, 64, 224] as const;

export interface TrialInput {
  readonly kind: "zeros" | "random";
  /** Size of every open dimension. */
  readonly open: number;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** A request with a batch of one for every input of a model, filled as told. Optional inputs are left out. */
export function trialRequest(spec: ModelSpec, input: TrialInput): InferRequest {
  const inputs = spec.inputs
    .filter(({ optional }) => !optional)
    .map((tensor) => {
      const shape = shapeOf(tensor, { open: input.open, batching: spec.maxBatchSize > 0 });
      const count = shape.reduce((product, dim) => product * dim, 1);
      const bytes = encodeTensorValues(tensor.datatype, valuesOf(tensor.datatype, count, input));
      return { name: tensor.name, datatype: tensor.datatype, shape, data: { kind: "bytes" as const, bytes } };
    });
  return {
    id: "",
    modelParameters: new Map(),
    controls: controlsFor(spec),
    binaryDataOutput: true,
    inputs,
    outputs: [],
  };
}

/** A sequence of one request, where the model takes sequences only. */
function controlsFor({ scheduling }: ModelSpec): InferRequest["controls"] {
  if (scheduling.kind !== "sequence") return NO_CONTROLS;
  const corrid = scheduling.policy.controls.find(({ kind }) => kind === "corrid");
  const sequenceId = corrid?.tensor.datatype === "BYTES" ? "trial" : 1n;
  return { ...NO_CONTROLS, sequenceId, sequenceStart: true, sequenceEnd: true };
}

/** Elements of all required inputs together at this size of open dimensions. */
export function elementsOf(spec: ModelSpec, open: number): number {
  return spec.inputs
    .filter(({ optional }) => !optional)
    .reduce((sum, { dims }) => sum + dims.reduce((product, dim) => product * (dim === -1 ? open : dim), 1), 0);
}

/** Whether any required input has a dimension without a size. */
export function hasOpenDimension(spec: ModelSpec): boolean {
  return spec.inputs.some(({ optional, dims }) => !optional && dims.includes(-1));
}

function shapeOf({ dims }: TensorSpec, { open, batching }: { open: number; batching: boolean }): number[] {
  const item = dims.map((dim) => (dim === -1 ? open : dim));
  return batching ? [1, ...item] : item;
}

/** Whole numbers are 0 or 1: larger ones are often indices into something that is not that large. */
function valuesOf(datatype: Datatype, count: number, { kind, random }: TrialInput): TensorValues {
  const one = kind === "zeros" ? () => 0 : random;
  const bit = () => (one() < 0.5 ? 0 : 1);
  switch (datatype) {
    case "BYTES":
      return Array.from({ length: count }, () => (kind === "zeros" ? "" : random().toString(36).slice(2, 10)));
    case "BOOL":
      return Array.from({ length: count }, () => bit() === 1);
    case "INT64":
    case "UINT64":
      return Array.from({ length: count }, () => BigInt(bit()));
    case "FP16":
    case "BF16":
    case "FP32":
    case "FP64":
      return Array.from({ length: count }, one);
    default:
      return Array.from({ length: count }, bit);
  }
}
