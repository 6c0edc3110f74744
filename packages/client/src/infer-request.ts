import { NereidError } from "@nereid/errors";
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
      priority: unsigned(call.priority ?? 0, "priority"),
      timeoutMicroseconds: unsigned(call.timeoutMicroseconds ?? 0, "timeoutMicroseconds"),
    },
    binaryDataOutput: true,
    inputs: call.inputs.map(({ name, datatype, shape, data, sharedMemory }) => ({
      name,
      datatype,
      shape,
      data:
        sharedMemory === undefined
          ? { kind: "bytes", bytes: encodeTensorValues(datatype, data) }
          : { kind: "shm", ...sharedMemory },
    })),
    outputs: (call.outputs ?? []).map((output) => ({
      name: output.name,
      binary: output.binary ?? true,
      classification: Number(unsigned(output.classification ?? 0, "classification")),
      ...(output.sharedMemory !== undefined && { shm: output.sharedMemory }),
    })),
  };
}

/** INVALID_ARGUMENT for what is no whole number of at least 0. */
function unsigned(value: number | bigint, field: string): bigint {
  if (typeof value === "bigint" ? value >= 0n : Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new NereidError("INVALID_ARGUMENT", `${field} must be a whole number of at least 0, got ${value}`);
}

/** Whole numbers are meant as int64 parameters; the protocol types tell doubles and integers apart. */
function integerFirst(value: ParameterValue): ParameterValue {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
