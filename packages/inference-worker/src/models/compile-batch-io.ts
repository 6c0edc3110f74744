import { BatchInput_Kind, DataType, type ModelConfig } from "@nereid/model-config";
import type { BatchInputKind, BatchInputSpec, BatchOutputSpec } from "./model-spec.ts";

const KINDS: Readonly<Record<BatchInput_Kind, BatchInputKind>> = {
  [BatchInput_Kind.BATCH_ELEMENT_COUNT]: "BATCH_ELEMENT_COUNT",
  [BatchInput_Kind.BATCH_ACCUMULATED_ELEMENT_COUNT]: "BATCH_ACCUMULATED_ELEMENT_COUNT",
  [BatchInput_Kind.BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO]: "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO",
  [BatchInput_Kind.BATCH_MAX_ELEMENT_COUNT_AS_SHAPE]: "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE",
  [BatchInput_Kind.BATCH_ITEM_SHAPE]: "BATCH_ITEM_SHAPE",
  [BatchInput_Kind.BATCH_ITEM_SHAPE_FLATTEN]: "BATCH_ITEM_SHAPE_FLATTEN",
};

/** `batch_input` as the request path reads it; one source each, as validated. */
export function compileBatchInputs(config: ModelConfig): readonly BatchInputSpec[] {
  return config.batchInput.map(({ kind, targetName, dataType, sourceInput }) => ({
    kind: KINDS[kind],
    targets: targetName,
    datatype: dataType === DataType.TYPE_FP32 ? "FP32" : "INT32",
    source: sourceInput[0] ?? "",
  }));
}

/** `batch_output`; there is one kind, BATCH_SCATTER_WITH_INPUT_SHAPE. */
export function compileBatchOutputs(config: ModelConfig): readonly BatchOutputSpec[] {
  return config.batchOutput.map(({ targetName, sourceInput }) => ({
    targets: targetName,
    source: sourceInput[0] ?? "",
  }));
}
