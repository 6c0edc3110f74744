import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Another inference server, without a dashboard of its own. */
export interface SecondServer {
  readonly url: string;
  readonly metricsUrl: string;
  readonly key: string;
  kill(): Promise<void>;
}

const ROOT = join(import.meta.dirname, "..");
const KEY = "the key of the second server";

/** Starts one with these demo models, on free ports, behind a management key. */
export async function startSecondServer(models: readonly string[]): Promise<SecondServer> {
  const directory = mkdtempSync(join(tmpdir(), "nereid-second-"));
  for (const name of models)
    cpSync(join(ROOT, "model_repo", name), join(directory, "models", name), { recursive: true });
  const child = spawn(
    process.execPath,
    [
      join(ROOT, "apps/server/dist/server.js"),
      `--model-repository=${join(directory, "models")}`,
      `--state-dir=${join(directory, "state")}`,
      "--model-control-mode=explicit",
      "--load-model=*",
      "--http-address=127.0.0.1",
      "--http-port=0",
      "--grpc-port=0",
      "--metrics-port=0",
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, NEREID_MANAGEMENT_KEY: KEY } },
  );
  const { http, metrics } = await portsOf(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url: `http://127.0.0.1:${http}`,
    metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
    key: KEY,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Resolves with the ports of the server's ready line. */
function portsOf(child: ChildProcess): Promise<{ readonly http: number; readonly metrics: number }> {
  return new Promise((resolve, reject) => {
    const { stdout } = child;
    if (stdout === null) return reject(new Error("the second server has no output"));
    child.once("exit", (code) => reject(new Error(`the second server ended with code ${code}`)));
    createInterface({ input: stdout }).once("line", (line) => {
      const ready: { readonly http: number; readonly metrics: number } = JSON.parse(line);
      resolve(ready);
    });
  });
}
