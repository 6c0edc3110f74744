import { buildSpace, DEFAULT_SEARCH, QUANTILES, type TuningSpec, tunedModel } from "@nereid/perf";
import { expect, it } from "vitest";
import { runTuning } from "./run-tuning.ts";
import type { LiveSecond, MeasureOrder, TuningDeps } from "./tuning-deps.ts";

const LIMIT_MS = 20;
const model = tunedModel("m", { name: "m", max_batch_size: 8, instance_group: [{ kind: "KIND_CPU", count: 1 }] });
const SPEC: TuningSpec = {
  model: "m",
  version: null,
  protocol: "http",
  load: { kind: "concurrency", levels: [1, 4, 16] },
  requestBatches: [1],
  space: {
    instances: [1, 2],
    maxBatchSizes: [4, 8],
    queueDelaysUs: [0, 200],
    preferred: [[]],
    threads: [null],
    accelerators: [null],
  },
  mode: "simulated",
  objectives: [{ metric: "goodput", weight: 1 }],
  constraints: [],
  goodWithinMs: 100,
  budget: { measurements: 10, seconds: null },
  measureSeconds: 3,
  guard: { liveP99Ms: LIMIT_MS, freeMemoryMb: 0, busyShare: 1 },
  shapes: {},
  seed: 1,
};

/** A model that answers 100 a second, beside a served one that is `slow` or not, on a clock that goes on while somebody waits. */
async function tune(change: Partial<TuningSpec>, { slow = false, renewed = "lives-on" } = {}) {
  const spec = { ...SPEC, ...change };
  const calls: string[] = [];
  let nowMs = 0;
  let tell: (second: LiveSecond | null) => void = () => undefined;
  const wait = async (ms: number) => {
    nowMs += ms;
    tell({ p99Ms: slow ? 2 * LIMIT_MS : 1, requests: 100, later: () => (slow ? 50 : 0) });
  };
  const measure = async ({ seconds, requestBatch, signal, fresh }: MeasureOrder) => {
    calls.push("measure");
    if (fresh) calls.push("measure fresh");
    for (let second = 0; second < seconds && !signal.aborted; second++) await wait(1000);
    const interval = [100, 100] as const;
    return {
      measurement: {
        ...{ throughput: 100, goodput: 100, averageUs: 1e4, p50Us: 1e4, p90Us: 1e4, p95Us: 1e4, p99Us: 1e4 },
        ...{ throughputInterval: interval, goodputInterval: interval, p99Interval: interval },
        ...{ quantilesUs: QUANTILES.map(() => 1e4), failed: 0, meanBatch: 1, phases: null, memoryMb: 1, cpuShare: 0.5 },
        ...{ gpus: [], stable: true, warnings: [], seconds },
      },
      executions: [{ batchSize: requestBatch, count: 100, inferUs: 500 + 100 * requestBatch, aroundUs: 10 }],
      generatorUs: 10,
    };
  };
  const named = (what: string, answer?: string) => async (config: { readonly id: string }) => {
    calls.push(what);
    return answer ?? config.id;
  };
  const deps = {
    model,
    host: { add: named("add"), renew: named("renew", renewed), remove: named("remove") },
    measurer: { measure },
    live: {
      watch: (onSecond: typeof tell) => {
        tell = onSecond;
        return () => undefined;
      },
    },
    machineAllows: async () => undefined,
    freeProcessors: async () => 2,
    nowMs: () => nowMs,
    pause: (ms: number) => (ms === 0 ? Promise.resolve() : wait(ms)),
    stopAsked: () => false,
    signal: new AbortController().signal,
    progress: () => undefined,
    checkpoint: () => undefined,
  } as unknown as TuningDeps;
  const space = buildSpace(spec, model);
  const result = await runTuning({ spec, space, search: DEFAULT_SEARCH, checkpoint: null, offsetsMs: [] }, deps);
  return { result, seconds: nowMs / 1000, count: (what: string) => calls.filter((one) => one === what).length };
}

it("tried the whole space, each point twice, beside a served model that is never quiet, whatever the budget", async () => {
  for (const mode of ["simulated", "brute"] as const) {
    const { result, count } = await tune({ mode, budget: { measurements: 5, seconds: null } }, { slow: true });
    expect(result).toMatchObject({ ended: "budget", measurements: 0, recommended: null });
    expect(count("measure")).toBeLessThanOrEqual(10);
  }
});

it("said of a budget that lonely requests had spent that everything was tried, and that the points say why nothing was", async () => {
  const { result } = await tune({ budget: { measurements: 2, seconds: null } });
  expect(result).toMatchObject({ ended: "budget", measurements: 0, probes: 2 });
  expect(result.note).toContain("budget was spent");
});

it("lets a candidate live on that is measured again and again: it ended by itself after a quarter of an hour", async () => {
  const { result, count } = await tune({ mode: "brute", budget: { measurements: null, seconds: null } });
  expect(result.measurements).toBe(result.space);
  expect(count("add") + count("renew")).toBe(result.space);
  expect(count("add")).toBe(count("remove"));
});

it("kept three tenths of the budget for measuring again what was best although nothing kept the limits", async () => {
  const constraints = [{ metric: "perf_latency_p99", min: null, max: 1 }] as const;
  const { result } = await tune({ constraints });
  expect(result).toMatchObject({ ended: "budget", recommended: null });
  expect(result.measurements + result.probes).toBe(10);
});

it("kept three tenths of a budget in seconds for it, too", async () => {
  const constraints = [{ metric: "perf_latency_p99", min: null, max: 1 }] as const;
  const { result, seconds } = await tune({ constraints, budget: { measurements: null, seconds: 24 } });
  expect(result).toMatchObject({ ended: "budget", recommended: null });
  expect(seconds).toBeGreaterThan(21);
});

it("measured cold what the server had lost meanwhile and loaded anew", async () => {
  const brute = { mode: "brute", budget: { measurements: null, seconds: null } } as const;
  const lost = await tune(brute, { renewed: "loaded" });
  expect(lost.count("measure fresh")).toBe(lost.count("add") + lost.count("renew"));
  const kept = await tune(brute);
  expect(kept.count("renew")).toBeGreaterThan(0);
  expect(kept.count("measure fresh")).toBe(kept.count("add"));
});
