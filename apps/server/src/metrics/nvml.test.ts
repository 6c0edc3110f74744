import { describe, expect, it } from "vitest";
import { GpuSensor } from "./nvml.ts";
import type { NativeFunction, NativeLibrary } from "./nvml-library.ts";
import { throttleReasons } from "./throttle-reasons.ts";

interface FakeGpu {
  readonly uuid: string;
  readonly energyMj?: bigint;
  readonly power?: number;
  /** Tells what newer GPUs and drivers tell; its Xids are taken from the list as they are read. */
  readonly telling?: { readonly xids: number[] };
}

const OK = 0;
const NOT_SUPPORTED = 3;
const TIMEOUT = 10;

/** A management library in memory: the calls of the real one, answered for these GPUs. Handles are their indices. */
function fakeLibrary(gpus: readonly FakeGpu[], calls: string[] = []): NativeLibrary {
  const bytes = (value: unknown): Buffer => {
    if (!Buffer.isBuffer(value)) throw new Error("expected a buffer");
    return value;
  };
  const put = (target: unknown, value: unknown): number => {
    if (Array.isArray(target)) target[0] = value;
    return OK;
  };
  const tell = (handle: unknown, how: () => void): number => {
    if (gpus[Number(handle)]?.telling === undefined) return NOT_SUPPORTED;
    how();
    return OK;
  };
  let watched = -1;
  const answer: Record<string, (...args: readonly unknown[]) => number> = {
    nvmlInit_v2: () => OK,
    nvmlDeviceGetCount_v2: (count) => put(count, gpus.length),
    nvmlDeviceGetHandleByIndex_v2: (index, handle) => put(handle, index),
    nvmlDeviceGetUUID: (handle, text) => {
      bytes(text).write(`${gpus[Number(handle)]?.uuid}\0`, "latin1");
      return OK;
    },
    nvmlDeviceGetName: (handle, text) => {
      bytes(text).write(`Model ${Number(handle) + 1}\0`, "latin1");
      return OK;
    },
    nvmlDeviceGetTemperature: (handle, sensor, degrees) =>
      tell(handle, () => void bytes(degrees).writeUInt32LE(61 + Number(sensor))),
    nvmlDeviceGetClockInfo: (handle, clock, megahertz) =>
      tell(handle, () => void bytes(megahertz).writeUInt32LE(1000 * Number(clock))),
    nvmlDeviceGetTotalEccErrors: (handle, kind, counter, count) =>
      tell(handle, () => void bytes(count).writeBigUInt64LE(BigInt(7 + 2 * Number(kind) + 100 * Number(counter)))),
    nvmlDeviceGetCurrentClocksThrottleReasons: (handle, reasons) =>
      tell(handle, () => void bytes(reasons).writeBigUInt64LE(0x24n)),
    nvmlEventSetCreate: (set) => put(set, "set"),
    nvmlDeviceRegisterEvents: (handle, kinds, set) => {
      if (kinds !== 8n || set !== "set" || gpus[Number(handle)]?.telling === undefined) return NOT_SUPPORTED;
      watched = Number(handle);
      return OK;
    },
    nvmlEventSetWait_v2: (_set, event, timeoutMs) => {
      if (timeoutMs !== 0) throw new Error("would wait");
      const xid = gpus[watched]?.telling?.xids.shift();
      if (xid === undefined) return TIMEOUT;
      bytes(event).writeBigUInt64LE(BigInt(xid), 16);
      return OK;
    },
    nvmlDeviceGetUtilizationRates: (_handle, rates) => {
      bytes(rates).writeUInt32LE(37, 0);
      bytes(rates).writeUInt32LE(99, 4);
      return OK;
    },
    nvmlDeviceGetMemoryInfo: (_handle, memory) => {
      [80n, 50n, 30n].forEach((value, at) => void bytes(memory).writeBigUInt64LE(value << 30n, at * 8));
      return OK;
    },
    nvmlDeviceGetPowerUsage: (handle, power) => {
      const milliwatts = gpus[Number(handle)]?.power;
      if (milliwatts === undefined) return NOT_SUPPORTED;
      bytes(power).writeUInt32LE(milliwatts);
      return OK;
    },
    nvmlDeviceGetEnforcedPowerLimit: (_handle, power) => {
      bytes(power).writeUInt32LE(700_000);
      return OK;
    },
    nvmlDeviceGetTotalEnergyConsumption: (handle, energy) => {
      const { energyMj } = gpus[Number(handle)] ?? {};
      if (energyMj === undefined) return NOT_SUPPORTED;
      bytes(energy).writeBigUInt64LE(energyMj);
      return OK;
    },
  };
  return {
    func: (declaration) => {
      const name = /^int (\w+)\(/.exec(declaration)?.[1] ?? "";
      const run = answer[name];
      if (run === undefined) throw new Error(`no function ${name}`);
      const call = (...args: readonly unknown[]) => {
        calls.push(name);
        return run(...args);
      };
      const async: NativeFunction["async"] = (...args) => {
        const done = args.at(-1);
        if (typeof done === "function") done(null, call(...args.slice(0, -1)));
      };
      return Object.assign(call, { async });
    },
  };
}

describe("GpuSensor", () => {
  it("reads load, memory, power and energy since the start", async () => {
    const gpus = [{ uuid: "GPU-1", energyMj: 5000n, power: 250_500 }];
    const sensor = await GpuSensor.open(() => fakeLibrary(gpus));
    gpus[0] = { uuid: "GPU-1", energyMj: 7500n, power: 250_500 };
    expect(await sensor?.sample()).toEqual([
      {
        uuid: "GPU-1",
        name: "Model 1",
        utilization: 0.37,
        memoryUtilization: 0.99,
        memoryTotalBytes: 80 * 2 ** 30,
        memoryUsedBytes: 30 * 2 ** 30,
        powerWatts: 250.5,
        powerLimitWatts: 700,
        energyJoules: 2.5,
      },
    ]);
  });

  it("leaves out what a GPU does not tell", async () => {
    const sensor = await GpuSensor.open(() => fakeLibrary([{ uuid: "GPU-1" }, { uuid: "GPU-2", energyMj: 1n }]));
    const samples = (await sensor?.sample()) ?? [];
    expect(samples.map(({ uuid }) => uuid)).toEqual(["GPU-1", "GPU-2"]);
    expect(samples[0]).not.toHaveProperty("powerWatts");
    expect(samples[0]).not.toHaveProperty("energyJoules");
    expect(samples[1]).toHaveProperty("energyJoules", 0);
  });

  it("reads heat, clocks, errors and reasons to slow down, and counts what the driver reports", async () => {
    const xids = [79, 48];
    const sensor = await GpuSensor.open(() => fakeLibrary([{ uuid: "GPU-1", telling: { xids } }]));
    expect((await sensor?.sample())?.[0]).toMatchObject({
      temperatureCelsius: 61,
      smClockHertz: 1e9,
      memoryClockHertz: 2e9,
      correctedErrors: 7,
      uncorrectedErrors: 9,
      throttleReasons: { sw_power_cap: true, sw_thermal_slowdown: true, gpu_idle: false },
      xids: { 79: 1, 48: 1 },
    });
    xids.push(79);
    const [second] = (await sensor?.sample()) ?? [];
    expect(second?.xids).toEqual({ 79: 2, 48: 1 });
    // This library has no such function.
    expect(second).not.toHaveProperty("pcieReplays");
  });

  it("leaves a storm of reports for the next reading", async () => {
    const xids = Array.from({ length: 100 }, () => 31);
    const sensor = await GpuSensor.open(() => fakeLibrary([{ uuid: "GPU-1", telling: { xids } }]));
    expect((await sensor?.sample())?.[0]?.xids).toEqual({ 31: 64 });
    expect((await sensor?.sample())?.[0]?.xids).toEqual({ 31: 100 });
  });

  it("reads in the background: only the listing of GPUs waits for the driver", async () => {
    const calls: string[] = [];
    const library = fakeLibrary([{ uuid: "GPU-1" }], calls);
    const sensor = await GpuSensor.open(() => ({
      func: (declaration) => {
        const native = library.func(declaration);
        const sync = () => {
          throw new Error("called on the event loop");
        };
        return /Init|Count|Handle|UUID|Name|Create|Register/.test(declaration)
          ? native
          : Object.assign(sync, { async: native.async });
      },
    }));
    expect(await sensor?.sample()).toHaveLength(1);
  });

  it("is absent without the library, and without a GPU", async () => {
    const missing = () => {
      throw new Error("libnvidia-ml.so.1: cannot open shared object file");
    };
    expect(await GpuSensor.open(missing)).toBeUndefined();
    expect(await GpuSensor.open(() => fakeLibrary([]))).toBeUndefined();
  });
});

it("throttleReasons() names each bit", () => {
  const holding = (bits: number) =>
    Object.entries(throttleReasons(bits)).flatMap(([name, holds]) => (holds ? [name] : []));
  expect(holding(0)).toEqual([]);
  expect(holding(0x1)).toEqual(["gpu_idle"]);
  expect(holding(0xc8)).toEqual(["hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown"]);
  expect(holding(2 ** 20)).toEqual([]);
});
