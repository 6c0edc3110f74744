import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { DraftClient } from "../drafts/testing/draft-client.ts";
import { launchTestServer, type TestServer, type TestServerOptions, testDirectory } from "./start-test-server.ts";
import type { TestApi } from "./test-api.ts";
import type { TestModel } from "./test-model.ts";

/** A server that is killed and started again on the same directories; `kills` counts how often. */
export class KillableServer {
  readonly directory: string;
  readonly #options: TestServerOptions;
  #server: TestServer | undefined;
  kills = 0;

  constructor(models: readonly TestModel[], args: readonly string[] = []) {
    this.directory = testDirectory(models);
    this.#options = { args: [`--state-dir=${this.stateDirectory}`, ...args] };
  }

  get stateDirectory(): string {
    return join(this.directory, "state");
  }

  get repository(): string {
    return join(this.directory, "repository");
  }

  get api(): TestApi {
    return this.#running.api;
  }

  get drafts(): DraftClient {
    return new DraftClient(this.api.url.origin);
  }

  async start(): Promise<void> {
    this.#server = launchTestServer(this.directory, this.#options);
    await this.#server.ready();
  }

  /** SIGKILL, at once; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#running.signal("SIGKILL");
    await this.#running.exited;
    this.#running.api.close();
    this.kills += 1;
  }

  /** Files below the staging directory, and directories without files; relative paths. */
  staged(): readonly string[] {
    const staging = join(this.repository, ".nereid-staging");
    return existsSync(staging) ? below(staging).map((path) => relative(staging, path)) : [];
  }

  async dispose(): Promise<void> {
    await this.#server?.dispose();
  }

  get #running(): TestServer {
    if (this.#server === undefined) throw new Error("the server was not started");
    return this.#server;
  }
}

function below(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? below(path) : [path];
  });
}

/** Resolves `ms` milliseconds after it was called, to a fraction of one: where a kill falls decides what it finds. */
export async function after(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

/** How long an action takes, in milliseconds. */
export async function elapsedMs(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}
