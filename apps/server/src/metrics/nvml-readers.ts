import { callInBackground, type NativeLibrary } from "./nvml-library.ts";

/** Reads one figure of a device; undefined where it does not tell. */
export type Reader = (handle: unknown) => Promise<number | undefined>;

export type Readers = Readonly<
  Record<
    | "utilization"
    | "memoryUtilization"
    | "memoryTotal"
    | "memoryUsed"
    | "power"
    | "powerLimit"
    | "energy"
    | "temperature"
    | "smClock"
    | "memoryClock"
    | "correctedErrors"
    | "uncorrectedErrors"
    | "throttleReasons"
    | "pcieReplays",
    Reader
  >
>;

const MILLI = 1e-3;
const MEGA = 1e6;
/** NVML's numbers for a sensor, a clock, a kind of error and a counter. */
const GPU_TEMPERATURE = 0;
const [SM_CLOCK, MEMORY_CLOCK] = [1, 2];
const [CORRECTED, UNCORRECTED] = [0, 1];
const SINCE_DRIVER_LOAD = 0;

interface Shape {
  readonly byteLength: number;
  readonly value: (bytes: Buffer) => number;
  /** Numbers between the handle and the place for the answer. */
  readonly selectors?: readonly number[];
}

/**
 * The readers of an open library. One that an older driver lacks always answers undefined. nvmlUtilization_t is two uint32 (GPU first),
 * nvmlMemory_t three uint64 (total, free, used).
 */
export function readersOf(library: NativeLibrary): Readers {
  const reader = (name: string, { byteLength, value, selectors = [] }: Shape): Reader => {
    const native = find(library, `int ${name}(void*${", int".repeat(selectors.length)}, _Out_ uint8_t*)`);
    return async (handle) => {
      const bytes = Buffer.alloc(byteLength);
      return native && (await callInBackground(native, [handle, ...selectors, bytes])) && value(bytes);
    };
  };
  const word = (scale = 1, at = 0) => ({
    byteLength: at + 4,
    value: (bytes: Buffer) => bytes.readUInt32LE(at) * scale,
  });
  const long = (scale = 1) => ({ byteLength: 8, value: (bytes: Buffer) => Number(bytes.readBigUInt64LE(0)) * scale });
  const share = (at: number) => ({ byteLength: 8, value: (bytes: Buffer) => bytes.readUInt32LE(at) / 100 });
  const memory = (at: number) => ({ byteLength: 24, value: (bytes: Buffer) => Number(bytes.readBigUInt64LE(at)) });
  const clock = (selector: number) => reader("nvmlDeviceGetClockInfo", { ...word(MEGA), selectors: [selector] });
  const errors = (kind: number) =>
    reader("nvmlDeviceGetTotalEccErrors", { ...long(), selectors: [kind, SINCE_DRIVER_LOAD] });
  return {
    utilization: reader("nvmlDeviceGetUtilizationRates", share(0)),
    memoryUtilization: reader("nvmlDeviceGetUtilizationRates", share(4)),
    memoryTotal: reader("nvmlDeviceGetMemoryInfo", memory(0)),
    memoryUsed: reader("nvmlDeviceGetMemoryInfo", memory(16)),
    power: reader("nvmlDeviceGetPowerUsage", word(MILLI)),
    powerLimit: reader("nvmlDeviceGetEnforcedPowerLimit", word(MILLI)),
    energy: reader("nvmlDeviceGetTotalEnergyConsumption", long(MILLI)),
    temperature: reader("nvmlDeviceGetTemperature", { ...word(), selectors: [GPU_TEMPERATURE] }),
    smClock: clock(SM_CLOCK),
    memoryClock: clock(MEMORY_CLOCK),
    correctedErrors: errors(CORRECTED),
    uncorrectedErrors: errors(UNCORRECTED),
    throttleReasons: reader("nvmlDeviceGetCurrentClocksThrottleReasons", long()),
    pcieReplays: reader("nvmlDeviceGetPcieReplayCounter", word()),
  };
}

function find(library: NativeLibrary, declaration: string) {
  try {
    return library.func(declaration);
  } catch {
    return undefined;
  }
}
