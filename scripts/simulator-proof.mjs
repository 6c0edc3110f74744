// npm run simulator:proof [-- --model=digits_cnn --rate=600 --seconds=8 --rounds=5]: what the simulator says of settings that were never
// served, against a real server with these settings that gets the same requests at the same moments. Prints every setting it was asked for.
// In rounds, of which the median counts: where others share the processors, a moment in which they take them makes a p99 by itself.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkMachine, fail, quietEnv, root } from "./lib.mjs";
import { build, startServer } from "./perf-analyzer/tool.mjs";
import { whileOurs } from "./stolen-time.mjs";

const { values } = parseArgs({
  options: {
    model: { type: "string", default: "digits_cnn" },
    rate: { type: "string", default: "600" },
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "5" },
  },
});
const WITHIN = 0.2;
/** Between the end of a load and the question for what came. */
const SPARE_SECONDS = 2;
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
    // What measures sits waiting for long: a connection that was kept would have ended meanwhile.
    headers: { connection: "close", "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) fail(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

function perf(model, ...options) {
  const args = ["perf", "-m", model, "-x", VERSION, "-u", `127.0.0.1:${ports.http}`, ...options];
  // An open loop looks at the clock all the time. Where it shares few processors with the server, that must not be what is measured.
  const { status, stdout, stderr } = spawnSync("nice", ["-n", "10", cli, ...args], { encoding: "utf8", env: quietEnv });
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

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** The requests that the simulator sees, and what it says of each setting: asked while the window holds these requests and no others. */
async function foresee(seen, { rate, seconds }) {
  const intervalMs = String(Math.round((1000 * Number(seconds)) / 1.2));
  perf(seen, "--request-rate-range", rate, "--request-distribution", "poisson", "-p", intervalMs, "-r", "1");
  const { arrivalsMs } = await ask(`${path(seen)}/arrivals?seconds=${seconds}&version=${VERSION}`);
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
  return { arrivalsMs, said };
}

/** A real server with the setting. A new process is slow for its first thousands of requests, as no server that serves is; what it was simulated from is warm. */
async function serveWarm(setting, { model, rate, place }) {
  const name = await serve(`${model}_try_${place}`, configOf(setting));
  perf(name, "--concurrency-range", "8", "-p", "3000", "-r", "1");
  perf(name, "--request-rate-range", rate, "--request-distribution", "poisson", "-p", "6000", "-r", "1");
  return name;
}

/** The same requests for the real server. */
async function measure(name, { file, seconds }) {
  // What came before is out of the window when that begins.
  await sleep(SPARE_SECONDS * 1000);
  perf(name, "--recorded-arrivals", file);
  const window = new URLSearchParams({ version: VERSION, seconds: String(Math.ceil(Number(seconds)) + SPARE_SECONDS) });
  return (await ask(`${path(name)}/simulation?${window}`)).measured;
}

try {
  const { model, rate, seconds } = values;
  const rounds = Number(values.rounds);
  // Batches of all sizes are seen once, so that the simulator has times for them.
  const seen = await serve(`${model}_seen`, configOf({ instances: 1, maxBatchSize: 16, delayUs: 0 }));
  for (const concurrency of [1, 2, 3, 4, 6, 8, 12, 16, 24, 32])
    perf(seen, "--concurrency-range", String(concurrency), "-p", "700", "-r", "1");
  const names = [];
  for (const [place, setting] of SETTINGS.entries()) names.push(await serveWarm(setting, { model, rate, place }));
  const file = join(directory, "arrivals.txt");
  const rows = SETTINGS.map(() => ({ said: [], was: [] }));
  let [requests, worstLost] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const { answer, lost } = await whileOurs(() => foresee(seen, { rate, seconds }));
    const { arrivalsMs, said } = answer;
    worstLost = Math.max(worstLost, lost);
    requests += arrivalsMs.length;
    writeFileSync(file, arrivalsMs.join("\n"));
    for (const [place, name] of names.entries()) {
      rows[place].said.push(said[place]);
      const { answer: was, lost } = await whileOurs(() => measure(name, { file, seconds }));
      rows[place].was.push(was);
      worstLost = Math.max(worstLost, lost);
    }
  }
  console.log(
    `${model}, ${requests} requests at ${rate} a second in ${rounds} rounds, sent again at the same moments; medians of the rounds (p99 also least to most)\n`,
  );
  console.log("| instances x batch, delay | throughput said | was | off | p99 said | was | off |");
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  let held = 0;
  for (const [place, { instances, maxBatchSize, delayUs }] of SETTINGS.entries()) {
    const { said, was } = rows[place];
    const throughput = (of) => of.map((one) => one.requestsPerSecond);
    const p99 = (of) => of.map((one) => ms(one.p99Ns));
    const spread = (list) =>
      `${median(list).toFixed(2)} ms (${Math.min(...list).toFixed(1)}–${Math.max(...list).toFixed(1)})`;
    const wrong = {
      throughput: off(median(throughput(said)), median(throughput(was))),
      p99: off(median(p99(said)), median(p99(was))),
    };
    if (wrong.throughput <= WITHIN && wrong.p99 <= WITHIN) held += 1;
    const cells = [
      `${instances} x ${maxBatchSize}, ${delayUs / 1000} ms`,
      median(throughput(said)).toFixed(0),
      median(throughput(was)).toFixed(0),
      percent(wrong.throughput),
      spread(p99(said)),
      spread(p99(was)),
      percent(wrong.p99),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(`\nOther tenants of the host took at most ${percent(worstLost)} of the processors in a measurement.`);
  console.log(`${held} of ${rows.length} settings are within ${percent(WITHIN)} in both`);
} finally {
  child.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
