import { ModelStatistics } from "@nereid/telemetry";
import { runClosedLoop } from "../load/closed-loop.ts";
import { openHttpLane } from "../load/http-lane.ts";
import { floatRequest } from "../load/infer-request.ts";
import type { BenchServer } from "./bench-server.ts";
import type { DirectEngine } from "./direct-engine.ts";
import { type BenchRow, median } from "./report.ts";

export interface BenchContext {
  readonly server: BenchServer;
  readonly direct: DirectEngine;
  /** Where each model's file is, for the direct calls. */
  readonly fileOf: (model: string) => string;
  readonly rounds: number;
  readonly roundMs: number;
}

export const IMAGE = { name: "image", value: 0.5 };

/** Served throughput against the engine alone at the same batch, in alternating rounds. */
export async function servedAgainstDirect({
  server,
  direct,
  fileOf,
  rounds,
  roundMs,
}: BenchContext): Promise<BenchRow> {
  const request = floatRequest("heavy", { ...IMAGE, shape: [1, 784] });
  const ratios: number[] = [];
  let alone = 0;
  let served = 0;
  let batchMs = 0;
  for (let round = 0; round < rounds; round++) {
    const engine = await direct.run({ file: fileOf("heavy"), input: "image", shape: [8, 784], durationMs: roundMs });
    const load = await runClosedLoop({
      open: () => openHttpLane({ port: server.port, request }),
      concurrency: 24,
      warmUpMs: 500,
      durationMs: roundMs,
    });
    alone = engine.perSecond * 8;
    served = load.perSecond;
    batchMs = engine.p50Us / 1000;
    ratios.push(served / alone);
  }
  const ratio = median(ratios);
  return {
    what: `throughput at batch 8 of a ${batchMs.toFixed(1)} ms model, served / direct`,
    measured: `${ratio.toFixed(3)} (${served.toFixed(0)} of ${alone.toFixed(0)} items/s)`,
    bar: "≥ 0.95",
    held: ratio >= 0.95,
    values: { ratio, served, direct: alone, batchMs },
  };
}

/** What one small request costs beyond the engine's own call. */
export async function addedLatency({ server, direct, fileOf, rounds, roundMs }: BenchContext): Promise<BenchRow> {
  const request = floatRequest("identity", { name: "INPUT_FP32", shape: [1, 16], value: 1 });
  const added: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const engine = await direct.run({
      file: fileOf("identity"),
      input: "INPUT_FP32",
      shape: [1, 16],
      durationMs: roundMs,
    });
    const load = await runClosedLoop({
      open: () => openHttpLane({ port: server.port, request }),
      concurrency: 1,
      warmUpMs: 500,
      durationMs: roundMs,
    });
    added.push(load.p50Us - engine.p50Us);
    p99.push(load.p99Us);
  }
  const us = median(added);
  return {
    what: "identity over HTTP, one connection: p50 added to the direct call",
    measured: `${us.toFixed(0)} µs (p99 in all ${median(p99).toFixed(0)} µs)`,
    bar: "≤ 250 µs",
    held: us <= 250,
    values: { addedUs: us, p99Us: median(p99) },
  };
}

/** The same model and clients, with and without the dynamic batcher. */
export async function batchingGain({ server, rounds, roundMs }: BenchContext): Promise<BenchRow> {
  const ratios: number[] = [];
  let last = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const rate = async (model: string) =>
      (
        await runClosedLoop({
          open: () => openHttpLane({ port: server.port, request: floatRequest(model, { ...IMAGE, shape: [1, 784] }) }),
          concurrency: 64,
          warmUpMs: 500,
          durationMs: roundMs,
        })
      ).perSecond;
    const single = await rate("single");
    const batched = await rate("batched");
    last = [single, batched];
    ratios.push(batched / single);
  }
  const ratio = median(ratios);
  return {
    what: "dynamic batching against batch 1",
    measured: `${ratio.toFixed(2)} × (${last[0]?.toFixed(0)} to ${last[1]?.toFixed(0)} /s)`,
    bar: "≥ 3 ×",
    held: ratio >= 3,
    values: { ratio, single: last[0] ?? 0, batched: last[1] ?? 0 },
  };
}

/** A lone request in a model that waits 100 µs for company. */
export async function shortDelay({ server }: BenchContext): Promise<BenchRow> {
  const request = floatRequest("delayed", { name: "INPUT_FP32", shape: [1, 16], value: 1 });
  await runClosedLoop({
    open: () => openHttpLane({ port: server.port, request }),
    concurrency: 1,
    warmUpMs: 0,
    durationMs: 500,
  });
  const before = await queueOf(server);
  await runClosedLoop({
    open: () => openHttpLane({ port: server.port, request }),
    concurrency: 1,
    warmUpMs: 0,
    durationMs: 2000,
  });
  const after = await queueOf(server);
  const us = (after.ns - before.ns) / (after.count - before.count) / 1000;
  return {
    what: "a batch delay of 100 µs on an idle server: mean time in the queue",
    measured: `${us.toFixed(0)} µs`,
    bar: "100 ± 100 µs",
    held: us <= 200,
    values: { queueUs: us },
  };
}

async function queueOf(server: BenchServer): Promise<{ ns: number; count: number }> {
  const [stats] = (await server.client.statistics("delayed")).model_stats;
  return stats?.inference_stats.queue ?? { ns: 0, count: 0 };
}

/** Memory of the server process after many loads and unloads; the runners' own memory ends with their processes. */
export async function memoryAfterCycles({ server }: BenchContext, cycles: number): Promise<BenchRow> {
  for (let warm = 0; warm < 3; warm++) await cycle(server);
  const before = server.rssMiB();
  for (let count = 0; count < cycles; count++) await cycle(server);
  const grown = server.rssMiB() - before;
  const left = Object.keys(await server.runnerRssMiB()).filter((name) => name === "cycled").length;
  return {
    what: `memory after ${cycles} loads and unloads of a 96 MiB model`,
    measured: `${grown >= 0 ? "+" : ""}${grown.toFixed(1)} MiB, ${left} runners left`,
    bar: "≤ 32 MiB",
    held: grown <= 32 && left === 0,
    values: { grownMiB: grown, runnersLeft: left },
  };
}

async function cycle(server: BenchServer): Promise<void> {
  await server.client.loadModel("cycled");
  await server.client.infer("cycled", {
    inputs: [{ name: "image", datatype: "FP32", shape: [1, 784], data: new Float32Array(784) }],
  });
  await server.client.unloadModel("cycled");
  while ((await server.client.model("cycled")).versions.some(({ state }) => state !== "UNAVAILABLE"))
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** What the histograms and counters of one request cost, as a share of the processor time a small request takes. */
export function telemetryCost(perCoreSecond: number): BenchRow {
  const statistics = new ModelStatistics({ nowMs: () => 0 });
  const observation = {
    batchSize: 1,
    requestNs: 250_000,
    queueNs: 1_000,
    computeInputNs: 50_000,
    computeInferNs: 100_000,
    computeOutputNs: 50_000,
    endMs: 0,
  };
  const rounds = 200_000;
  for (let warm = 0; warm < rounds; warm++) statistics.recordSuccess(observation);
  const start = performance.now();
  for (let count = 0; count < rounds; count++) statistics.recordSuccess(observation);
  const ns = ((performance.now() - start) / rounds) * 1e6;
  const share = (ns / (1e9 / perCoreSecond)) * 100;
  return {
    what: "histograms and counters: share of a small request's processor time (computed)",
    measured: `${share.toFixed(2)} % (${ns.toFixed(0)} ns)`,
    bar: "≤ 1 %",
    held: share <= 1,
    values: { ns, percent: share },
  };
}
