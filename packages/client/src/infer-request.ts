import { encodeTensorValues, type InferRequest, type ParameterValue } from "@nereid/protocol";
import type { InferCall } from "./client-types.ts";

/** The protocol request of a call. Throws INVALID_ARGUMENT when values do not fit their datatype. */
export function toInferRequest(call: InferCall): InferRequest {
  const { sequence } = call;
  return {
    id: call.id ?? "",
    modelParameters: new Map(Object.entries(call.parameters ?? {}).map(([key, value]) => [key, integerFirst(value)])),
    controls: {
      ...(sequence === undefined ? {} : { sequenceId: sequence.id }),
      sequenceStart: sequence?.start ?? false,
      sequenceEnd: sequence?.end ?? false,
      priority: BigInt(call.priority ?? 0),
      timeoutMicroseconds: BigInt(call.timeoutMicroseconds ?? 0),
    },
    binaryDataOutput: true,
    inputs: call.inputs.map((input) => ({
      name: input.name,
      datatype: input.datatype,
      shape: input.shape,
      data: { kind: "bytes", bytes: encodeTensorValues(input.datatype, input.data) },
    })),
    outputs: (call.outputs ?? []).map((output) => ({
      name: output.name,
      binary: output.binary ?? true,
      classification: output.classification ?? 0,
    })),
  };
}

/** Whole numbers are meant as int64 parameters; the protocol types tell doubles and integers apart. */
function integerFirst(value: ParameterValue): ParameterValue {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
