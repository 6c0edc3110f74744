import type { Datatype } from "@nereid/protocol";

export interface OnnxTensor {
  readonly name: string;
  readonly datatype: Datatype;
  /** Fixed dimensions as numbers; a symbolic name or -1 for a variable one. Empty for a scalar. */
  readonly dims: readonly (number | string)[];
}

/** What an ONNX graph declares. */
export interface OnnxSignature {
  readonly inputs: readonly OnnxTensor[];
  readonly outputs: readonly OnnxTensor[];
  /** Initializers a request may override; only these can be `optional` inputs. */
  readonly overridableInitializers?: readonly OnnxTensor[];
}

/** The shape with -1 for every variable dimension. */
export function shapeOf(tensor: OnnxTensor): number[] {
  return tensor.dims.map((dim) => (typeof dim === "number" && dim >= 0 ? dim : -1));
}

/** Whether the graph can be batched: every tensor has a variable first dimension. */
export function supportsBatching(signature: OnnxSignature): boolean {
  return [...signature.inputs, ...signature.outputs].every((tensor) => shapeOf(tensor)[0] === -1);
}
