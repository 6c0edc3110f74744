import type { TensorSpec } from "./model-spec.ts";

/** Shape the model takes for an input of this item shape: `reshape` applied, its -1 filled from the dims' -1 in order. */
export function modelShape(tensor: TensorSpec, itemShape: readonly number[]): readonly number[] {
  return tensor.modelDims === tensor.dims ? itemShape : fill(tensor.modelDims, variablesOf(tensor.dims, itemShape));
}

/** Shape a client sees for a model output of this item shape: the reverse of `reshape`. */
export function outwardShape(tensor: TensorSpec, itemShape: readonly number[]): readonly number[] {
  return tensor.modelDims === tensor.dims ? itemShape : fill(tensor.dims, variablesOf(tensor.modelDims, itemShape));
}

function variablesOf(dims: readonly number[], shape: readonly number[]): number[] {
  return shape.filter((_, index) => dims[index] === -1);
}

function fill(dims: readonly number[], variables: readonly number[]): number[] {
  let next = 0;
  return dims.map((dim) => (dim === -1 ? (variables[next++] ?? -1) : dim));
}
