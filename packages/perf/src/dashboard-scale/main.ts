/** Measures the dashboard with many models on many nodes: `node scale.js <root> [--minutes=30] [--models=200] [--nodes=20] …`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { readEnv } from "../env.ts";
import { startDashboard } from "./dashboard.ts";
import { startFleet } from "./fleet.ts";
import { growthLines, pageLines } from "./report.ts";
import { walk } from "./walk.ts";

const [root = ".", ...flags] = process.argv.slice(2);

function numberOf(name: string, fallback: number): number {
  const text = flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, got ${text}`);
  return value;
}

const plan = {
  minutes: numberOf("minutes", 30),
  models: numberOf("models", 200),
  nodes: numberOf("nodes", 20),
  modelsOfOthers: numberOf("models-of-others", 10),
  intervalMs: numberOf("interval-ms", 1_000),
  dwellSeconds: numberOf("dwell-seconds", 10),
};
const output =
  flags.find((flag) => flag.startsWith("--json="))?.slice("--json=".length) ?? "bench-results/dashboard-scale.json";
const { CHROMIUM_PATH: chromium } = readEnv();

const fleet = await startFleet({ ...plan, dist: import.meta.dirname });
let dashboard: Awaited<ReturnType<typeof startDashboard>> | undefined;
const stop = async () => {
  await dashboard?.stop();
  await fleet.stop();
};
process.once("SIGINT", () => void stop().finally(() => process.exit(130)));
try {
  dashboard = await startDashboard(root, fleet.nodes);
  console.log(`${plan.models} models on the first of ${plan.nodes} nodes, ${plan.modelsOfOthers} on each other one;`);
  console.log(`a request to each every ${plan.intervalMs} ms; ${plan.minutes} min; ${cpus().length} processors`);
  const { pages, samples } = await walk({
    dashboard,
    nodePids: fleet.nodes.map(({ pid }) => pid),
    chromium,
    minutes: plan.minutes,
    dwellMs: plan.dwellSeconds * 1_000,
  });
  const load = loadavg()[0] ?? 0;
  for (const line of ["", ...pageLines(pages), "", ...growthLines(samples)]) console.log(line);
  console.log(
    `web process: ${share(samples.at(-1)?.webProcessor)} of a processor; load of the machine ${load.toFixed(1)}`,
  );
  console.log("Each of the dashboard's nodes remembers 15 minutes: until then its memory must grow.");
  const file = join(root, output);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ plan, cpu: cpus()[0]?.model, load, pages, samples }, null, 2));
  console.log(`written to ${file}`);
} finally {
  await stop();
}

function share(value = 0): string {
  return `${(100 * value).toFixed(0)} %`;
}
