import type { Fix } from "../diagnostic.ts";
import type { ModelConfig, ModelInput, ModelOutput } from "../gen/model_config_pb.ts";
import type { Report } from "../report.ts";
import { fixOf } from "../validate/scope.ts";
import { type OnnxSignature, type OnnxTensor, shapeOf } from "./onnx-signature.ts";
import { unbatchFix } from "./unbatch-fix.ts";

interface ShapeCheck {
  readonly path: string;
  readonly tensor: OnnxTensor;
  /** Outputs must match exactly; inputs may fix a dimension the model leaves open. */
  readonly exact: boolean;
  readonly ragged: boolean;
}

/** Compares the shape the config gives a tensor (after its reshape) with the graph's. */
export function checkShape(
  { config, report, signature }: { config: ModelConfig; report: Report; signature: OnnxSignature },
  io: ModelInput | ModelOutput,
  check: ShapeCheck,
): void {
  const model = shapeOf(check.tensor);
  const prefix = `model '${config.name}', tensor '${io.name}':`;
  if (check.ragged) {
    if (model.length === 1 && model[0] === -1) return;
    report.add({
      code: "model-mismatch",
      path: `${check.path}.allow_ragged_batch`,
      message: `${prefix} a ragged input must have the shape [-1] in the model, but its shape is ${text(model)}`,
      fix: fixOf(report, "Remove allow_ragged_batch", { op: "remove", path: `${check.path}.allow_ragged_batch` }),
    });
    return;
  }
  const dims = (io.reshape === undefined ? io.dims : io.reshape.shape).map(Number);
  const batches = config.maxBatchSize > 0;
  if (batches && model[0] !== -1) {
    report.add({
      code: "max-batch-size",
      path: "max_batch_size",
      message:
        `${prefix} for the model to support batching the shape should have at least 1 dimension and the first ` +
        `dimension must be -1; but shape expected by the model is ${text(model)}`,
      help: "Write max_batch_size: 0 and give the full shape in dims, or export the model with a variable batch dimension.",
      fix: unbatchFix(config, signature, report),
    });
    return;
  }
  // A scalar has no way to be written in dims without batching, which demands at least one dimension.
  if (!batches && model.length === 0 && dims.length === 1 && dims[0] === 1) return;
  const full = batches ? [-1, ...dims] : dims;
  if (matches(model, full, check.exact)) return;
  const given = batches
    ? `${full.length} dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape ${text(full)})`
    : `${full.length} dimensions (shape ${text(full)})`;
  report.add({
    code: batches && matches(model, dims, check.exact) ? "batch-dimension" : "model-mismatch",
    path: `${check.path}.dims`,
    message: `${prefix} the model expects ${model.length} dimensions (shape ${text(model)}) but the model configuration specifies ${given}`,
    help: helpFor({ model, dims, batches, exact: check.exact }),
    fix: fixFor(report, io, { path: check.path, wanted: batches ? model.slice(1) : model }),
  });
}

function matches(model: readonly number[], full: readonly number[], exact: boolean): boolean {
  return model.length === full.length && model.every((dim, index) => dim === full[index] || (!exact && dim === -1));
}

function helpFor(shape: { model: number[]; dims: number[]; batches: boolean; exact: boolean }): string {
  const wanted = `Write dims: [ ${(shape.batches ? shape.model.slice(1) : shape.model).join(", ")} ].`;
  if (shape.batches && matches(shape.model, shape.dims, shape.exact)) {
    return `dims must not contain the batch dimension while max_batch_size > 0. ${wanted}`;
  }
  return shape.exact
    ? `Output dims must equal the model's; a variable dimension cannot be narrowed. ${wanted}`
    : wanted;
}

function fixFor(
  report: Report,
  io: ModelInput | ModelOutput,
  at: { path: string; wanted: readonly number[] },
): Fix | undefined {
  if (io.reshape !== undefined || at.wanted.length === 0) return undefined;
  return fixOf(report, `Write dims: [ ${at.wanted.join(", ")} ]`, {
    op: "set",
    path: `${at.path}.dims`,
    value: at.wanted,
  });
}

function text(shape: readonly number[]): string {
  return `[${shape.join(",")}]`;
}
