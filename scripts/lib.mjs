// Small helpers of the project's own scripts; plain JavaScript, because Node 20 does not run TypeScript.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Tools must not talk to anyone. */
export const quietEnv = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
  DO_NOT_TRACK: "1",
};

export function bin(name) {
  return join(root, "node_modules/.bin", name);
}

/** Runs a command with its output on the console; resolves with the exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: quietEnv, stdio: "inherit", ...options });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.on("exit", (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}

/** Ends the process with a sentence when this machine cannot run the project. */
export function checkMachine() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node ${process.versions.node} is too old; Node 20.19 or newer is needed.`);
  if (!existsSync(join(root, "node_modules/turbo"))) fail("dependencies are missing; run: npm ci");
}

/** Builds what changed. Output is shown only when it fails. */
export function buildAll() {
  const result = spawnSync(bin("turbo"), ["run", "build", "--output-logs=errors-only"], {
    cwd: root,
    env: quietEnv,
    encoding: "utf8",
  });
  if (result.status !== 0) fail(`the build failed:\n${result.stdout}${result.stderr}`);
}

export function fail(text) {
  console.error(`nereid: ${text}`);
  process.exit(1);
}
