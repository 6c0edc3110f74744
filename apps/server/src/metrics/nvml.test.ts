import { describe, expect, it } from "vitest";
import { GpuSensor, type NativeFunction, type NativeLibrary } from "./nvml.ts";

interface FakeGpu {
  readonly uuid: string;
  readonly energyMj?: bigint;
  readonly power?: number;
}

const OK = 0;
const NOT_SUPPORTED = 3;

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
  const answer: Record<string, (...args: readonly unknown[]) => number> = {
    nvmlInit_v2: () => OK,
    nvmlDeviceGetCount_v2: (count) => put(count, gpus.length),
    nvmlDeviceGetHandleByIndex_v2: (index, handle) => put(handle, index),
    nvmlDeviceGetUUID: (handle, text) => {
      bytes(text).write(`${gpus[Number(handle)]?.uuid}\0`, "latin1");
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
        utilization: 0.37,
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

  it("reads in the background: only the listing of GPUs waits for the driver", async () => {
    const calls: string[] = [];
    const library = fakeLibrary([{ uuid: "GPU-1" }], calls);
    const sensor = await GpuSensor.open(() => ({
      func: (declaration) => {
        const native = library.func(declaration);
        const sync = () => {
          throw new Error("called on the event loop");
        };
        return /Init|Count|Handle|UUID/.test(declaration) ? native : Object.assign(sync, { async: native.async });
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
