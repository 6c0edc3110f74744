import { DataType, type ModelInput, ModelInput_Format, type ModelOutput } from "../gen/model_config_pb.ts";
import { reshapeMismatch } from "./reshape.ts";
import { addFor, fixOf, type Scope } from "./scope.ts";

type Io = ModelInput | ModelOutput;
const BAD_DIM = "must be integer >= 1, or -1 to indicate a variable-size dimension";

/** Names, types, dims and reshapes of inputs and outputs. */
export function checkIo(scope: Scope): void {
  for (const [index, input] of scope.config.input.entries()) {
    checkOne(scope, input, { kind: "input", path: `input[${index}]` });
    checkFormat(scope, input, `input[${index}]`);
  }
  for (const [index, output] of scope.config.output.entries()) {
    checkOne(scope, output, { kind: "output", path: `output[${index}]` });
  }
  hintBatchDimension(scope);
}

function checkOne(scope: Scope, io: Io, at: { kind: "input" | "output"; path: string }): void {
  const add = (path: string, text: string, help?: string) =>
    addFor(scope, { code: at.kind, path, message: `model ${at.kind} ${text}`, help });
  const drop = (field: string, text: string) =>
    addFor(scope, {
      code: at.kind,
      path: `${at.path}.${field}`,
      message: `model ${at.kind} ${text}`,
      fix: fixOf(scope.report, `Remove ${field}`, { op: "remove", path: `${at.path}.${field}` }),
    });
  if (io.name === "") {
    add(`${at.path}.name`, "must specify 'name'");
    return;
  }
  const name = `'${io.name}' `;
  if (io.dataType === DataType.TYPE_INVALID || DataType[io.dataType] === undefined) {
    add(`${at.path}.data_type`, `${name}must specify 'data_type'`, "Write for example data_type: TYPE_FP32.");
  }
  if (io.dims.length === 0) {
    const help = "Write the shape without the batch dimension; a scalar is dims: [ 1 ] with reshape { shape: [ ] }.";
    add(`${at.path}.dims`, `${name}must specify 'dims'`, help);
    return;
  }
  const badDim = io.dims.findIndex((dim) => dim < 1n && dim !== -1n);
  if (badDim !== -1) {
    const path = `${at.path}.dims[${badDim}]`;
    addFor(scope, {
      code: at.kind,
      path,
      message: `model ${at.kind} ${name}dimension ${BAD_DIM}`,
      fix: fixOf(scope.report, "Write -1", { op: "set", path, value: -1 }),
    });
  }
  if (io.isShapeTensor && scope.config.backend !== "tensorrt") {
    drop("is_shape_tensor", `${name}is a shape tensor, which only TensorRT supports`);
  }
  if (io.isNonLinearFormatIo && scope.config.backend !== "tensorrt") {
    drop("is_non_linear_format_io", `${name}has a non-linear format, which only TensorRT supports`);
  }
  if (io.reshape !== undefined && badDim === -1) checkReshape(scope, io, { ...at, shape: io.reshape.shape });
}

function checkReshape(
  scope: Scope,
  io: Io,
  at: { kind: "input" | "output"; path: string; shape: readonly bigint[] },
): void {
  const path = `${at.path}.reshape`;
  const add = (text: string, help?: string) =>
    addFor(scope, {
      code: "reshape",
      path,
      message: `model ${at.kind} '${io.name}' ${text}`,
      help,
      fix: fixOf(scope.report, "Remove the reshape", { op: "remove", path }),
    });
  if (at.shape.length === 0 && scope.config.maxBatchSize === 0) {
    add("cannot have empty reshape for non-batching model as scalar tensors are not supported");
    return;
  }
  if (at.shape.some((dim) => dim < 1n && dim !== -1n)) {
    add(`reshape dimension ${BAD_DIM}`);
    return;
  }
  const mismatch = reshapeMismatch(io.dims, at.shape);
  if (mismatch === undefined) return;
  const empty = at.shape.length === 0;
  add(mismatch, empty ? "An empty reshape drops a single element: it needs dims: [ 1 ]." : undefined);
}

function checkFormat(scope: Scope, input: ModelInput, path: string): void {
  if (input.format === ModelInput_Format.NONE || input.dims.length === 3) return;
  addFor(scope, {
    code: "input",
    path: `${path}.format`,
    message: "model input NHWC/NCHW require 3 dims",
    help: "Give the image shape without the batch dimension, or remove the format.",
    fix: fixOf(scope.report, "Remove the format", { op: "remove", path: `${path}.format` }),
  });
}

/** Dims that all start with -1 although Triton adds the batch dimension itself are most likely one dimension too long. */
function hintBatchDimension({ config, report }: Scope): void {
  const tensors = [
    ...config.input.map((io, index) => ({ io, path: `input[${index}].dims[0]` })),
    ...config.output.map((io, index) => ({ io, path: `output[${index}].dims[0]` })),
  ];
  const suspicious =
    config.maxBatchSize > 0 &&
    config.input.length > 0 &&
    config.output.length > 0 &&
    tensors.every(({ io }) => io.dims.length > 1 && io.dims[0] === -1n && io.reshape === undefined);
  if (!suspicious) return;
  for (const { io, path } of tensors) {
    report.add({
      severity: "info",
      code: "batch-dimension",
      path,
      message: `'${io.name}': the first -1 looks like the batch dimension, which max_batch_size > 0 adds already; remove it from dims`,
      help: "If it is a dimension of the tensor itself, keep it.",
      fix: fixOf(report, "Remove the batch dimension", { op: "remove", path }),
    });
  }
}

/** Label files must lie in the model directory. */
export function checkLabelFiles({ config, model, report }: Scope): void {
  for (const [index, output] of config.output.entries()) {
    const name = output.labelFilename;
    if (name === "" || staysInside(name)) continue;
    report.add({
      code: "label-file",
      path: `output[${index}].label_filename`,
      message: `label file '${name}' of output '${output.name}' must lie inside the directory of model '${model}'`,
      help: "Give a path relative to the model directory, without a leading / and without leaving it by ..",
    });
  }
}

function staysInside(path: string): boolean {
  if (path.startsWith("/") || path.includes("\0")) return false;
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    if (depth < 0) return false;
  }
  return depth > 0;
}
