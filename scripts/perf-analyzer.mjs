// npm run perf-analyzer [-- --write]: profiles our server with NVIDIA's perf_analyzer over HTTP and gRPC, with and without system
// shared memory. --write keeps the tables in docs/perf-analyzer/. Exit 3 = the tool is not to be had here.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { checkMachine, fail, root } from "./lib.mjs";
import { build, prepare, startServer } from "./perf-analyzer/tool.mjs";

const pages = join(root, "docs/perf-analyzer");
const write = process.argv.includes("--write");

const TYPES = "BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FP16 FP32 FP64 BYTES".split(" ");

/** The model, the tensors whose shape is not fixed, and the batch. */
const RUNS = [
  { model: "simple", shapes: [], batch: 1 },
  { model: "identity", shapes: TYPES.map((type) => `INPUT_${type}:4`), batch: 1 },
  { model: "mnist", shapes: [], batch: 1 },
];

function profile(tool, { run, protocol, memory, ports, directory }) {
  const csv = join(directory, `${run.model}-${protocol}-${memory}.csv`);
  const args = [
    ...["-m", run.model, "-b", String(run.batch), "-i", protocol, "-u", `127.0.0.1:${ports[protocol]}`],
    ...["--concurrency-range", "1:4:3", "-p", "1000", "-r", "12", "-s", "25", "--shared-memory", memory],
    ...["--output-shared-memory-size", "4096", "--verbose-csv", "-f", csv],
    ...run.shapes.flatMap((shape) => ["--shape", shape]),
  ];
  const { status, stdout, stderr } = spawnSync(tool.program, args, { env: tool.env, encoding: "utf8" });
  if (!existsSync(csv))
    fail(`perf_analyzer ended with ${status} for ${run.model} over ${protocol}:\n${stdout}${stderr}`);
  return readFileSync(csv, "utf8").trim();
}

function page(tool, tables) {
  const rows = tables.map(({ title, csv }) => {
    const [head = "", ...lines] = csv
      .split("\n")
      .map((line) => line.split(",").filter((_, index, all) => index < all.length));
    const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    return `## ${title}\n\n${table}\n`;
  });
  const about = `${tool.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; client and server on one machine. Times in microseconds.`;
  return `# perf_analyzer against Nereid\n\nWritten by \`npm run perf-analyzer -- --write\`. ${about}\n\n${rows.join("\n")}`;
}

checkMachine();
const tool = prepare();
build();
const directory = mkdtempSync(join(tmpdir(), "nereid-perf-analyzer-"));
const { child, ports } = await startServer();
try {
  const tables = [];
  for (const run of RUNS) {
    for (const protocol of ["http", "grpc"]) {
      for (const memory of ["none", "system"]) {
        const csv = profile(tool, { run, protocol, memory, ports, directory });
        const title = `${run.model}, ${protocol.toUpperCase()}, ${memory === "none" ? "tensors in the request" : "system shared memory"}`;
        console.log(`\n${title}\n${csv}`);
        tables.push({ title, csv, name: `${run.model}-${protocol}-${memory}.csv` });
      }
    }
  }
  if (write) {
    mkdirSync(pages, { recursive: true });
    for (const { name, csv } of tables) writeFileSync(join(pages, name), `${csv}\n`);
    writeFileSync(join(pages, "README.md"), page(tool, tables));
  }
} finally {
  child.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
