import { create, toBinary } from "@bufbuild/protobuf";
import {
  type AttributeProto,
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  type GraphProto,
  GraphProtoSchema,
  ModelProtoSchema,
  NodeProtoSchema,
  OperatorSetIdProtoSchema,
  TensorProto_DataType,
  TensorProtoSchema,
  ValueInfoProtoSchema,
} from "onnx-buf";

export type OnnxType = keyof typeof TensorProto_DataType;
type Attribute =
  | number
  | bigint
  | string
  | readonly bigint[]
  | { readonly graph: OnnxGraph }
  | { readonly float: number };

export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxType;
  /** A string is a symbolic dimension. */
  readonly dims: readonly (number | string)[];
}

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export interface OnnxConstant {
  readonly name: string;
  readonly type: OnnxType;
  readonly dims: readonly number[];
  readonly data: ArrayBufferView;
}

export interface OnnxGraph {
  readonly name: string;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly constants?: readonly OnnxConstant[];
}

const OPSET = 17n;
const IR_VERSION = 8n;

/** Serialises a graph as an ONNX model file (opset 17, IR 8). */
export function onnxModel(graph: OnnxGraph): Uint8Array {
  return toBinary(
    ModelProtoSchema,
    create(ModelProtoSchema, {
      irVersion: IR_VERSION,
      producerName: "nereid",
      graph: graphProto(graph),
      opsetImport: [create(OperatorSetIdProtoSchema, { domain: "", version: OPSET })],
    }),
  );
}

function graphProto(graph: OnnxGraph): GraphProto {
  return create(GraphProtoSchema, {
    name: graph.name,
    input: graph.inputs.map(valueInfo),
    output: graph.outputs.map(valueInfo),
    initializer: (graph.constants ?? []).map(constantProto),
    node: graph.nodes.map(({ op, inputs, outputs, attributes }) =>
      create(NodeProtoSchema, {
        opType: op,
        input: [...inputs],
        output: [...outputs],
        attribute: Object.entries(attributes ?? {}).map(([name, value]) => attributeProto(name, value)),
      }),
    ),
  });
}

function valueInfo({ name, type, dims }: OnnxValue) {
  return create(ValueInfoProtoSchema, {
    name,
    type: {
      value: {
        case: "tensorType",
        value: {
          elemType: TensorProto_DataType[type],
          shape: {
            dim: dims.map((dim) => ({
              value:
                typeof dim === "string"
                  ? { case: "dimParam" as const, value: dim }
                  : { case: "dimValue" as const, value: BigInt(dim) },
            })),
          },
        },
      },
    },
  });
}

function constantProto({ name, type, dims, data }: OnnxConstant) {
  const rawData = new Uint8Array(data.byteLength);
  rawData.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return create(TensorProtoSchema, { name, dataType: TensorProto_DataType[type], dims: dims.map(BigInt), rawData });
}

function attributeProto(name: string, value: Attribute): AttributeProto {
  const { INT, INTS, STRING, GRAPH, FLOAT } = AttributeProto_AttributeType;
  if (typeof value === "string")
    return create(AttributeProtoSchema, { name, type: STRING, s: new TextEncoder().encode(value) });
  if (typeof value === "number" || typeof value === "bigint")
    return create(AttributeProtoSchema, { name, type: INT, i: BigInt(value) });
  if ("graph" in value) return create(AttributeProtoSchema, { name, type: GRAPH, g: graphProto(value.graph) });
  if ("float" in value) return create(AttributeProtoSchema, { name, type: FLOAT, f: value.float });
  return create(AttributeProtoSchema, { name, type: INTS, ints: [...value] });
}
