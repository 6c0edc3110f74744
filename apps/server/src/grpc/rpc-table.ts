import {
  file_grpc_service,
  file_health,
  GRPCInferenceService,
  Health,
  ReflectionIndex,
  reflectionV1,
  reflectionV1alpha,
} from "@nereid/grpc";
import { serveModelInfer } from "./model-infer.ts";
import { serveModelStreamInfer } from "./model-stream-infer.ts";
import { reflectionRpc } from "./reflection-rpc.ts";
import type { RawRpc, Rpc } from "./rpc.ts";
import { HEALTH_CHECK, HEALTH_RPCS } from "./rpcs/health-rpcs.ts";
import { METADATA_RPCS } from "./rpcs/metadata-rpcs.ts";
import { REPOSITORY_RPCS } from "./rpcs/repository-rpcs.ts";
import { SETTING_RPCS } from "./rpcs/setting-rpcs.ts";
import { SHARED_MEMORY_RPCS } from "./rpcs/shared-memory-rpcs.ts";

const INFER: RawRpc = {
  kind: "raw",
  name: "ModelInfer",
  category: "inference",
  managed: false,
  serve: serveModelInfer,
};

const STREAM_INFER: RawRpc = { ...INFER, name: "ModelStreamInfer", serve: serveModelStreamInfer };

const INFERENCE_RPCS: readonly Rpc[] = [
  INFER,
  STREAM_INFER,
  ...HEALTH_RPCS,
  ...METADATA_RPCS,
  ...REPOSITORY_RPCS,
  ...SHARED_MEMORY_RPCS,
  ...SETTING_RPCS,
];

/** Every rpc by its path: the inference service, health and reflection. */
export function createRpcTable(): ReadonlyMap<string, Rpc> {
  const index = new ReflectionIndex([
    file_grpc_service,
    file_health,
    reflectionV1.file_reflection,
    reflectionV1alpha.file_reflection_v1alpha,
  ]);
  const table = new Map<string, Rpc>();
  for (const rpc of INFERENCE_RPCS) table.set(`/${GRPCInferenceService.typeName}/${rpc.name}`, rpc);
  table.set(`/${Health.typeName}/${HEALTH_CHECK.name}`, HEALTH_CHECK);
  for (const [version, { typeName }] of [
    ["v1", reflectionV1.ServerReflection],
    ["v1alpha", reflectionV1alpha.ServerReflection],
  ] as const) {
    const rpc = reflectionRpc(index, version);
    table.set(`/${typeName}/${rpc.name}`, rpc);
  }
  return table;
}
