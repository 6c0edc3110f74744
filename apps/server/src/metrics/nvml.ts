import type { GpuSample } from "@nereid/telemetry";
import { loadNvml, type NativeLibrary } from "./nvml-library.ts";
import { type Readers, readersOf } from "./nvml-readers.ts";
import { throttleReasons } from "./throttle-reasons.ts";
import { XidWatch } from "./xid-watch.ts";

interface Device {
  readonly handle: unknown;
  readonly uuid: string;
  readonly name: string | undefined;
  readonly xids: XidWatch | undefined;
  /** Energy when the server started, joules. */
  readonly energyBefore: number | undefined;
}

/** Load, memory, power, heat and errors of the GPUs, as NVML tells them. What a GPU does not tell is absent from its sample. */
export class GpuSensor {
  readonly #devices: readonly Device[];
  readonly #readers: Readers;

  private constructor(devices: readonly Device[], readers: Readers) {
    this.#devices = devices;
    this.#readers = readers;
  }

  /** Undefined without the library or without a GPU: never an error. */
  static async open(load: () => NativeLibrary = loadNvml): Promise<GpuSensor | undefined> {
    try {
      const library = load();
      if (library.func("int nvmlInit_v2()")() !== 0) return undefined;
      const readers = readersOf(library);
      const devices: Device[] = [];
      for (const device of list(library)) {
        const { handle } = device;
        devices.push({
          ...device,
          xids: XidWatch.open(library, handle),
          energyBefore: await readers.energy(handle),
        });
      }
      return devices.length === 0 ? undefined : new GpuSensor(devices, readers);
    } catch {
      return undefined;
    }
  }

  /** One sample for each GPU. The driver is asked off the event loop. */
  async sample(): Promise<readonly GpuSample[]> {
    return Promise.all(this.#devices.map((device) => this.#sampleOf(device)));
  }

  async #sampleOf({ handle, uuid, name, xids, energyBefore }: Device): Promise<GpuSample> {
    const read = this.#readers;
    const energy = await read.energy(handle);
    const reasons = await read.throttleReasons(handle);
    const values = {
      name,
      utilization: await read.utilization(handle),
      memoryUtilization: await read.memoryUtilization(handle),
      memoryTotalBytes: await read.memoryTotal(handle),
      memoryUsedBytes: await read.memoryUsed(handle),
      powerWatts: await read.power(handle),
      powerLimitWatts: await read.powerLimit(handle),
      energyJoules: energy === undefined || energyBefore === undefined ? undefined : energy - energyBefore,
      temperatureCelsius: await read.temperature(handle),
      smClockHertz: await read.smClock(handle),
      memoryClockHertz: await read.memoryClock(handle),
      correctedErrors: await read.correctedErrors(handle),
      uncorrectedErrors: await read.uncorrectedErrors(handle),
      throttleReasons: reasons === undefined ? undefined : throttleReasons(reasons),
      pcieReplays: await read.pcieReplays(handle),
      xids: await xids?.read(),
    };
    return { uuid, ...withoutAbsent(values) };
  }
}

function list(library: NativeLibrary): readonly Pick<Device, "handle" | "uuid" | "name">[] {
  const count = [0];
  if (library.func("int nvmlDeviceGetCount_v2(_Out_ unsigned int*)")(count) !== 0) return [];
  const handleOf = library.func("int nvmlDeviceGetHandleByIndex_v2(unsigned int, _Out_ void**)");
  const uuidOf = library.func("int nvmlDeviceGetUUID(void*, _Out_ uint8_t*, unsigned int)");
  const nameOf = library.func("int nvmlDeviceGetName(void*, _Out_ uint8_t*, unsigned int)");
  const text = (of: typeof uuidOf, handle: unknown): string | undefined => {
    const bytes = Buffer.alloc(96);
    return of(handle, bytes, bytes.length) === 0 ? bytes.toString("latin1").replace(/\0.*$/s, "") : undefined;
  };
  return Array.from({ length: count[0] ?? 0 }, (_, index) => {
    const handle: unknown[] = [null];
    if (handleOf(index, handle) !== 0) return undefined;
    const uuid = text(uuidOf, handle[0]);
    return uuid === undefined ? undefined : { handle: handle[0], uuid, name: text(nameOf, handle[0]) };
  }).filter((device) => device !== undefined);
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
