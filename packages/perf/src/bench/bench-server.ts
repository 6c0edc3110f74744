import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NereidClient } from "@nereid/client";
import { readEnv } from "../env.ts";

export interface BenchModel {
  readonly name: string;
  readonly config: string;
  readonly onnx: Uint8Array;
}

/** A model that is a program. */
export interface ScriptedModel {
  readonly name: string;
  readonly config: string;
  /** Its file in the version directory. */
  readonly file: string;
  readonly source: string;
}

/** The real server as its own process on free ports, serving models written to a temporary directory. */
export class BenchServer {
  readonly port: number;
  readonly grpcPort: number;
  readonly client: NereidClient;
  readonly readySeconds: number;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(started: {
    port: number;
    grpcPort: number;
    readySeconds: number;
    process: ChildProcess;
    directory: string;
  }) {
    this.port = started.port;
    this.grpcPort = started.grpcPort;
    this.readySeconds = started.readySeconds;
    this.#process = started.process;
    this.#directory = started.directory;
    this.client = new NereidClient({ baseUrl: `http://127.0.0.1:${started.port}` });
  }

  static async start(
    serverEntry: string,
    models: readonly (BenchModel | ScriptedModel)[],
    load: readonly string[],
    args: readonly string[] = [],
  ): Promise<BenchServer> {
    const directory = mkdtempSync(join(tmpdir(), "nereid-bench-"));
    for (const model of models) {
      mkdirSync(join(directory, model.name, "1"), { recursive: true });
      writeFileSync(join(directory, model.name, "config.pbtxt"), model.config);
      const [file, content] = "onnx" in model ? ["model.onnx", model.onnx] : [model.file, model.source];
      writeFileSync(join(directory, model.name, "1", file), content);
    }
    const [port, grpc, metrics] = [await freePort(), await freePort(), await freePort()];
    const startedMs = performance.now();
    const child = spawn(
      process.execPath,
      [
        serverEntry,
        `--model-repository=${directory}`,
        "--model-control-mode=explicit",
        ...load.map((name) => `--load-model=${name}`),
        `--http-port=${port}`,
        `--grpc-port=${grpc}`,
        `--metrics-port=${metrics}`,
        "--log-info=false",
        ...args,
      ],
      // The open pipe tells the server when the bench is gone without a word.
      { stdio: ["pipe", "pipe", "inherit"], env: { ...readEnv(), NEREID_EXIT_WITH_PARENT: "1" } },
    );
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the server ended with code ${code}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.startsWith('{"event":"ready"')) resolve();
      });
    });
    return new BenchServer({
      port,
      grpcPort: grpc,
      readySeconds: (performance.now() - startedMs) / 1000,
      process: child,
      directory,
    });
  }

  /** Resident MiB of the server process. */
  rssMiB(): number {
    return rssMiB(this.#process.pid ?? 0);
  }

  /** Processor seconds the server process has used (not its runners). */
  cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.#process.pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Resident MiB of each runner, by model. */
  async runnerRssMiB(): Promise<Record<string, number>> {
    const rows: Record<string, number> = {};
    for (const model of await this.client.models()) {
      for (const { runner } of model.versions) if (runner !== undefined) rows[model.name] = rssMiB(runner.pid);
    }
    return rows;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#process.kill("SIGTERM");
      await exited;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function rssMiB(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096) / 2 ** 20;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
