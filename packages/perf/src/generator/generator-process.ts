import { type ChildProcess, fork } from "node:child_process";
import { NereidError } from "@nereid/errors";
import type { LoadSpec } from "./load-spec.ts";
import type { FromGenerator, GeneratorFlush, ToGenerator } from "./messages.ts";

/** It ends by itself when it is disconnected, if it comes to hear of it. */
const KILL_AFTER_MS = 3_000;

type Waiting<K extends FromGenerator["kind"]> = Extract<FromGenerator, { kind: K }>;

/** A process that makes load, seen from the one that measures. */
export class GeneratorProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<FromGenerator["kind"], (message: FromGenerator) => void>();
  #fail: ((error: NereidError) => void) | undefined;
  /** Rejects when the process ends or reports that it cannot go on. */
  readonly #failed: Promise<never>;

  /** Starts the built program of a generator. */
  constructor(entry: string) {
    this.#child = fork(entry, [], {
      serialization: "advanced",
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    // Nobody may be waiting when it fails; whoever asks next is told.
    this.#failed.catch(() => undefined);
    this.#child.on("message", (message: FromGenerator) => this.#take(message));
    // Told where a message could not be sent, too, for which the end of the process is on its way.
    this.#child.on("error", (error) => {
      this.#fail?.(new NereidError("INTERNAL", `the load generator is not reached: ${error.message}`));
    });
    this.#child.once("exit", (code, signal) => {
      this.#fail?.(new NereidError("INTERNAL", `the load generator ended with ${signal ?? `code ${code}`}`));
    });
  }

  /** Resolves when the load can begin. Rejects with UNAVAILABLE when the server is not reached. */
  async prepare(spec: LoadSpec): Promise<void> {
    await this.#ask({ kind: "prepare", spec }, "prepared");
  }

  /** Begins what was prepared, at a moment of the machine's monotonic clock. */
  async go(atMs: number): Promise<void> {
    await this.#ask({ kind: "go", atMs }, "started");
  }

  async flush(): Promise<GeneratorFlush> {
    return (await this.#ask({ kind: "flush" }, "flushed")).flush;
  }

  /** Resolves when a fixed number of requests has ended. To be called before `go()`. */
  async ended(): Promise<void> {
    await this.#next("ended");
  }

  async stop(): Promise<void> {
    await this.#ask({ kind: "stop" }, "stopped");
  }

  /** Ends the process; harmless when it has ended. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
    setTimeout(() => this.#child.kill("SIGKILL"), KILL_AFTER_MS).unref();
  }

  #ask<K extends FromGenerator["kind"]>(message: ToGenerator, answer: K): Promise<Waiting<K>> {
    const told = this.#next(answer);
    if (this.#child.connected) this.#child.send(message);
    return told;
  }

  #next<K extends FromGenerator["kind"]>(kind: K): Promise<Waiting<K>> {
    const told = new Promise<Waiting<K>>((resolve) => {
      // The map holds one kind under each key.
      this.#waiting.set(kind, (message) => resolve(message as Waiting<K>));
    });
    return Promise.race([told, this.#failed]);
  }

  #take(message: FromGenerator): void {
    if (message.kind === "failed") {
      const fix = "start the server, or give its address with -u";
      this.#fail?.(new NereidError("UNAVAILABLE", `the load generator failed: ${message.message}`, { fix }));
      return;
    }
    this.#waiting.get(message.kind)?.(message);
    this.#waiting.delete(message.kind);
  }
}
