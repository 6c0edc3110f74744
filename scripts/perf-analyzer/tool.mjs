import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bin, fail, quietEnv, root } from "../lib.mjs";

const SKIPPED = 3;
/** The last release whose Python wheel holds the binary; `perf-analyzer` itself is an empty package on PyPI. */
const WHEEL = "tritonclient==2.44.0";
const CUDA_RUNTIME = "nvidia-cuda-runtime-cu12==12.9.79";
const home = join(root, ".conformance/perf-analyzer");

function skip(why) {
  console.log(`perf-analyzer: skipped: ${why}`);
  process.exit(SKIPPED);
}

function find(directory, name) {
  const found = readdirSync(directory, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(name));
  return found === undefined ? undefined : join(directory, found);
}

/** Downloads the two wheels once and unpacks them; answers the binary and the folder of the CUDA runtime it is linked with. */
export function prepare() {
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

/** Builds the server, and what else is named. */
export function build(...packages) {
  const filters = ["@nereid/server", ...packages].map((name) => `--filter=${name}...`);
  const args = ["run", "build", ...filters, "--output-logs=errors-only"];
  const built = spawnSync(bin("turbo"), args, { cwd: root, env: quietEnv, encoding: "utf8" });
  if (built.status !== 0) fail(`the build failed:\n${built.stdout}${built.stderr}`);
}

/** The server with the demo models, and with those of another directory, on free ports of this machine; on these processors only where some are named (as taskset does). */
export async function startServer({ processors, models } = {}) {
  const args = [
    "--model-control-mode=explicit",
    "--load-model=*",
    "--http-port=0",
    "--grpc-port=0",
    "--metrics-port=0",
  ];
  const entry = join(root, "apps/server/dist/server.js");
  const repositories = [join(root, "model_repo"), ...(models === undefined ? [] : [models])];
  const from = repositories.map((directory) => `--model-repository=${directory}`);
  const serve = [entry, ...from, "--allow-client-shm=true", "--log-info=false"];
  const pinned = processors === undefined ? [] : ["taskset", "-c", processors];
  const [program, ...rest] = [...pinned, process.execPath, ...serve, ...args];
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
  // Also where a failure ends this program before its end.
  process.once("exit", () => child.kill("SIGTERM"));
  const line = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with code ${code}`)));
    child.stdout.setEncoding("utf8").once("data", resolve);
  });
  return { child, ports: JSON.parse(line) };
}
