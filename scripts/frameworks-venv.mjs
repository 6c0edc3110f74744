// node scripts/frameworks-venv.mjs: makes the virtual environment of the framework tests, or finds it, and prints its path. Exit 3 = there is none.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const PINS = [
  "numpy==2.4.6",
  "torch==2.13.0",
  "openvino==2026.4.1",
  "onnxruntime-openvino==1.24.1",
  "onnxruntime-extensions==0.15.2",
  "onnx==1.23.2",
  "scikit-learn==1.9.1",
  "xgboost-cpu==3.2.0",
];
/** Large and slow: only for NEREID_FRAMEWORKS=all. */
const TENSORFLOW = ["numpy==2.4.6", "tensorflow-cpu==2.21.0"];
const INSTALL_WITHIN_MS = 240_000;
const SKIPPED = 3;
const PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=1", "--timeout=20"];

/**
 * The directory of an environment with the frameworks, made within 240 s or not at all; or why there is none.
 * NEREID_FRAMEWORKS_ENV names another, NEREID_FRAMEWORKS=all adds TensorFlow to this one, NEREID_FRAMEWORKS=none does without.
 */
export function frameworksVenv(env = process.env) {
  if (env.NEREID_FRAMEWORKS_ENV) return { directory: env.NEREID_FRAMEWORKS_ENV };
  if (env.NEREID_FRAMEWORKS === "none") return { why: "NEREID_FRAMEWORKS is none" };
  const home = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "nereid");
  const hash = createHash("sha256").update(PINS.join("\n")).digest("hex").slice(0, 12);
  const directory = join(home, `frameworks-${hash}`);
  const deadline = Date.now() + INSTALL_WITHIN_MS;
  if (!existsSync(join(directory, "bin/python"))) {
    const why = make(directory, { home, deadline });
    if (why !== undefined) return { why };
  }
  if (env.NEREID_FRAMEWORKS !== "all") return { directory };
  const why = addTensorflow(directory, Date.now() + INSTALL_WITHIN_MS);
  return why === undefined ? { directory } : { why };
}

/** Built beside its place and moved there when it is whole: what is interrupted is never used. Undefined, or why it failed. */
function make(directory, { home, deadline }) {
  mkdirSync(home, { recursive: true });
  removeAbandoned(home);
  const building = join(home, `building-frameworks-${process.pid}`);
  console.log(`frameworks: installing ${PINS.join(", ")} into ${directory} …`);
  try {
    const why =
      runWithin("python3", ["-m", "venv", building], deadline) ??
      runWithin(join(building, "bin/python"), [...PIP, ...PINS], deadline);
    if (why !== undefined) return `the packages of the frameworks cannot be installed: ${why}`;
    // Two that ran at once have made the same.
    if (!existsSync(directory)) renameSync(building, directory);
    return undefined;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function addTensorflow(directory, deadline) {
  const mark = join(directory, ".tensorflow");
  if (existsSync(mark)) return undefined;
  console.log(`frameworks: installing ${TENSORFLOW.join(", ")} …`);
  const why = runWithin(join(directory, "bin/python"), [...PIP, ...TENSORFLOW], deadline);
  if (why === undefined) {
    writeFileSync(mark, "");
    return undefined;
  }
  // pip may have been stopped in the middle: an environment that is half changed is no environment.
  rmSync(directory, { recursive: true, force: true });
  return `tensorflow cannot be installed: ${why}`;
}

/** Undefined when the command succeeded in time, else why not. */
function runWithin(command, args, deadline) {
  const timeout = deadline - Date.now();
  const late = `not within ${INSTALL_WITHIN_MS / 1000} s`;
  if (timeout <= 0) return late;
  const { status, signal, error, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    timeout,
    killSignal: "SIGKILL",
  });
  if (status === 0) return undefined;
  if (signal === "SIGKILL") return late;
  return error?.message ?? stderr.trim().split("\n").at(-1) ?? `exit code ${status}`;
}

/** What processes that were killed left behind. */
function removeAbandoned(home) {
  for (const name of readdirSync(home)) {
    const pid = /^building-frameworks-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(home, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { directory, why } = frameworksVenv();
  if (why !== undefined) console.error(`frameworks: ${why}`);
  if (why === undefined) console.log(directory);
  process.exit(why === undefined ? 0 : SKIPPED);
}
