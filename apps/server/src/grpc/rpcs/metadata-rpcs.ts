import {
  ModelConfigRequestSchema,
  ModelConfigResponseSchema,
  ModelMetadataRequestSchema,
  ModelMetadataResponseSchema,
  ModelStatisticsRequestSchema,
  ModelStatisticsResponseSchema,
  parseModelVersion,
  ServerMetadataRequestSchema,
  ServerMetadataResponseSchema,
} from "@nereid/grpc";
import type { TensorMetadata } from "@nereid/protocol";
import { collectStatistics, describeModel, describeServer, servedConfig } from "../../handlers/describe.ts";
import { type UnaryRpc, unary } from "../rpc.ts";
import { statisticsMessage } from "./statistics-message.ts";

export const METADATA_RPCS: readonly UnaryRpc[] = [
  unary({
    name: "ServerMetadata",
    category: "metadata",
    request: ServerMetadataRequestSchema,
    response: ServerMetadataResponseSchema,
    serve: ({ server }) => {
      const { name, version, extensions } = describeServer(server);
      return { name, version, extensions: [...extensions] };
    },
  }),
  unary({
    name: "ModelMetadata",
    category: "metadata",
    request: ModelMetadataRequestSchema,
    response: ModelMetadataResponseSchema,
    serve: ({ server }, request) => {
      const model = describeModel(server, request.name, parseModelVersion(request.version));
      const { name, versions, platform, inputs, outputs } = model;
      return {
        name,
        versions: [...versions],
        platform,
        inputs: inputs.map(tensorMessage),
        outputs: outputs.map(tensorMessage),
      };
    },
  }),
  unary({
    name: "ModelConfig",
    category: "model-config",
    request: ModelConfigRequestSchema,
    response: ModelConfigResponseSchema,
    serve: ({ server }, { name, version }) => ({ config: servedConfig(server, name, parseModelVersion(version)) }),
  }),
  unary({
    name: "ModelStatistics",
    category: "statistics",
    request: ModelStatisticsRequestSchema,
    response: ModelStatisticsResponseSchema,
    serve: ({ server }, { name, version }) => {
      const stats = collectStatistics(server, name === "" ? undefined : name, parseModelVersion(version));
      return { modelStats: stats.map(statisticsMessage) };
    },
  }),
];

function tensorMessage({ name, datatype, shape }: TensorMetadata) {
  return { name, datatype, shape: shape.map(BigInt) };
}
