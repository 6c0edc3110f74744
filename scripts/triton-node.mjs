// node scripts/triton-node.mjs: tests a real Triton server as a node of the dashboard. The server comes with PyPI's nvidia-pytriton
// (some 110 MB, kept in the cache of the user); NEREID_TRITON_HOME names another. Exit 3 = skipped (it cannot be had here).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "./lib.mjs";

const PACKAGE = "nvidia-pytriton==0.7.0";
const SKIPPED = 3;
const INSTALL_WITHIN_MS = 240_000;
const TEST = "packages/services/src/nodes/triton/real-triton.int.test.ts";

function skip(why) {
  console.log(`triton: skipped: ${why}`);
  process.exit(SKIPPED);
}

/** The directory with bin/tritonserver, installed when it is not there yet. */
function tritonHome(env = process.env) {
  if (env.NEREID_TRITON_HOME) return env.NEREID_TRITON_HOME;
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "nereid");
  const directory = join(cache, PACKAGE.replace("==", "-"));
  if (!existsSync(directory)) install(cache, directory);
  const lib = join(directory, "lib");
  const python = readdirSync(lib).find((name) => name.startsWith("python3"));
  return join(lib, python ?? "", "site-packages/pytriton/tritonserver");
}

/** Installed beside its place and moved there when it is whole: what is interrupted is never used. */
function install(cache, directory) {
  mkdirSync(cache, { recursive: true });
  const building = join(cache, `building-triton-${process.pid}`);
  const deadline = Date.now() + INSTALL_WITHIN_MS;
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=1", "--timeout=20"];
  console.log(`triton: installing ${PACKAGE} into ${directory} …`);
  try {
    for (const [command, args] of [
      ["python3", ["-m", "venv", building]],
      [join(building, "bin/python"), [...pip, "--only-binary=:all:", PACKAGE]],
    ]) {
      const { status, error, stderr } = spawnSync(command, args, {
        encoding: "utf8",
        timeout: Math.max(1, deadline - Date.now()),
        killSignal: "SIGKILL",
      });
      if (status !== 0) skip(error?.message ?? stderr?.trim().split("\n").at(-1) ?? "it cannot be installed");
    }
    if (!existsSync(directory)) renameSync(building, directory);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

const home = tritonHome();
if (!existsSync(join(home, "bin/tritonserver"))) skip(`there is no bin/tritonserver in ${home}`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "integration", TEST], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, NEREID_TRITON_HOME: home },
});
process.exit(status ?? 1);
