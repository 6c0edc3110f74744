import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestApi } from "./test-api.ts";
import { type TestModel, writeModel } from "./test-model.ts";

const SERVER = fileURLToPath(new URL("../../dist/server.js", import.meta.url));
const RUNNER = fileURLToPath(new URL("../../../../packages/inference-worker/dist/runner.js", import.meta.url));
const ALL_MODELS = ["--model-control-mode=explicit", "--load-model=*"];

export interface TestServerOptions {
  readonly models?: readonly TestModel[];
  /** Replaces the control mode (EXPLICIT, everything loaded). */
  readonly mode?: readonly string[];
  readonly args?: readonly string[];
  /** Variables of the server besides PATH and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Lines of the server's log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A server process of its own on free ports, with a repository in a directory of its own. */
export class TestServer {
  readonly directory: string;
  readonly repository: string;
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  #stderr = "";
  #api: TestApi | undefined;
  #metricsPort = 0;
  #grpcPort = 0;

  constructor(directory: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.directory = directory;
    this.repository = join(directory, "repository");
    const temporary = join(directory, "tmp");
    mkdirSync(temporary, { recursive: true });
    this.#child = spawn(
      process.execPath,
      [SERVER, `--model-repository=${this.repository}`, "--http-port=0", "--grpc-port=0", "--metrics-port=0", ...args],
      { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"], TMPDIR: temporary, ...env } },
    );
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.exited = new Promise((resolve) => this.#child.on("exit", (code, signal) => resolve({ code, signal })));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get api(): TestApi {
    if (this.#api === undefined) throw new Error(`the server is not ready:\n${this.#stderr}`);
    return this.#api;
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.#metricsPort}/metrics`;
  }

  /** `host:port` of the gRPC front end. */
  get grpcAddress(): string {
    return `127.0.0.1:${this.#grpcPort}`;
  }

  /** Everything on standard error so far. */
  get stderr(): string {
    return this.#stderr;
  }

  get log(): readonly LogLine[] {
    return this.#stderr
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** What is left in the temporary directory of the server, and its segments in /dev/shm. */
  leftovers(): readonly string[] {
    const shm = existsSync("/dev/shm") ? readdirSync("/dev/shm") : [];
    return [
      ...readdirSync(join(this.directory, "tmp")),
      ...shm.filter((name) => name.startsWith(`nereid-${this.pid}-`)),
    ];
  }

  /** Every path below the temporary directory of the server. */
  filesBelowTemporary(): readonly string[] {
    return readdirSync(join(this.directory, "tmp"), { recursive: true, encoding: "utf8" });
  }

  /** Resolves with the ready line; rejects when the process ends before it. */
  async ready(): Promise<void> {
    let stdout = "";
    const line = new Promise<string>((resolve) => {
      this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        const end = stdout.indexOf("\n");
        if (end !== -1) resolve(stdout.slice(0, end));
      });
    });
    const first = await Promise.race([line, this.exited]);
    if (typeof first !== "string") throw new Error(`the server ended with ${first.code}:\n${this.#stderr}`);
    const { http, grpc, metrics } = JSON.parse(first) as { http: number; grpc: number; metrics: number };
    this.#grpcPort = grpc;
    this.#metricsPort = metrics;
    this.#api = new TestApi(`http://127.0.0.1:${http}`);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends the process in order and resolves with how it ended. */
  async stop(): Promise<Exit> {
    this.signal("SIGTERM");
    return this.exited;
  }

  /** Ends the process, whatever its state, and removes its directory. */
  async dispose(): Promise<void> {
    this.#api?.close();
    this.signal("SIGKILL");
    await this.exited;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A directory for one test; short, because the paths of sockets below it are limited to 107 bytes. */
export function testDirectory(models: readonly TestModel[] = []): string {
  const directory = mkdtempSync("/tmp/nst-");
  mkdirSync(join(directory, "repository"));
  for (const model of models) writeModel(join(directory, "repository"), model);
  return directory;
}

/** Starts the built server in `directory` (made by `testDirectory`) without waiting for it. */
export function launchTestServer(
  directory: string,
  { mode = ALL_MODELS, args = [], env }: TestServerOptions = {},
): TestServer {
  if (!existsSync(SERVER) || !existsSync(RUNNER)) {
    throw new Error("the server is not built; run: npx turbo run build --filter=@nereid/server");
  }
  return new TestServer(directory, [...mode, ...args], env);
}

/** Writes the models into a new repository, starts the built server on it and waits until it is ready. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = launchTestServer(testDirectory(options.models), options);
  try {
    await server.ready();
    return server;
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
