import type { Flag, FlagKind } from "./flag-table.ts";

const off = (kind: FlagKind, help: string, noEffect: string): Flag => ({ kind, help, noEffect });

const ENGINE_MEMORY =
  "device memory is the engine's own here; bound a model with the parameter 'memory_limit_bytes' or --runner-memory-limit-bytes";
const SAGEMAKER =
  "there is no SageMaker front end; let a proxy map /ping to /v2/health/ready and /invocations to /v2/models/<model>/infer";
const VERTEX =
  "there is no Vertex AI front end; let a proxy map the health route to /v2/health/ready and the predict route to /v2/models/<model>/infer";
const REUSE = "two servers cannot share a port here; give each its own and put a balancer before them";
const THREADS =
  "one event loop serves all connections and models run in processes of their own; for more front end start more servers";

/**
 * Options of Triton's about devices, thread pools and clouds that this server is built without. Start-up scripts carry them, so
 * they are accepted; each says what to do instead.
 */
export const VENDOR_FLAGS: Readonly<Record<string, Flag>> = {
  "reuse-http-port": off("boolean", "SO_REUSEPORT for HTTP", REUSE),
  "reuse-grpc-port": off("boolean", "SO_REUSEPORT for gRPC", REUSE),
  "http-thread-count": off("whole", "threads of the HTTP front end", THREADS),
  "grpc-infer-thread-count": off("whole", "threads of the gRPC front end, 2 to 128", THREADS),
  "grpc-infer-allocation-pool-size": off(
    "whole",
    "kept request objects of gRPC",
    "requests are not pooled here; the garbage collector keeps what is worth keeping",
  ),
  "grpc-max-response-pool-size": off(
    "whole",
    "kept response objects of gRPC, above 0",
    "responses are not pooled here; a slow reader is bounded by its stream's window",
  ),
  "enable-peer-access": off(
    "boolean",
    "GPUs may read each other's memory",
    "tensors travel through host memory here; no GPU reads another one's",
  ),
  "pinned-memory-pool-byte-size": off("whole", "pinned host memory", ENGINE_MEMORY),
  "cuda-memory-pool-byte-size": off("repeated", "<gpu>:<bytes> of CUDA memory", ENGINE_MEMORY),
  "cuda-virtual-address-size": off("repeated", "<gpu>:<bytes> of CUDA addresses", ENGINE_MEMORY),
  "model-load-gpu-limit": off("repeated", "<gpu>:<fraction> of memory that models may take", ENGINE_MEMORY),
  "min-supported-compute-capability": off(
    "text",
    "oldest GPU that is used",
    "the engine decides which GPUs it can use; name the GPUs in instance_group { gpus }",
  ),
  "buffer-manager-thread-count": off(
    "whole",
    "threads that copy tensors",
    "inputs are gathered with one copy on the event loop; there is nothing for more threads to do",
  ),
  "backend-directory": off(
    "text",
    "directory of backends",
    "backends are part of this server; shared libraries of Triton's cannot be loaded",
  ),
  "repoagent-directory": off(
    "text",
    "directory of repository agents",
    "shared libraries of Triton's cannot be loaded; uploads over the management API are checked by their digests",
  ),
  "cache-directory": off(
    "text",
    "directory of caches",
    "the caches local and redis are part of this server; shared libraries of Triton's cannot be loaded",
  ),
  "allow-sagemaker": off("boolean", "SageMaker front end", SAGEMAKER),
  "sagemaker-port": off("whole", "its port", SAGEMAKER),
  "sagemaker-safe-port-range": off("text", "<low>-<high>, its ports", SAGEMAKER),
  "sagemaker-thread-count": off("whole", "its threads", SAGEMAKER),
  "allow-vertex-ai": off("boolean", "Vertex AI front end", VERTEX),
  "vertex-ai-port": off("whole", "its port", VERTEX),
  "vertex-ai-thread-count": off("whole", "its threads", VERTEX),
  "vertex-ai-default-model": off("text", "its model", VERTEX),
};
