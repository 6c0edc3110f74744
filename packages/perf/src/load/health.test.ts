import { describe, expect, it } from "vitest";
import { generatorWarnings, wantsMoreProcesses } from "./health.ts";
import { countersOf, windowOf } from "./testing/records.ts";

const generator = { cpu: 0.3, lagMs: 2, processes: 1, stolen: 0 };

describe("generatorWarnings()", () => {
  it("is silent where there is nothing to say", () => {
    expect(generatorWarnings(windowOf(100, 0.2, { server: [countersOf("m", 100)], late: 1 }), "open")).toEqual([]);
    expect(generatorWarnings(windowOf(0, 0), "closed")).toEqual([]);
  });

  it("names the generator as the bottleneck: late sends in an open loop, a full processor in a closed one", () => {
    expect(generatorWarnings(windowOf(100, 1, { late: 2 }), "open")).toEqual([expect.stringContaining("2.0 %")]);
    expect(generatorWarnings(windowOf(100, 1, { late: 2 }), "closed")).toEqual([]);
    const busy = windowOf(100, 1, { generator: { ...generator, cpu: 0.97 } });
    expect(generatorWarnings(busy, "closed")).toEqual([expect.stringContaining("bottleneck; raise --processes")]);
    // A process that waits for due times by looking at the clock is busy without being late.
    expect(generatorWarnings(busy, "open")).toEqual([]);
    const away = windowOf(100, 1, { generator: { ...generator, lagMs: 40 } });
    expect(generatorWarnings(away, "open")).toEqual([expect.stringContaining("up to 40 ms")]);
  });

  it("tells of time that other machines of the host took: nobody on this one can see where it went", () => {
    const taken = windowOf(100, 1, { generator: { ...generator, stolen: 0.17 } });
    expect(generatorWarnings(taken, "closed")).toEqual([expect.stringContaining("took 17.0 %")]);
    expect(generatorWarnings(windowOf(100, 1, { generator: { ...generator, stolen: 0.005 } }), "closed")).toEqual([]);
  });

  it("points at network and kernel when the wait is not the server's", () => {
    const slowWire = windowOf(100, 10, { server: [countersOf("m", 100)] });
    expect(generatorWarnings(slowWire, "closed")).toEqual([expect.stringContaining("look at the network")]);
    const slowModel = windowOf(100, 10, {
      server: [countersOf("m", 100, { queue: 0, input: 0, infer: 9500, output: 0 })],
    });
    expect(generatorWarnings(slowModel, "closed")).toEqual([]);
  });
});

it("wantsMoreProcesses() only where a processor is free", () => {
  expect(wantsMoreProcesses(0.99, 1)).toBe(true);
  expect(wantsMoreProcesses(0.5, 4)).toBe(false);
  expect(wantsMoreProcesses(0.99, 0.2)).toBe(false);
});
