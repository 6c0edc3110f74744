import { onnxModel } from "../onnx-graph.ts";

/**
 * Adds up a sequence: `SUM` = `INPUT` + the sum so far, which the server keeps for it (`SUM_IN`, `SUM_OUT`); `START` begins anew,
 * and where `READY` is 0 nothing is added. `SEEN` tells the controls: START + 10 END + 100 READY, and `ID` gives the correlation id back.
 */
export function accumulatorModel(): Uint8Array {
  const control = (name: string) => ({ name, type: "INT32" as const, dims: ["batch", 1] });
  return onnxModel({
    name: "accumulator",
    inputs: [
      { name: "INPUT", type: "INT32", dims: ["batch", 1] },
      control("START"),
      control("END"),
      control("READY"),
      { name: "CORRID", type: "UINT64", dims: ["batch", 1] },
      control("SUM_IN"),
    ],
    outputs: [
      { name: "SUM", type: "INT32", dims: ["batch", 1] },
      { name: "SUM_OUT", type: "INT32", dims: ["batch", 1] },
      { name: "SEEN", type: "INT32", dims: ["batch", 1] },
      { name: "ID", type: "UINT64", dims: ["batch", 1] },
    ],
    constants: [
      { name: "ten", type: "INT32", dims: [1], data: new Int32Array([10]) },
      { name: "hundred", type: "INT32", dims: [1], data: new Int32Array([100]) },
      { name: "one", type: "INT32", dims: [1], data: new Int32Array([1]) },
    ],
    nodes: [
      { op: "Sub", inputs: ["one", "START"], outputs: ["goes_on"] },
      { op: "Mul", inputs: ["SUM_IN", "goes_on"], outputs: ["before"] },
      { op: "Mul", inputs: ["INPUT", "READY"], outputs: ["added"] },
      { op: "Add", inputs: ["before", "added"], outputs: ["SUM"] },
      { op: "Identity", inputs: ["SUM"], outputs: ["SUM_OUT"] },
      { op: "Mul", inputs: ["END", "ten"], outputs: ["end_digit"] },
      { op: "Mul", inputs: ["READY", "hundred"], outputs: ["ready_digit"] },
      { op: "Add", inputs: ["START", "end_digit"], outputs: ["two_digits"] },
      { op: "Add", inputs: ["two_digits", "ready_digit"], outputs: ["SEEN"] },
      { op: "Identity", inputs: ["CORRID"], outputs: ["ID"] },
    ],
  });
}

/** The configuration of `accumulatorModel`; `strategy` is `direct { }` or `oldest { … }`. */
export function accumulatorConfig(options: {
  readonly strategy: string;
  readonly slots: number;
  readonly idleUs?: number;
}): string {
  const flag = (name: string, kind: string) =>
    `{ name: "${name}" control [ { kind: CONTROL_SEQUENCE_${kind} int32_false_true: [ 0, 1 ] } ] }`;
  return `backend: "onnxruntime"
max_batch_size: ${options.slots}
input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "SUM" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "SEEN" data_type: TYPE_INT32 dims: [ 1 ] }, { name: "ID" data_type: TYPE_UINT64 dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
sequence_batching {
  max_sequence_idle_microseconds: ${options.idleUs ?? 5_000_000}
  ${options.strategy}
  control_input [
    ${flag("START", "START")}, ${flag("END", "END")}, ${flag("READY", "READY")},
    { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] }
  ]
  state [ {
    input_name: "SUM_IN" output_name: "SUM_OUT" data_type: TYPE_INT32 dims: [ 1 ]
    initial_state: { name: "zero" data_type: TYPE_INT32 dims: [ 1 ] zero_data: true }
  } ]
}
`;
}

/**
 * Takes a ragged input with every kind of batch input beside it and gives what it was given: `FLAT` is the concatenation, scattered
 * by the shape of the input; the others go back as rows, one for each item of the batch.
 */
export function raggedModel(): Uint8Array {
  const flat = (name: string) => ({ name, type: "FLOAT" as const, dims: [-1] });
  return onnxModel({
    name: "ragged",
    inputs: [
      flat("VALUES"),
      flat("COUNT"),
      flat("SUM"),
      flat("BOUNDS"),
      flat("LARGEST"),
      flat("SHAPES"),
      { name: "SHAPE", type: "FLOAT", dims: ["items", "rank"] },
    ],
    outputs: [
      flat("FLAT"),
      flat("COUNTS"),
      flat("SUMS"),
      flat("LAST_BOUND"),
      flat("LARGEST_LENGTH"),
      flat("FIRST_OF_SHAPES"),
      flat("SHAPE_OF_ITEM"),
    ],
    constants: [
      { name: "zero", type: "FLOAT", dims: [1], data: new Float32Array([0]) },
      { name: "zero_index", type: "INT64", dims: [1], data: new BigInt64Array([0n]) },
      { name: "last_index", type: "INT64", dims: [1], data: new BigInt64Array([-1n]) },
    ],
    nodes: [
      { op: "Identity", inputs: ["VALUES"], outputs: ["FLAT"] },
      { op: "Identity", inputs: ["COUNT"], outputs: ["COUNTS"] },
      { op: "Identity", inputs: ["SUM"], outputs: ["SUMS"] },
      { op: "Mul", inputs: ["COUNT", "zero"], outputs: ["row"] },
      { op: "Gather", inputs: ["BOUNDS", "last_index"], outputs: ["last"] },
      { op: "Add", inputs: ["row", "last"], outputs: ["LAST_BOUND"] },
      { op: "Shape", inputs: ["LARGEST"], outputs: ["largest_shape"] },
      { op: "Cast", inputs: ["largest_shape"], outputs: ["largest_length"], attributes: { to: 1 } },
      { op: "Add", inputs: ["row", "largest_length"], outputs: ["LARGEST_LENGTH"] },
      { op: "Gather", inputs: ["SHAPES", "zero_index"], outputs: ["first"] },
      { op: "Add", inputs: ["row", "first"], outputs: ["FIRST_OF_SHAPES"] },
      { op: "ReduceSum", inputs: ["SHAPE", "last_index"], outputs: ["SHAPE_OF_ITEM"], attributes: { keepdims: 0 } },
    ],
  });
}

const scalar = (name: string) => `{ name: "${name}" data_type: TYPE_FP32 dims: [ 1 ] reshape: { shape: [ ] } }`;
const batchInput = (kind: string, target: string) =>
  `{ kind: ${kind} target_name: "${target}" data_type: TYPE_FP32 source_input: "VALUES" }`;

/** The configuration of `raggedModel`: three requests make a batch. */
export const RAGGED_CONFIG = `backend: "onnxruntime"
max_batch_size: 8
input [ { name: "VALUES" data_type: TYPE_FP32 dims: [ -1 ] allow_ragged_batch: true } ]
output [
  { name: "FLAT" data_type: TYPE_FP32 dims: [ -1 ] },
  ${["COUNTS", "SUMS", "LAST_BOUND", "LARGEST_LENGTH", "FIRST_OF_SHAPES", "SHAPE_OF_ITEM"].map(scalar).join(",\n  ")}
]
batch_input [
  ${[
    batchInput("BATCH_ELEMENT_COUNT", "COUNT"),
    batchInput("BATCH_ACCUMULATED_ELEMENT_COUNT", "SUM"),
    batchInput("BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO", "BOUNDS"),
    batchInput("BATCH_MAX_ELEMENT_COUNT_AS_SHAPE", "LARGEST"),
    batchInput("BATCH_ITEM_SHAPE_FLATTEN", "SHAPES"),
    batchInput("BATCH_ITEM_SHAPE", "SHAPE"),
  ].join(",\n  ")}
]
batch_output [ { target_name: "FLAT" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "VALUES" } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
dynamic_batching { max_queue_delay_microseconds: 2000000 preferred_batch_size: [ 3 ] }
`;
