import { spawn } from "node:child_process";
import { once } from "node:events";
import { ENTRY } from "../../testing/product.ts";

export interface ServedModels {
  /** `host:port` of each protocol. */
  readonly http: string;
  readonly grpc: string;
  close(): Promise<void>;
}

/** The built server alone, on free ports, with the models of a directory. */
export async function serveModels(repository: string): Promise<ServedModels> {
  const args = ["--http-port=0", "--grpc-port=0", "--metrics-port=0", "--allow-client-shm=true", "--log-info=false"];
  const server = spawn(process.execPath, [ENTRY, "serve", `--model-repository=${repository}`, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await Promise.race([once(server.stdout, "data"), once(server, "exit")])) as unknown[];
  if (server.exitCode !== null) throw new Error(`the server ended with code ${server.exitCode}`);
  const ports = JSON.parse(String(line)) as { http: number; grpc: number };
  return {
    http: `127.0.0.1:${ports.http}`,
    grpc: `127.0.0.1:${ports.grpc}`,
    close: async () => {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
    },
  };
}
