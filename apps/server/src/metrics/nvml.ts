import type { GpuSample } from "@nereid/telemetry";
import koffi from "koffi";

/** A C function. `async` runs it on a thread of the pool; a driver may take milliseconds to answer. */
export interface NativeFunction {
  (...args: readonly unknown[]): number;
  async(...args: readonly unknown[]): void;
}

/** A loaded C library: functions by their declaration. */
export interface NativeLibrary {
  func(declaration: string): NativeFunction;
}

/** NVIDIA's management library; throws where it is not installed. */
export function loadNvml(): NativeLibrary {
  return koffi.load("libnvidia-ml.so.1") as unknown as NativeLibrary;
}

const MILLI = 1e-3;

interface Device {
  readonly handle: unknown;
  readonly uuid: string;
  /** Energy when the server started, joules. */
  readonly energyBefore: number | undefined;
}

type Reader = (handle: unknown) => Promise<number | undefined>;

/** Load, memory and power of the GPUs, as NVML tells them. What a GPU does not tell is absent from its sample. */
export class GpuSensor {
  readonly #devices: readonly Device[];
  readonly #readers: Omit<Readers, "energy">;
  readonly #energy: Reader;

  private constructor(devices: readonly Device[], { energy, ...readers }: Readers) {
    this.#devices = devices;
    this.#readers = readers;
    this.#energy = energy;
  }

  /** Undefined without the library or without a GPU: never an error. */
  static async open(load: () => NativeLibrary = loadNvml): Promise<GpuSensor | undefined> {
    try {
      const library = load();
      if (library.func("int nvmlInit_v2()")() !== 0) return undefined;
      const readers = readersOf(library);
      const devices: Device[] = [];
      for (const { handle, uuid } of list(library)) {
        devices.push({ handle, uuid, energyBefore: await readers.energy(handle) });
      }
      return devices.length === 0 ? undefined : new GpuSensor(devices, readers);
    } catch {
      return undefined;
    }
  }

  async sample(): Promise<readonly GpuSample[]> {
    return Promise.all(this.#devices.map((device) => this.#sampleOf(device)));
  }

  async #sampleOf({ handle, uuid, energyBefore }: Device): Promise<GpuSample> {
    const { utilization, memoryTotal, memoryUsed, power, powerLimit } = this.#readers;
    const energy = await this.#energy(handle);
    const values = {
      utilization: await utilization(handle),
      memoryTotalBytes: await memoryTotal(handle),
      memoryUsedBytes: await memoryUsed(handle),
      powerWatts: await power(handle),
      powerLimitWatts: await powerLimit(handle),
      energyJoules: energy === undefined || energyBefore === undefined ? undefined : energy - energyBefore,
    };
    return { uuid, ...withoutAbsent(values) };
  }
}

interface Readers {
  readonly utilization: Reader;
  readonly memoryTotal: Reader;
  readonly memoryUsed: Reader;
  readonly power: Reader;
  readonly powerLimit: Reader;
  readonly energy: Reader;
}

/** nvmlUtilization_t is two uint32 (GPU first), nvmlMemory_t three uint64 (total, free, used). */
function readersOf(library: NativeLibrary): Readers {
  const reader = (name: string, byteLength: number, value: (bytes: Buffer) => number): Reader => {
    const native = library.func(`int ${name}(void*, _Out_ uint8_t*)`);
    return (handle) =>
      new Promise((resolve) => {
        const bytes = Buffer.alloc(byteLength);
        native.async(handle, bytes, (error: unknown, code: number) => {
          resolve(error === null && code === 0 ? value(bytes) : undefined);
        });
      });
  };
  const word = (scale: number) => (bytes: Buffer) => bytes.readUInt32LE(0) * scale;
  const long = (at: number, scale: number) => (bytes: Buffer) => Number(bytes.readBigUInt64LE(at)) * scale;
  return {
    utilization: reader("nvmlDeviceGetUtilizationRates", 8, (bytes) => bytes.readUInt32LE(0) / 100),
    memoryTotal: reader("nvmlDeviceGetMemoryInfo", 24, long(0, 1)),
    memoryUsed: reader("nvmlDeviceGetMemoryInfo", 24, long(16, 1)),
    power: reader("nvmlDeviceGetPowerUsage", 4, word(MILLI)),
    powerLimit: reader("nvmlDeviceGetEnforcedPowerLimit", 4, word(MILLI)),
    energy: reader("nvmlDeviceGetTotalEnergyConsumption", 8, long(0, MILLI)),
  };
}

function list(library: NativeLibrary): readonly Pick<Device, "handle" | "uuid">[] {
  const count = [0];
  if (library.func("int nvmlDeviceGetCount_v2(_Out_ unsigned int*)")(count) !== 0) return [];
  const handleOf = library.func("int nvmlDeviceGetHandleByIndex_v2(unsigned int, _Out_ void**)");
  const uuidOf = library.func("int nvmlDeviceGetUUID(void*, _Out_ uint8_t*, unsigned int)");
  return Array.from({ length: count[0] ?? 0 }, (_, index) => {
    const handle: unknown[] = [null];
    const uuid = Buffer.alloc(96);
    if (handleOf(index, handle) !== 0 || uuidOf(handle[0], uuid, uuid.length) !== 0) return undefined;
    return { handle: handle[0], uuid: uuid.toString("latin1").replace(/\0.*$/s, "") };
  }).filter((device) => device !== undefined);
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
