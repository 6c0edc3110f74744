/** The bench: starts the real server, measures beside the engine called directly, prints a table and writes JSON. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { benchModels, largeModel } from "./bench-models.ts";
import { BenchServer } from "./bench-server.ts";
import { DirectEngine } from "./direct-engine.ts";
import { keepAwake } from "./keep-awake.ts";
import {
  addedLatency,
  type BenchContext,
  batchingGain,
  memoryAfterCycles,
  servedAgainstDirect,
  shortDelay,
  telemetryCost,
} from "./measure.ts";
import { neighbourLoads } from "./neighbour.ts";
import { overload } from "./overload.ts";
import { perCore } from "./per-core.ts";
import { type BenchRow, renderTable } from "./report.ts";
import { SCRIPTED_IDENTITIES, scriptedIdentities } from "./scripted-identity.ts";

const [root = ".", ...flags] = process.argv.slice(2);
const quick = flags.includes("--quick");
/** `--only=latency,ratio` measures just these. */
const only = flags
  .find((flag) => flag.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",");
const rounds = quick ? 1 : 3;
const roundMs = quick ? 1_000 : 4_000;
const cycles = quick ? 5 : 100;
const largeMiB = quick ? 128 : 1024;
const NEIGHBOUR = { mebibytes: largeMiB, turns: quick ? 1 : 3, quietMs: quick ? 2_000 : 12_000 };
const overloadSeconds = quick ? 5 : 120;

const models = benchModels();
const directory = mkdtempSync(join(tmpdir(), "nereid-direct-"));
for (const { name, onnx } of Object.values(models)) writeFileSync(join(directory, `${name}.onnx`), onnx);

const rows: BenchRow[] = [];
const note = (row: BenchRow) => {
  rows.push(row);
  console.log(`${row.held === false ? "MISSED" : "      "} ${row.what}: ${row.measured} (bar ${row.bar})`);
};

const server = await BenchServer.start(
  join(root, "apps/server/dist/server.js"),
  [...Object.values(models), largeModel(largeMiB), ...SCRIPTED_IDENTITIES],
  ["identity", "delayed", "heavy", "batched", "single", "bounded"],
);
const direct = new DirectEngine(new URL("./direct.js", import.meta.url).pathname);
const cleanUp = async () => {
  direct.stop();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
};
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(signal, () => {
    // What is being measured fails once its server goes; that is no news then.
    process.on("uncaughtException", () => undefined);
    void cleanUp().finally(() => process.exit(code));
  });
}
/** With a server of its own: how it loads is an option of the server. */
async function gentleNeighbour(): Promise<BenchRow> {
  const gentle = await BenchServer.start(
    join(root, "apps/server/dist/server.js"),
    [models.batched, largeModel(largeMiB)],
    ["batched"],
    ["--load-priority=gentle"],
  );
  try {
    return await neighbourLoads({ ...NEIGHBOUR, server: gentle, clients: 1, loads: "--load-priority=gentle" });
  } finally {
    await gentle.stop();
  }
}

try {
  const context: BenchContext = {
    server,
    direct,
    fileOf: (model) => join(directory, `${model}.onnx`),
    rounds,
    roundMs,
  };
  const idle = server.rssMiB();
  const runner = (await server.runnerRssMiB())["identity"] ?? 0;
  let perCoreSecond = 10_000;
  const measures: Readonly<Record<string, () => Promise<BenchRow>>> = {
    latency: () => addedLatency(context),
    awake: async () => {
      const row = await keepAwake(() => addedLatency(context));
      return { ...row, what: `${row.what}, processors kept awake` };
    },
    ratio: () => servedAgainstDirect(context),
    small: async () => {
      const row = await perCore(context, {
        what: "small HTTP requests",
        protocol: "http",
        elements: 16,
        bar: 10_000,
        concurrency: 32,
      });
      perCoreSecond = row.values["perCoreSecond"] ?? perCoreSecond;
      return row;
    },
    images: () =>
      perCore(context, {
        what: "binary images of 602 KB over HTTP",
        protocol: "http",
        elements: 150_528,
        bar: 1_200,
        concurrency: 8,
      }),
    grpc: () =>
      perCore(context, {
        what: "small gRPC requests",
        protocol: "grpc",
        elements: 16,
        bar: 6_000,
        concurrency: 32,
      }),
    "grpc-images": () =>
      perCore(context, {
        what: "images of 602 KB over gRPC",
        protocol: "grpc",
        elements: 150_528,
        bar: 500,
        concurrency: 8,
      }),
    batching: () => batchingGain(context),
    delay: () => shortDelay(context),
    telemetry: async () => telemetryCost(perCoreSecond),
    neighbour: () => gentleNeighbour(),
    "neighbour-low": () => neighbourLoads({ ...NEIGHBOUR, server, clients: 1, loads: "loads at low priority" }),
    "neighbour-full": () => neighbourLoads({ ...NEIGHBOUR, server, clients: 4, loads: "loads at low priority" }),
    languages: () => scriptedIdentities(context),
    memory: () => memoryAfterCycles(context, cycles),
    overload: () => overload(context, overloadSeconds),
  };
  for (const [name, measure] of Object.entries(measures))
    if (only === undefined || only.includes(name)) note(await measure());
  note({
    what: "start to ready, six models",
    measured: `${server.readySeconds.toFixed(2)} s`,
    bar: "aim 3 s",
    held: undefined,
    values: { seconds: server.readySeconds },
  });
  note({
    what: "resident memory: idle server, runner of a tiny model",
    measured: `${idle.toFixed(0)} MiB, ${runner.toFixed(0)} MiB`,
    bar: "",
    held: undefined,
    values: { serverMiB: idle, runnerMiB: runner },
  });
} finally {
  await cleanUp();
}

const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.versions.node}`;
console.log(`\n${machine}${quick ? ", quick run" : ""}\n\n${renderTable(rows)}`);
mkdirSync(join(root, "bench-results"), { recursive: true });
const file = join(root, "bench-results", `${new Date().toISOString().replaceAll(":", "-")}.json`);
writeFileSync(file, `${JSON.stringify({ machine, quick, at: new Date().toISOString(), rows }, null, 2)}\n`);
console.log(`\n${file}`);
