// npm run perf-analyzer [-- --write]: profiles our server with NVIDIA's perf_analyzer over HTTP and gRPC, with and without system
// shared memory. --write keeps the tables in docs/perf-analyzer/. Exit 3 = the tool is not to be had here.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { bin, checkMachine, fail, quietEnv, root } from "./lib.mjs";

const SKIPPED = 3;
/** The last release whose Python wheel holds the binary; `perf-analyzer` itself is an empty package on PyPI. */
const WHEEL = "tritonclient==2.44.0";
const CUDA_RUNTIME = "nvidia-cuda-runtime-cu12==12.9.79";
const home = join(root, ".conformance/perf-analyzer");
const pages = join(root, "docs/perf-analyzer");
const write = process.argv.includes("--write");

const TYPES = "BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FP16 FP32 FP64 BYTES".split(" ");

/** The model, the tensors whose shape is not fixed, and the batch. */
const RUNS = [
  { model: "simple", shapes: [], batch: 1 },
  { model: "identity", shapes: TYPES.map((type) => `INPUT_${type}:4`), batch: 1 },
  { model: "mnist", shapes: [], batch: 1 },
];

function skip(why) {
  console.log(`perf-analyzer: skipped: ${why}`);
  process.exit(SKIPPED);
}

function find(directory, name) {
  const found = readdirSync(directory, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(name));
  return found === undefined ? undefined : join(directory, found);
}

/** Downloads the two wheels once and unpacks them; answers the binary and the folder of the CUDA runtime it is linked with. */
function prepare() {
  if (process.platform !== "linux" || process.arch !== "x64") skip("its binary is for Linux on x86-64 only");
  mkdirSync(home, { recursive: true });
  if (find(home, "bin/perf_analyzer") === undefined || find(home, "libcudart.so.12") === undefined) {
    for (const wheel of [WHEEL, CUDA_RUNTIME]) {
      const download = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "-d",
        home,
        wheel,
      ];
      const { status, stderr } = spawnSync("python3", download, { encoding: "utf8" });
      if (status !== 0) skip(`${wheel} cannot be downloaded: ${stderr?.trim().split("\n").at(-1)}`);
    }
    const unpack = "import sys, zipfile\nfor path in sys.argv[2:]: zipfile.ZipFile(path).extractall(sys.argv[1])";
    const wheels = readdirSync(home).filter((name) => name.endsWith(".whl"));
    spawnSync("python3", ["-c", unpack, home, ...wheels.map((name) => join(home, name))], { stdio: "inherit" });
  }
  const program = find(home, "bin/perf_analyzer");
  const runtime = find(home, "libcudart.so.12");
  if (program === undefined || runtime === undefined) fail("the wheels do not hold what was looked for");
  chmodSync(program, 0o755);
  const env = { ...process.env, LD_LIBRARY_PATH: join(runtime, "..") };
  const version = spawnSync(program, ["--version"], { env, encoding: "utf8" });
  if (version.status !== 0 && !version.stdout.includes("Version"))
    skip(`the binary does not run here: ${version.stderr.trim()} (libb64.so.0d is in Debian's package libb64-0d)`);
  return { program, env, version: `${version.stdout}${version.stderr}`.trim() };
}

async function startServer() {
  const args = [
    "--model-control-mode=explicit",
    "--load-model=*",
    "--http-port=0",
    "--grpc-port=0",
    "--metrics-port=0",
  ];
  const entry = join(root, "apps/server/dist/server.js");
  const child = spawn(
    process.execPath,
    [entry, `--model-repository=${join(root, "model_repo")}`, "--allow-client-shm=true", "--log-info=false", ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const line = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with code ${code}`)));
    child.stdout.setEncoding("utf8").once("data", resolve);
  });
  return { child, ports: JSON.parse(line) };
}

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
const build = ["run", "build", "--filter=@nereid/server...", "--output-logs=errors-only"];
const built = spawnSync(bin("turbo"), build, { cwd: root, env: quietEnv, encoding: "utf8" });
if (built.status !== 0) fail(`the build failed:\n${built.stdout}${built.stderr}`);
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
