import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const VERSION = "3.22.1";
const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/node-llama-cpp/", import.meta.url));

/** Where node-llama-cpp is for tests, or why it is not there. */
export type Installed =
  | { readonly kind: "installed"; readonly directory: string }
  | { readonly kind: "missing"; readonly reason: string };

/**
 * Installs node-llama-cpp with the build for this machine's CPU (85 MB) into a cache below `node_modules`, once. It is not among the
 * project's own dependencies: with the builds for GPUs it takes 725 MB.
 */
export async function installLlama(): Promise<Installed> {
  const directory = join(CACHE, VERSION);
  const build = `@node-llama-cpp/${process.platform === "darwin" ? "mac" : process.platform}-${process.arch}`;
  if (existsSync(join(directory, "node_modules", build, "package.json"))) return { kind: "installed", directory };
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{ "private": true }\n');
  const packages = [`node-llama-cpp@${VERSION}`, `${build}@${VERSION}`];
  const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", ["install", ...flags, ...packages], { cwd: directory, timeout: 150_000 });
    return { kind: "installed", directory };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: "missing", reason: `node-llama-cpp could not be installed: ${text.slice(0, 300)}` };
  }
}
