import type { ModelInput, ModelOutput } from "../gen/model_config_pb.ts";
import type { OnnxTensor } from "./onnx-signature.ts";

/**
 * The dims the graph itself has for an input or output, without the batch dimension; -1 = variable. `reshape` where the
 * config has one; a scalar of a model that does not batch is `[1]` in the config, because dims must not be empty there,
 * and has none in the graph.
 */
export function modelDimsOf(
  tensor: Pick<ModelInput | ModelOutput, "dims" | "reshape">,
  signature: OnnxTensor | undefined,
): number[] {
  if (tensor.reshape !== undefined) return tensor.reshape.shape.map(Number);
  const dims = tensor.dims.map(Number);
  return signature?.dims.length === 0 && dims.length === 1 && dims[0] === 1 ? [] : dims;
}
