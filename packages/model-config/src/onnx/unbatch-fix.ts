import type { Fix, TextEdit } from "../diagnostic.ts";
import { type ConfigEdit, planEdit } from "../edit/plan-edit.ts";
import type { ModelConfig } from "../gen/model_config_pb.ts";
import type { Report } from "../report.ts";
import { findPath } from "../text/locate.ts";
import { type OnnxSignature, shapeOf } from "./onnx-signature.ts";

/**
 * Turns batching off for a graph that cannot batch: `max_batch_size: 0`, the whole shape in `dims` of what is written, and
 * no preferred sizes. Only setting the size would make every tensor one dimension too short.
 */
export function unbatchFix(config: ModelConfig, signature: OnnxSignature, { document }: Report): Fix | undefined {
  if (document === undefined || !document.wellFormed) return undefined;
  const changes: ConfigEdit[] = [{ op: "set", path: "max_batch_size", value: 0 }];
  const groups = [
    { path: "input", written: config.input, tensors: signature.inputs },
    { path: "output", written: config.output, tensors: signature.outputs },
  ];
  for (const { path, written, tensors } of groups) {
    for (const [index, io] of written.entries()) {
      const tensor = tensors.find((one) => one.name === io.name);
      if (tensor === undefined || io.reshape !== undefined || tensor.dims.length === 0) continue;
      if (findPath(document, `${path}[${index}]`) === undefined) continue;
      changes.push({ op: "set", path: `${path}[${index}].dims`, value: shapeOf(tensor) });
    }
  }
  if (findPath(document, "dynamic_batching.preferred_batch_size") !== undefined) {
    changes.push({ op: "remove", path: "dynamic_batching.preferred_batch_size" });
  }
  const edits: TextEdit[] = changes.flatMap((change) => planEdit(document, change));
  return { title: "Write max_batch_size: 0 and the full shapes", edits };
}
