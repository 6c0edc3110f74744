import type { ModelSpec, TensorSpec } from "../../models/model-spec.ts";

export const tensor = (name: string, dims: readonly number[], optional = false): TensorSpec => ({
  name,
  datatype: "UINT8",
  dims,
  modelDims: dims,
  variable: dims.includes(-1),
  optional,
  labels: [],
});

/** A model of nothing but inputs. */
export function specOf(maxBatchSize: number, ...inputs: TensorSpec[]): ModelSpec {
  return {
    name: "m",
    version: "1",
    platform: "",
    backend: "",
    maxBatchSize,
    inputs,
    outputs: [],
    inputByName: new Map(inputs.map((input) => [input.name, input])),
    outputByName: new Map(),
    requiredInputs: inputs.length,
    scheduling: { kind: "default" },
    priorities: {
      levels: 0,
      defaultLevel: 0,
      byLevel: new Map(),
      defaultPolicy: { maxQueueSize: 0, defaultTimeoutNs: 0, allowTimeoutOverride: false, timeoutAction: "REJECT" },
    },
    admission: { maxRequests: 0, maxBytes: 0, maxPredictedWaitNs: 0, classes: [] },
    costMeasure: { kind: "elements" },
    batchInputs: [],
    batchOutputs: [],
    execution: "batch",
    tellsReadiness: false,
    cached: false,
    decoupled: false,
    instances: [],
  };
}
