import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** Why a test cannot have a Redis of its own; undefined when it can. */
export const NO_REDIS =
  spawnSync("redis-server", ["--version"]).status === 0 ? undefined : "there is no redis-server on the PATH";

export interface TestRedis {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A Redis of the test's own on a port of 127.0.0.1, with its files in a temporary directory. `port` 0 = one that is free. */
export async function startRedis(port = 0, password?: string): Promise<TestRedis> {
  const chosen = port === 0 ? await freePort() : port;
  const directory = mkdtempSync(join("/tmp", "nredis-"));
  const child = spawn(
    "redis-server",
    [
      ...["--port", String(chosen), "--bind", "127.0.0.1", "--dir", directory, "--save", "", "--appendonly", "no"],
      ...(password === undefined ? [] : ["--requirepass", password]),
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("Ready to accept connections")) resolve();
    });
    child.on("error", reject);
    void ended.then(() => reject(new Error(`redis-server ended:\n${output}`)));
  });
  return {
    port: chosen,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
