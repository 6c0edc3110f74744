// npm run simulator:proof [-- --model=digits_cnn --rate=250 --seconds=20]: what the simulator says of settings that were never served,
// against a real server with these settings that gets the same requests at the same moments. Prints every setting it was asked for.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkMachine, fail, quietEnv, root } from "./lib.mjs";
import { build, startServer } from "./perf-analyzer/tool.mjs";

const { values } = parseArgs({
  options: {
    model: { type: "string", default: "digits_cnn" },
    rate: { type: "string", default: "250" },
    seconds: { type: "string", default: "20" },
  },
});
const WITHIN = 0.2;
const VERSION = "1";

/** None of them is the present one: the simulator has seen its batches, not these. */
const SETTINGS = [
  { instances: 1, maxBatchSize: 1, delayUs: 0 },
  { instances: 1, maxBatchSize: 4, delayUs: 2_000 },
  { instances: 1, maxBatchSize: 8, delayUs: 5_000 },
  { instances: 1, maxBatchSize: 8, delayUs: 10_000 },
  { instances: 1, maxBatchSize: 16, delayUs: 20_000 },
  { instances: 2, maxBatchSize: 4, delayUs: 1_000 },
];

const cli = join(root, "apps/cli/bin/nereid.mjs");
const directory = mkdtempSync(join(tmpdir(), "nereid-simulator-proof-"));
checkMachine();
build("@nereid/cli");
const { child, ports } = await startServer();
const base = `http://127.0.0.1:${ports.http}`;

async function ask(path, { method = "GET", body } = {}) {
  const response = await fetch(`${base}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await response.text();
  if (!response.ok) fail(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

function perf(model, ...options) {
  const args = ["perf", "-m", model, "-x", VERSION, "-u", `127.0.0.1:${ports.http}`, ...options];
  const { status, stdout, stderr } = spawnSync(cli, args, { encoding: "utf8", env: quietEnv });
  if (status !== 0 && status !== 2) fail(`nereid ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
}

const path = (model) => `/nereid/v1/models/${model}`;
const batching = ({ maxBatchSize, delayUs }) =>
  maxBatchSize === 1 ? null : { max_queue_delay_microseconds: delayUs, preferred_batch_size: [maxBatchSize] };
const configOf = (setting) => ({
  instance_group: [{ kind: "KIND_CPU", count: setting.instances }],
  max_batch_size: 16,
  dynamic_batching: batching(setting),
});
const ms = (ns) => (ns === null ? Number.NaN : ns / 1e6);
const off = (said, was) => Math.abs(said - was) / was;
const percent = (share) => `${(100 * share).toFixed(0)} %`;

async function serve(name, config) {
  await ask(`${path(values.model)}/candidates`, {
    method: "POST",
    body: { name, config, ttlSeconds: 600, lowPriority: false },
  });
  return name;
}

try {
  const { model, rate, seconds } = values;
  // Batches of all sizes are seen once, so that the simulator has times for them: first crowds, then the requests themselves.
  const seen = await serve(`${model}_seen`, configOf({ instances: 1, maxBatchSize: 16, delayUs: 0 }));
  for (const concurrency of [1, 2, 3, 4, 6, 8, 12, 16, 24, 32])
    perf(seen, "--concurrency-range", String(concurrency), "-p", "700", "-r", "1");
  perf(
    seen,
    "--request-rate-range",
    rate,
    "--request-distribution",
    "poisson",
    "-p",
    String(Math.round((1000 * Number(seconds)) / 1.2)),
    "-r",
    "1",
  );
  const { arrivalsMs } = await ask(`${path(seen)}/arrivals?seconds=${seconds}&version=${VERSION}`);
  const file = join(directory, "arrivals.txt");
  writeFileSync(file, arrivalsMs.join("\n"));
  console.log(`${model}, ${arrivalsMs.length} requests at ${rate} a second, sent again at the same moments\n`);
  console.log("| instances x batch, delay | throughput said | was | off | p99 said | was | off |");
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  const rows = [];
  // All are asked while the window holds the same requests.
  const said = [];
  for (const { instances, maxBatchSize, delayUs } of SETTINGS) {
    const query = new URLSearchParams({
      version: VERSION,
      seconds,
      instances,
      maxBatchSize,
      maxQueueDelayUs: delayUs,
      preferred: maxBatchSize,
    });
    said.push((await ask(`${path(seen)}/simulation?${query}`)).proposed);
  }
  for (const [place, setting] of SETTINGS.entries()) {
    const name = await serve(`${model}_try`, configOf(setting));
    perf(name, "--recorded-arrivals", file);
    const { measured } = await ask(
      `${path(name)}/simulation?version=${VERSION}&seconds=${Math.ceil(Number(seconds)) + 5}`,
    );
    await ask(`/nereid/v1/candidates/${name}`, { method: "DELETE" });
    const guess = said[place];
    const row = {
      throughput: off(guess.requestsPerSecond, measured.requestsPerSecond),
      p99: off(guess.p99Ns, measured.p99Ns),
    };
    rows.push(row);
    const { instances, maxBatchSize, delayUs } = setting;
    const cells = [
      `${instances} x ${maxBatchSize}, ${delayUs / 1000} ms`,
      guess.requestsPerSecond.toFixed(0),
      measured.requestsPerSecond.toFixed(0),
      percent(row.throughput),
      `${ms(guess.p99Ns).toFixed(2)} ms`,
      `${ms(measured.p99Ns).toFixed(2)} ms`,
      percent(row.p99),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  const held = rows.filter(({ throughput, p99 }) => throughput <= WITHIN && p99 <= WITHIN).length;
  console.log(`\n${held} of ${rows.length} settings are within ${percent(WITHIN)} in both`);
} finally {
  child.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
