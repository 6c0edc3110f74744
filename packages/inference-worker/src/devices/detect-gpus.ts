import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import koffi from "koffi";

export interface Gpu {
  readonly id: number;
  readonly uuid: string;
  /** Such as `NVIDIA L4`. */
  readonly name?: string;
  readonly computeCapability: number;
}

export interface GpuSupport {
  /** The engine's CUDA provider is installed beside it. */
  readonly cudaBuild: boolean;
  readonly gpus: readonly Gpu[];
  /** Version of the driver, where there is one. */
  readonly driver?: string;
}

type Native = (...args: readonly unknown[]) => number;

/** Asks the NVIDIA management library for GPUs, and looks for the engine's CUDA provider. No GPU library: no GPUs. */
export function detectGpus(): GpuSupport {
  return { cudaBuild: hasCudaProvider(), ...listGpus() };
}

function hasCudaProvider(): boolean {
  const require = createRequire(import.meta.url);
  try {
    const root = dirname(require.resolve("onnxruntime-node/package.json"));
    return existsSync(join(root, "bin/napi-v6", process.platform, process.arch, "libonnxruntime_providers_cuda.so"));
  } catch {
    return false;
  }
}

function listGpus(): Omit<GpuSupport, "cudaBuild"> {
  try {
    const library = koffi.load("libnvidia-ml.so.1");
    const call = (signature: string) => library.func(signature) as unknown as Native;
    if (call("int nvmlInit_v2()")() !== 0) return { gpus: [] };
    const count = [0];
    call("int nvmlDeviceGetCount_v2(_Out_ unsigned int*)")(count);
    const handleOf = call("int nvmlDeviceGetHandleByIndex_v2(unsigned int, _Out_ void**)");
    const capabilityOf = call("int nvmlDeviceGetCudaComputeCapability(void*, _Out_ int*, _Out_ int*)");
    const nameOf = call("int nvmlDeviceGetName(void*, _Out_ uint8_t*, unsigned int)");
    const driverOf = call("int nvmlSystemGetDriverVersion(_Out_ uint8_t*, unsigned int)");
    const uuidOf = call("int nvmlDeviceGetUUID(void*, _Out_ uint8_t*, unsigned int)");
    const gpus = Array.from({ length: count[0] ?? 0 }, (_, id) => {
      const handle: unknown[] = [null];
      const major = [0];
      const minor = [0];
      handleOf(id, handle);
      capabilityOf(handle[0], major, minor);
      return {
        id,
        uuid: text((bytes) => uuidOf(handle[0], bytes, bytes.length)),
        name: text((bytes) => nameOf(handle[0], bytes, bytes.length)),
        computeCapability: Number(`${major[0]}.${minor[0]}`),
      };
    });
    return { gpus, driver: text((bytes) => driverOf(bytes, bytes.length)) };
  } catch {
    return { gpus: [] };
  }
}

function text(read: (bytes: Buffer) => number): string {
  const bytes = Buffer.alloc(96);
  return read(bytes) === 0 ? bytes.toString("latin1").replace(/\0.*$/s, "") : "";
}
