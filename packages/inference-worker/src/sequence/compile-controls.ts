import { NereidError } from "@nereid/errors";
import {
  datatypeFromConfig,
  ModelSequenceBatching_Control_Kind as Kind,
  type ModelSequenceBatching_Control,
  type ModelSequenceBatching_ControlInput,
} from "@nereid/model-config";
import type { Datatype } from "@nereid/protocol";
import type { TensorSpec } from "../models/model-spec.ts";
import type { ControlSpec } from "./control-inputs.ts";

const FLAGS = new Map<Kind, "start" | "end" | "ready">([
  [Kind.CONTROL_SEQUENCE_START, "start"],
  [Kind.CONTROL_SEQUENCE_END, "end"],
  [Kind.CONTROL_SEQUENCE_READY, "ready"],
]);

/** Control tensors of a validated configuration. Throws INVALID_ARGUMENT for a control without a type or without values. */
export function compileControls(
  inputs: readonly ModelSequenceBatching_ControlInput[],
  batching: boolean,
): readonly ControlSpec[] {
  const shape = batching ? [1, 1] : [1];
  return inputs.flatMap(({ name, control }) =>
    control.map((one): ControlSpec => {
      const kind = FLAGS.get(one.kind);
      if (kind === undefined) {
        const datatype = datatypeFromConfig(one.dataType);
        if (datatype === undefined) throw incomplete(name, "data_type");
        return { kind: "corrid", tensor: controlTensor(name, datatype), shape };
      }
      const { datatype, off, on } = flagValues(name, one);
      const tensor = controlTensor(name, datatype);
      return { kind, tensor, off: { spec: tensor, shape, bytes: off }, on: { spec: tensor, shape, bytes: on } };
    }),
  );
}

interface FlagValues {
  readonly datatype: Datatype;
  readonly off: Uint8Array;
  readonly on: Uint8Array;
}

function flagValues(name: string, control: ModelSequenceBatching_Control): FlagValues {
  const { int32FalseTrue, fp32FalseTrue, boolFalseTrue } = control;
  const [intOff, intOn] = int32FalseTrue;
  if (intOff !== undefined && intOn !== undefined) {
    return { datatype: "INT32", off: bytesOf(Int32Array.of(intOff)), on: bytesOf(Int32Array.of(intOn)) };
  }
  const [floatOff, floatOn] = fp32FalseTrue;
  if (floatOff !== undefined && floatOn !== undefined) {
    return { datatype: "FP32", off: bytesOf(Float32Array.of(floatOff)), on: bytesOf(Float32Array.of(floatOn)) };
  }
  const [off, on] = boolFalseTrue;
  if (off === undefined || on === undefined) throw incomplete(name, "int32_false_true");
  return { datatype: "BOOL", off: Uint8Array.of(Number(off)), on: Uint8Array.of(Number(on)) };
}

function bytesOf(values: Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(values.buffer);
}

function controlTensor(name: string, datatype: Datatype): TensorSpec {
  const dims = [1];
  return { name, datatype, dims, modelDims: dims, variable: false, optional: false, labels: [] };
}

function incomplete(name: string, field: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `sequence batching control '${name}' does not specify '${field}'`, {
    fix: `write ${field} in the control_input '${name}'`,
  });
}
