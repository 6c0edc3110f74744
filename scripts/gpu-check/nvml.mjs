// NVIDIA's devices and what they do, by the driver's own library; nothing where it is not installed.
import { createRequire } from "node:module";

/** `{ driver, gpus: [{ name, read() }] }`, or undefined without the library. Figures a GPU does not tell are absent. */
export function openNvml(root) {
  try {
    const koffi = createRequire(`${root}/packages/inference-worker/package.json`)("koffi");
    const library = koffi.load("libnvidia-ml.so.1");
    if (library.func("int nvmlInit_v2()")() !== 0) return undefined;
    const count = [0];
    library.func("int nvmlDeviceGetCount_v2(_Out_ unsigned int*)")(count);
    const driver = text((bytes) =>
      library.func("int nvmlSystemGetDriverVersion(_Out_ uint8_t*, unsigned int)")(bytes, 96),
    );
    return { driver, gpus: Array.from({ length: count[0] }, (_, index) => device(library, index)) };
  } catch {
    return undefined;
  }
}

function device(library, index) {
  const handle = [null];
  library.func("int nvmlDeviceGetHandleByIndex_v2(unsigned int, _Out_ void**)")(index, handle);
  const nameOf = library.func("int nvmlDeviceGetName(void*, _Out_ uint8_t*, unsigned int)");
  const reader = (name, byteLength, value) => {
    const native = library.func(`int ${name}(void*, _Out_ uint8_t*)`);
    return () => {
      const bytes = Buffer.alloc(byteLength);
      return native(handle[0], bytes) === 0 ? value(bytes) : undefined;
    };
  };
  const utilization = reader("nvmlDeviceGetUtilizationRates", 8, (bytes) => bytes.readUInt32LE(0));
  const memory = reader("nvmlDeviceGetMemoryInfo", 24, (bytes) => Number(bytes.readBigUInt64LE(16)) / 2 ** 20);
  const power = reader("nvmlDeviceGetPowerUsage", 4, (bytes) => bytes.readUInt32LE(0) / 1000);
  return {
    name: text((bytes) => nameOf(handle[0], bytes, 96)),
    read: () => ({ utilizationPercent: utilization(), memoryMib: memory(), powerWatts: power() }),
  };
}

function text(read) {
  const bytes = Buffer.alloc(96);
  return read(bytes) === 0 ? bytes.toString("latin1").replace(/\0.*$/s, "") : "unknown";
}
