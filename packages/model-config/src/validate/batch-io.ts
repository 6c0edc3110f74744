import { configTypeName } from "../datatype.ts";
import { DataType } from "../gen/model_config_pb.ts";
import { addFor, type Scope } from "./scope.ts";

/** Batch inputs and outputs: one known source each, known targets, each target once. */
export function checkBatchIo(scope: Scope): void {
  const { config } = scope;
  const inputs = new Set(config.input.map((input) => input.name));
  const outputs = new Set(config.output.map((output) => output.name));
  const targets = new Set<string>();
  for (const [index, batch] of config.batchInput.entries()) {
    const path = `batch_input[${index}]`;
    const add = (at: string, text: string) =>
      addFor(scope, { code: "batch-input", path: `${path}.${at}`, message: `batch input ${text}` });
    if (batch.dataType !== DataType.TYPE_INT32 && batch.dataType !== DataType.TYPE_FP32) {
      add("data_type", `must have data type TYPE_INT32 or TYPE_FP32, not ${configTypeName(batch.dataType)},`);
    }
    checkSources(batch.sourceInput, inputs, (text) => add("source_input", text));
    for (const target of batch.targetName) {
      if (inputs.has(target)) add("target_name", `target '${target}' is an input of the model already`);
      if (targets.has(target)) add("target_name", `target '${target}' is given more than once`);
      targets.add(target);
    }
    if (batch.targetName.length === 0) add("target_name", "must specify 'target_name'");
  }
  for (const [index, batch] of config.batchOutput.entries()) {
    const path = `batch_output[${index}]`;
    const add = (at: string, text: string) =>
      addFor(scope, { code: "batch-output", path: `${path}.${at}`, message: `batch output ${text}` });
    checkSources(batch.sourceInput, inputs, (text) => add("source_input", text));
    for (const target of batch.targetName) {
      if (!outputs.has(target)) add("target_name", `target '${target}' is not an output of the model`);
      if (targets.has(target)) add("target_name", `target '${target}' is given more than once`);
      targets.add(target);
    }
    if (batch.targetName.length === 0) add("target_name", "must specify 'target_name'");
  }
}

function checkSources(sources: readonly string[], inputs: ReadonlySet<string>, add: (text: string) => void): void {
  if (sources.length !== 1) add(`must have exactly one source input, not ${sources.length},`);
  for (const source of sources) if (!inputs.has(source)) add(`source '${source}' is not an input of the model`);
}
