import { spawn } from "node:child_process";
import { LatencyHistogram } from "@nereid/telemetry";
import { runClosedLoop } from "../load/closed-loop.ts";
import { openHttpLane } from "../load/http-lane.ts";
import { floatRequest } from "../load/infer-request.ts";
import type { BenchServer } from "./bench-server.ts";
import { IMAGE } from "./measure.ts";
import type { BenchRow } from "./report.ts";

/** Code is compiled and memory touched before anything is compared. */
const WARM_UP_MS = 4000;
const SLICE_MS = 1000;

export interface NeighbourPlan {
  readonly server: BenchServer;
  /** Of the model that is loaded and unloaded. */
  readonly mebibytes: number;
  readonly clients: number;
  /** What is said of how the server loads. */
  readonly loads: string;
  readonly turns: number;
  readonly quietMs: number;
}

type Moment = "quiet" | "disturbed" | "counting";

/**
 * p99 of a model while a large one beside it is loaded, killed, unloaded, and fails to load, against quiet moments between, in turns, so that
 * a slow minute of the machine is in all; the latencies of all turns are put together, because a p99 of one alone scatters by a half. Third in
 * each turn stands what the machine itself takes: a process of the kernel's idle class that counts, touches no memory and has nothing to do
 * with the server.
 */
export async function neighbourLoads(plan: NeighbourPlan): Promise<BenchRow> {
  const { server, turns, quietMs } = plan;
  const request = floatRequest("batched", { ...IMAGE, shape: [1, 784] });
  const load = (durationMs: number, into: LatencyHistogram) =>
    runClosedLoop({
      open: () => openHttpLane({ port: server.port, request }),
      concurrency: plan.clients,
      warmUpMs: 200,
      durationMs,
      into,
    });
  const all: Record<Moment, LatencyHistogram> = histograms();
  const ratios: number[] = [];
  let cycleSeconds = 0;
  await load(Math.min(WARM_UP_MS, quietMs), new LatencyHistogram());
  for (let turn = 0; turn < turns; turn++) {
    const here = histograms();
    await load(quietMs, here.quiet);
    const startedMs = performance.now();
    let over = false;
    const cycle = disturb(server).finally(() => {
      over = true;
    });
    while (!over) await load(SLICE_MS, here.disturbed);
    await cycle;
    cycleSeconds = (performance.now() - startedMs) / 1000;
    await Promise.all([load(quietMs, here.counting), count(quietMs)]);
    for (const name of ["quiet", "disturbed", "counting"] as const) all[name].merge(here[name]);
    ratios.push(p99Ms(here.disturbed) / p99Ms(here.quiet));
  }
  const ratio = p99Ms(all.disturbed) / p99Ms(all.quiet);
  const machine = p99Ms(all.counting) / p99Ms(all.quiet);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} in ${ratios.length} turns of ${cycleSeconds.toFixed(0)} s`;
  const times = `${p99Ms(all.quiet).toFixed(1)} to ${p99Ms(all.disturbed).toFixed(1)} ms`;
  return {
    what: `p99 (${plan.clients} clients, ${plan.loads}) while a ${plan.mebibytes} MiB model loads, unloads, fails and is killed, against quiet`,
    measured: `${ratio.toFixed(2)} × (${spread}; ${times}); beside a process of the idle class that only counts: ${machine.toFixed(2)} ×`,
    bar: "≤ 1.1 ×",
    held: ratio <= 1.1,
    values: {
      ratio,
      least: Math.min(...ratios),
      most: Math.max(...ratios),
      quietP99Ms: p99Ms(all.quiet),
      disturbedP99Ms: p99Ms(all.disturbed),
      idleClassRatio: machine,
      cycleSeconds,
    },
  };
}

function histograms(): Record<Moment, LatencyHistogram> {
  return { quiet: new LatencyHistogram(), disturbed: new LatencyHistogram(), counting: new LatencyHistogram() };
}

function p99Ms(latency: LatencyHistogram): number {
  return (latency.quantile(0.99) ?? 0) / 1e6;
}

/** Loads the large model, kills its runner, unloads it, and fails to load it. */
async function disturb(server: BenchServer): Promise<void> {
  await server.client.loadModel("large");
  const pid = (await server.client.model("large")).versions.find(({ runner }) => runner !== undefined)?.runner?.pid;
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  await server.client.unloadModel("large");
  await server.client.loadModel("large", { config: '{"max_batch_size": -1}' }).catch(() => undefined);
}

/** Counts, where the system has the idle class; else at the lowest priority. */
async function count(durationMs: number): Promise<void> {
  const counting = "i=0; while :; do i=$((i+1)); done";
  const child = spawn("sh", ["-c", `exec chrt --idle 0 sh -c '${counting}' || exec nice -n 19 sh -c '${counting}'`], {
    stdio: "ignore",
  });
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  child.kill("SIGKILL");
}
