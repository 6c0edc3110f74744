import { NereidError } from "@nereid/errors";
import type { ModelStatistics } from "@nereid/telemetry";
import type { ValidRequest } from "../request/valid-request.ts";
import type { ModelTensor } from "../runner-protocol/messages.ts";
import { readPeakRssBytes } from "../runners/read-rss.ts";
import { type LoadMessage, type RunnerHost, RunnerProcess } from "../runners/runner-process.ts";
import type { SlabBlock } from "../shm/slab.ts";
import { restartDelayMs } from "./backoff.ts";
import { type InferTicket, ModelExecutor } from "./model-executor.ts";
import type { InstanceSpec, ModelSpec } from "./model-spec.ts";

/** Resident bytes of the runner over its life. */
export interface MemoryLedger {
  beforeBytes?: number;
  loadedBytes?: number;
  peakBytes?: number;
  currentBytes?: number;
  /** 0 once the process has ended: unloading ends it, so nothing can stay behind. */
  afterUnloadBytes?: number;
}

/** The model's own signature in, the compiled specification out; throws when the configuration does not fit the model. */
export type Complete = (signature: {
  readonly inputs: readonly ModelTensor[];
  readonly outputs: readonly ModelTensor[];
}) => ModelSpec;

export interface ServedVersionOptions {
  readonly name: string;
  readonly host: RunnerHost;
  readonly load: LoadMessage;
  readonly complete: Complete;
  readonly statistics: ModelStatistics;
  readonly executionTimeoutMs: number;
  /** Whether the files are still those that were loaded: a restart must not bring up what nobody asked to load. */
  readonly unchanged: () => Promise<boolean>;
  /** Told when the runner ended by itself, came back, or failed to come back. */
  readonly onEvent: (event: RunnerEvent) => void;
}

export type RunnerEvent =
  | { readonly kind: "ended"; readonly reason: string }
  | { readonly kind: "restarted"; readonly restarts: number }
  | { readonly kind: "restart-failed"; readonly reason: string; readonly nextMs: number };

type Life =
  | { readonly state: "running"; readonly runner: RunnerProcess; readonly sinceMs: number }
  | { readonly state: "restarting"; readonly reason: string; readonly timer: NodeJS.Timeout | undefined }
  | { readonly state: "stopped" };

const STABLE_AFTER_MS = 60_000;

/** A loaded model version: its runner process, kept alive, and the executor that feeds it. */
export class ServedVersion {
  readonly spec: ModelSpec;
  readonly statistics: ModelStatistics;
  readonly executor: ModelExecutor;
  readonly ledger: MemoryLedger;
  readonly #options: ServedVersionOptions;
  #life: Life;
  #instances: readonly InstanceSpec[];
  #restarts = 0;
  #attempt = 0;

  private constructor(
    options: ServedVersionOptions,
    started: { spec: ModelSpec; runner: RunnerProcess; ledger: MemoryLedger },
  ) {
    this.#options = options;
    this.spec = started.spec;
    this.#instances = started.spec.instances;
    this.ledger = started.ledger;
    this.statistics = options.statistics;
    this.executor = new ModelExecutor({
      spec: started.spec,
      clock: options.host.clock,
      statistics: options.statistics,
      executionTimeoutMs: options.executionTimeoutMs,
      onStuck: (reason) => this.#runner?.kill(reason),
    });
    this.#life = { state: "running", runner: started.runner, sinceMs: options.host.clock.wallMs() };
    this.#watch(started.runner);
  }

  /** Starts the runner, loads the model, completes the configuration with its signature and brings up every instance. */
  static async load(options: ServedVersionOptions): Promise<ServedVersion> {
    const runner = new RunnerProcess(options.name, options.host);
    try {
      const ledger: MemoryLedger = {};
      const signature = await runner.load(options.load);
      ledger.beforeBytes = runner.rssBeforeLoad;
      const spec = options.complete(signature);
      const channels = await runner.startInstances(spec.instances.length);
      const loadedBytes = runner.rssBytes();
      if (loadedBytes !== undefined) ledger.loadedBytes = loadedBytes;
      const version = new ServedVersion(options, { spec, runner, ledger });
      version.executor.attach(channels, { slab: runner.slab, specs: spec.instances });
      return version;
    } catch (error) {
      runner.kill("the load failed");
      await runner.ended();
      throw error;
    }
  }

  get ready(): boolean {
    return this.#life.state === "running" && this.#life.runner.responsive;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get pid(): number | undefined {
    return this.#runner?.pid;
  }

  /** Why the version is not ready; empty when it is. */
  get reason(): string {
    const life = this.#life;
    if (life.state === "stopped") return "unloaded";
    if (life.state === "restarting") return `the runner process ended (${life.reason}); it is being restarted`;
    return life.runner.responsive ? "" : "the runner process does not answer heartbeats";
  }

  /** Reads memory use now and returns the ledger. */
  measureMemory(): MemoryLedger {
    const runner = this.#runner;
    const current = runner?.rssBytes();
    const peak = runner === undefined ? undefined : readPeakRssBytes(runner.pid);
    if (current !== undefined) this.ledger.currentBytes = current;
    if (peak !== undefined) this.ledger.peakBytes = Math.max(peak, this.ledger.peakBytes ?? 0);
    return this.ledger;
  }

  /** Room in shared memory to receive a body in; see `ModelExecutor.reserve`. */
  reserve(byteLength: number): SlabBlock | undefined {
    return this.#life.state === "running" ? this.executor.reserve(byteLength) : undefined;
  }

  submit(request: ValidRequest): InferTicket {
    if (this.#life.state !== "running") {
      throw new NereidError(
        "UNAVAILABLE",
        `Request for unknown model: '${this.spec.name}' version ${this.spec.version} is not at ready state`,
      );
    }
    return this.executor.submit(request);
  }

  /** The instances as they are now; their number may have changed since the load. */
  get instances(): readonly InstanceSpec[] {
    return this.#instances;
  }

  /**
   * Brings the number of instances to that of `instances` while it serves: new ones are loaded and then used, surplus ones finish
   * what they have and end. While the runner is down, its restart brings up the new number. On failure nothing changes.
   */
  async resize(instances: readonly InstanceSpec[]): Promise<void> {
    const before = this.#instances;
    if (instances.length === before.length) return;
    this.#instances = instances;
    const runner = this.#runner;
    if (runner === undefined) return;
    if (instances.length < before.length) {
      await this.executor.resize(runner.channels.slice(0, instances.length), instances);
      runner.stopInstances(instances.length);
      return;
    }
    try {
      await this.executor.resize(await runner.startInstances(instances.length), instances);
    } catch (error) {
      this.#instances = before;
      if (this.#runner === runner) runner.stopInstances(before.length);
      throw error;
    }
  }

  /** Gives back shared memory that stood empty. */
  sweep(): void {
    this.#runner?.sweep();
  }

  /** Finishes what was accepted, at most until the deadline, then ends the process and waits for its end. */
  async stop(deadlineMs: number): Promise<void> {
    this.executor.stopAccepting();
    const late = new AbortController();
    const deadline = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, deadlineMs);
      late.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    await Promise.race([this.executor.drained(), deadline]);
    late.abort();
    this.measureMemory();
    const life = this.#life;
    this.#life = { state: "stopped" };
    if (life.state === "restarting") clearTimeout(life.timer);
    this.executor.refuseQueued(
      new NereidError(
        "UNAVAILABLE",
        `model '${this.spec.name}' version ${this.spec.version} was unloaded before the request was executed`,
      ),
    );
    if (life.state === "running") {
      life.runner.kill("unloaded");
      await life.runner.ended();
    }
    this.ledger.afterUnloadBytes = 0;
  }

  get #runner(): RunnerProcess | undefined {
    return this.#life.state === "running" ? this.#life.runner : undefined;
  }

  #watch(runner: RunnerProcess): void {
    runner.onExit((reason) => {
      if (this.#life.state !== "running" || this.#life.runner !== runner) return;
      const lived = this.#options.host.clock.wallMs() - this.#life.sinceMs;
      if (lived > STABLE_AFTER_MS) this.#attempt = 0;
      this.executor.detach();
      this.#options.onEvent({ kind: "ended", reason });
      this.#restartLater(reason);
    });
  }

  #restartLater(reason: string): void {
    const delay = restartDelayMs(this.#attempt++);
    const timer = setTimeout(() => void this.#restart(reason), delay);
    this.#life = { state: "restarting", reason, timer };
  }

  async #restart(reason: string): Promise<void> {
    if (this.#life.state !== "restarting") return;
    this.#life = { state: "restarting", reason, timer: undefined };
    if (!(await this.#options.unchanged()))
      return this.#restartFailed("its files changed since it was loaded; load the model again");
    if (this.#stopped()) return;
    const runner = new RunnerProcess(this.#options.name, this.#options.host);
    try {
      await runner.load(this.#options.load);
      const channels = await runner.startInstances(this.#instances.length);
      if (this.#stopped()) throw new Error("unloaded meanwhile");
      this.#restarts += 1;
      this.#life = { state: "running", runner, sinceMs: this.#options.host.clock.wallMs() };
      this.#watch(runner);
      this.executor.attach(channels, { slab: runner.slab, specs: this.#instances });
      this.#options.onEvent({ kind: "restarted", restarts: this.#restarts });
    } catch (error) {
      runner.kill("the restart failed");
      await runner.ended();
      this.#restartFailed(NereidError.from(error).message);
    }
  }

  /** Refuses what waits, and tries again later: the cause may pass, or the files may come back. */
  #restartFailed(why: string): void {
    if (this.#stopped()) return;
    this.executor.refuseQueued(
      new NereidError(
        "UNAVAILABLE",
        `the process running model '${this.spec.name}' ended and could not be restarted yet: ${why}`,
      ),
    );
    this.#options.onEvent({ kind: "restart-failed", reason: why, nextMs: restartDelayMs(this.#attempt) });
    this.#restartLater(why);
  }

  #stopped(): boolean {
    return this.#life.state === "stopped";
  }
}
