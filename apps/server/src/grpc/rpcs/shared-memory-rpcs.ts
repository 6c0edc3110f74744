import { NereidError } from "@nereid/errors";
import {
  CudaSharedMemoryRegisterRequestSchema,
  CudaSharedMemoryRegisterResponseSchema,
  CudaSharedMemoryStatusRequestSchema,
  CudaSharedMemoryStatusResponseSchema,
  CudaSharedMemoryUnregisterRequestSchema,
  CudaSharedMemoryUnregisterResponseSchema,
  SystemSharedMemoryRegisterRequestSchema,
  SystemSharedMemoryRegisterResponseSchema,
  SystemSharedMemoryStatusRequestSchema,
  SystemSharedMemoryStatusResponseSchema,
  SystemSharedMemoryUnregisterRequestSchema,
  SystemSharedMemoryUnregisterResponseSchema,
} from "@nereid/grpc";
import { type UnaryRpc, unary } from "../rpc.ts";

/** The shared-memory rpcs (http.md §11, grpc.md §6); an empty name stands for all regions of the kind. */
export const SHARED_MEMORY_RPCS: readonly UnaryRpc[] = [
  unary({
    name: "SystemSharedMemoryStatus",
    category: "shared-memory",
    request: SystemSharedMemoryStatusRequestSchema,
    response: SystemSharedMemoryStatusResponseSchema,
    serve: ({ server }, { name }) => ({
      regions: Object.fromEntries(
        server.sharedMemory
          .status("system", nameOrAll(name))
          .flatMap((region) =>
            region.kind === "system"
              ? [[region.name, { ...region, offset: BigInt(region.offset), byteSize: BigInt(region.byteSize) }]]
              : [],
          ),
      ),
    }),
  }),
  unary({
    name: "SystemSharedMemoryRegister",
    category: "shared-memory",
    request: SystemSharedMemoryRegisterRequestSchema,
    response: SystemSharedMemoryRegisterResponseSchema,
    serve: ({ server }, { name, key, offset, byteSize }) => {
      server.sharedMemory.registerSystem({ name, key, offset: size(name, offset), byteSize: size(name, byteSize) });
      return {};
    },
  }),
  unary({
    name: "SystemSharedMemoryUnregister",
    category: "shared-memory",
    request: SystemSharedMemoryUnregisterRequestSchema,
    response: SystemSharedMemoryUnregisterResponseSchema,
    serve: ({ server }, { name }) => {
      server.sharedMemory.unregister("system", nameOrAll(name));
      return {};
    },
  }),
  unary({
    name: "CudaSharedMemoryStatus",
    category: "shared-memory",
    request: CudaSharedMemoryStatusRequestSchema,
    response: CudaSharedMemoryStatusResponseSchema,
    serve: ({ server }, { name }) => ({
      regions: Object.fromEntries(
        server.sharedMemory
          .status("cuda", nameOrAll(name))
          .flatMap((region) =>
            region.kind === "cuda"
              ? [[region.name, { ...region, deviceId: BigInt(region.deviceId), byteSize: BigInt(region.byteSize) }]]
              : [],
          ),
      ),
    }),
  }),
  unary({
    name: "CudaSharedMemoryRegister",
    category: "shared-memory",
    request: CudaSharedMemoryRegisterRequestSchema,
    response: CudaSharedMemoryRegisterResponseSchema,
    serve: ({ server }, { name, rawHandle, deviceId, byteSize }) => {
      server.sharedMemory.registerCuda({
        name,
        rawHandle,
        deviceId: Number(deviceId),
        byteSize: size(name, byteSize),
      });
      return {};
    },
  }),
  unary({
    name: "CudaSharedMemoryUnregister",
    category: "shared-memory",
    request: CudaSharedMemoryUnregisterRequestSchema,
    response: CudaSharedMemoryUnregisterResponseSchema,
    serve: ({ server }, { name }) => {
      server.sharedMemory.unregister("cuda", nameOrAll(name));
      return {};
    },
  }),
];

function nameOrAll(name: string): string | undefined {
  return name === "" ? undefined : name;
}

/** No region is larger than what a double counts exactly. */
function size(region: string, value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new NereidError("INVALID_ARGUMENT", `failed to register shared memory region '${region}': invalid args`);
}
