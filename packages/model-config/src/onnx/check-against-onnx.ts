import { configTypeName, datatypeFromConfig, datatypeToConfig } from "../datatype.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { ModelConfig, ModelInput, ModelOutput } from "../gen/model_config_pb.ts";
import { Report } from "../report.ts";
import { closest } from "../text/closest.ts";
import type { ConfigDocument } from "../text/tree.ts";
import { fixOf } from "../validate/scope.ts";
import { checkShape } from "./check-shape.ts";
import { extraInputs } from "./extra-inputs.ts";
import type { OnnxSignature, OnnxTensor } from "./onnx-signature.ts";

/** Checks a completed config against the graph (model-config.md §7). Messages are Triton's texts. */
export function checkAgainstOnnx(
  config: ModelConfig,
  signature: OnnxSignature,
  options: { readonly document?: ConfigDocument } = {},
): Diagnostic[] {
  const report = new Report(options.document);
  const inputs = new Map(signature.inputs.map((tensor) => [tensor.name, tensor]));
  const outputs = new Map(signature.outputs.map((tensor) => [tensor.name, tensor]));
  const initializers = new Map((signature.overridableInitializers ?? []).map((tensor) => [tensor.name, tensor]));
  checkInputCount(config, signature, report);
  checkExtraInputs(config, inputs, report);
  for (const [index, input] of config.input.entries()) {
    const path = `input[${index}]`;
    if (input.optional && config.maxBatchSize > 0) {
      report.add({
        code: "model-mismatch",
        path: `${path}.optional`,
        message: `unable to load model '${config.name}', optional input '${input.name}' is not supported for models that support batching`,
        fix: fixOf(report, "Remove optional", { op: "remove", path: `${path}.optional` }),
      });
      continue;
    }
    const tensor = (input.optional ? initializers : inputs).get(input.name);
    if (tensor === undefined) {
      const given = config.input.map((one) => one.name);
      const allowed = input.optional ? initializers : inputs;
      unexpectedName(report, { kind: "input", path, name: input.name, given }, allowed);
      continue;
    }
    checkDatatype({ config, report }, input, { kind: "input", path, tensor });
    checkShape({ config, report, signature }, input, { path, tensor, exact: false, ragged: input.allowRaggedBatch });
  }
  for (const [index, output] of config.output.entries()) {
    const path = `output[${index}]`;
    const tensor = outputs.get(output.name);
    if (tensor === undefined) {
      const given = config.output.map((one) => one.name);
      unexpectedName(report, { kind: "output", path, name: output.name, given }, outputs);
      continue;
    }
    checkDatatype({ config, report }, output, { kind: "output", path, tensor });
    // Scattered by the shapes of an input: to the model it is one dimension, whatever its items look like.
    const scattered = config.batchOutput.some(({ targetName }) => targetName.includes(output.name));
    const [only] = tensor.dims;
    if (scattered && tensor.dims.length === 1 && (typeof only === "string" || only === -1)) continue;
    checkShape({ config, report, signature }, output, { path, tensor, exact: true, ragged: false });
  }
  return report.diagnostics;
}

function checkInputCount(config: ModelConfig, signature: OnnxSignature, report: Report): void {
  const expected = config.input.filter((input) => !input.optional).length + extraInputs(config).length;
  if (expected === signature.inputs.length) return;
  report.add({
    code: "model-mismatch",
    path: "input",
    message: `unable to load model '${config.name}', configuration expects ${expected} inputs, model provides ${signature.inputs.length}`,
    help: `Inputs of the model: ${signature.inputs.map((tensor) => tensor.name).join(", ")}`,
  });
}

function checkExtraInputs(config: ModelConfig, inputs: ReadonlyMap<string, OnnxTensor>, report: Report): void {
  for (const extra of extraInputs(config)) {
    if (inputs.has(extra.name)) continue;
    report.add({
      code: "model-mismatch",
      path: extra.path,
      message: `configuration specified ${extra.what} '${extra.name}', but model does not provide that input`,
    });
  }
}

function unexpectedName(
  report: Report,
  at: { kind: "input" | "output"; path: string; name: string; given: readonly string[] },
  allowed: ReadonlyMap<string, OnnxTensor>,
): void {
  // A name that is in use already would only move the mistake.
  const free = [...allowed.keys()].filter((name) => !at.given.includes(name));
  const meant = closest(at.name, free) ?? (free.length === 1 ? free[0] : undefined);
  report.add({
    code: "model-mismatch",
    path: `${at.path}.name`,
    message: `unexpected inference ${at.kind} '${at.name}', allowed ${at.kind}s are: ${[...allowed.keys()].sort().join(", ")}`,
    ...(meant === undefined
      ? {}
      : {
          help: `Did you mean "${meant}"?`,
          fix: fixOf(report, `Write "${meant}"`, { op: "set", path: `${at.path}.name`, value: meant }),
        }),
  });
}

function checkDatatype(
  { config, report }: { config: ModelConfig; report: Report },
  io: ModelInput | ModelOutput,
  at: { kind: "input" | "output"; path: string; tensor: OnnxTensor },
): void {
  if (datatypeFromConfig(io.dataType) === at.tensor.datatype) return;
  const provided = configTypeName(datatypeToConfig(at.tensor.datatype));
  report.add({
    code: "model-mismatch",
    path: `${at.path}.data_type`,
    message:
      `unable to load model '${config.name}', configuration expects datatype ${configTypeName(io.dataType)} for ` +
      `${at.kind} '${io.name}', model provides ${provided}`,
    help: `Write data_type: ${provided}.`,
    fix: fixOf(report, `Write ${provided}`, { op: "set", path: `${at.path}.data_type`, value: provided }),
  });
}
