import { NereidError } from "@nereid/errors";
import type { ModelStatistics } from "@nereid/telemetry";
import type { VersionFacts } from "../facts/version-facts.ts";
import { keepLow } from "../loading/load-priority.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import type { Placement } from "../runners/placement.ts";
import { readPeakRssBytes } from "../runners/read-rss.ts";
import type { LoadMessage, RunnerHost, RunnerSignature } from "../runners/runner-host.ts";
import { RunnerProcess } from "../runners/runner-process.ts";
import { stoppedError } from "../scheduler/stopped-error.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";
import { restartDelayMs } from "./backoff.ts";
import type { InferTicket } from "./infer-ticket.ts";
import { InstanceDesk } from "./instance-desk.ts";
import { busyTime } from "./instance-pool.ts";
import { ModelExecutor, type SharedParts } from "./model-executor.ts";
import type { InstanceSpec, ModelSpec } from "./model-spec.ts";
import { notReadyError } from "./resolve-version.ts";
import type {
  InstanceEvent,
  InstanceOrder,
  InstanceState,
  Lease,
  MemoryLedger,
  RunnerEvent,
  ServedVersion,
} from "./served-version.ts";
import { once } from "./shared-blocks.ts";

/** The model's own signature in, the compiled specification out; throws when the configuration does not fit the model. */
export type Complete = (signature: RunnerSignature) => ModelSpec;

/** What a load is doing, for people. */
export type LoadStage = "starting" | "loading" | "instances" | "warm-up";

/** Brings new instances to their pace before they get requests; throws when an execution fails. */
export type WarmUp = (on: {
  readonly channels: readonly InstanceChannel[];
  readonly slab: Slab;
  readonly spec: ModelSpec;
}) => Promise<void>;

export interface RunnerVersionOptions {
  readonly name: string;
  readonly host: RunnerHost;
  readonly load: LoadMessage;
  readonly complete: Complete;
  readonly statistics: ModelStatistics;
  /** What the executor shares with those of other models. */
  readonly shared: SharedParts;
  readonly warmUp?: WarmUp;
  /** The process gives way to others as long as it lives. */
  readonly lowPriority: boolean;
  /** The runner's process has begun and loads nothing yet. */
  readonly onStarted?: (pid: number) => void;
  readonly onStage?: (stage: LoadStage) => void;
  /** Ends a load that nobody wants any more. */
  readonly signal?: AbortSignal | undefined;
  readonly executionTimeoutMs: number;
  /** Whether the files are still those that were loaded: a restart must not bring up what nobody asked to load. */
  readonly unchanged: () => Promise<boolean>;
  /** Told when the runner ended by itself, came back, or failed to come back. */
  readonly onEvent: (event: RunnerEvent) => void;
  readonly onInstanceEvent?: (event: InstanceEvent) => void;
}

type Life =
  | { readonly state: "running"; readonly runner: RunnerProcess; readonly sinceMs: number }
  | {
      readonly state: "restarting";
      readonly reason: string;
      readonly timer: NodeJS.Timeout | undefined;
      /** The process that is to take over, while it loads. */
      readonly runner?: RunnerProcess;
    }
  | { readonly state: "stopped" };

const STABLE_AFTER_MS = 60_000;

/** A loaded model version: its runner process, kept alive, and the executor that feeds it. */
export class RunnerVersion implements ServedVersion {
  readonly spec: ModelSpec;
  readonly statistics: ModelStatistics;
  readonly executor: ModelExecutor;
  readonly ledger: MemoryLedger;
  readonly #options: RunnerVersionOptions;
  #life: Life;
  #instances: readonly InstanceSpec[];
  #restarts = 0;
  #leases = 0;
  /** Who waits for the last lease to be released. */
  readonly #leaseless: (() => void)[] = [];
  #stopping = false;
  #attempt = 0;
  readonly #desk: InstanceDesk;
  /** Changes of the instances come one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    options: RunnerVersionOptions,
    started: { spec: ModelSpec; runner: RunnerProcess; ledger: MemoryLedger; restartable: boolean },
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
      shared: options.shared,
      executionTimeoutMs: options.executionTimeoutMs,
      onStuck: (reason) => this.#runner?.kill(reason),
      log: (text) => options.host.log(text, { runner: options.name }),
    });
    this.#desk = new InstanceDesk({
      spec: started.spec,
      executor: this.executor,
      restartable: started.restartable,
      runner: () => this.#runner,
      warmUp: options.warmUp,
      onEvent: (event) => options.onInstanceEvent?.(event),
    });
    this.#life = { state: "running", runner: started.runner, sinceMs: options.host.clock.wallMs() };
    this.#watch(started.runner);
  }

  /** Starts the runner, loads the model, completes the configuration with its signature and brings up every instance. */
  static async load(options: RunnerVersionOptions): Promise<RunnerVersion> {
    options.onStage?.("starting");
    options.signal?.throwIfAborted();
    const runner = new RunnerProcess(options.name, options.host);
    options.onStarted?.(runner.pid);
    const raise = options.host.lowerWhileLoading?.(runner.pid, () => runner.connected);
    const abort = () => runner.kill("the load was cancelled");
    options.signal?.addEventListener("abort", abort);
    try {
      const ledger: MemoryLedger = {};
      options.onStage?.("loading");
      const signature = await runner.load(options.load);
      ledger.beforeBytes = runner.rssBeforeLoad;
      const spec = options.complete(signature);
      options.onStage?.("instances");
      const channels = await runner.startInstances(spec.instances.length);
      options.onStage?.("warm-up");
      await options.warmUp?.({ channels, slab: runner.slab, spec });
      options.signal?.throwIfAborted();
      const loadedBytes = runner.rssBytes();
      if (loadedBytes !== undefined) ledger.loadedBytes = loadedBytes;
      raise?.();
      if (options.lowPriority) keepLow(runner.pid);
      const version = new RunnerVersion(options, {
        spec,
        runner,
        ledger,
        restartable: signature.restartsInstances === true,
      });
      version.executor.attach(channels, { slab: runner.slab, specs: spec.instances });
      return version;
    } catch (error) {
      raise?.();
      runner.kill("the load failed");
      await runner.ended();
      throw options.signal?.aborted === true ? new NereidError("CANCELLED", "the load was cancelled") : error;
    } finally {
      options.signal?.removeEventListener("abort", abort);
    }
  }

  get ready(): boolean {
    return this.#life.state === "running" && this.#life.runner.responsive && this.#desk.serves;
  }

  get placement(): Placement | undefined {
    return this.#runner?.placement;
  }

  checkReady(): Promise<boolean> | boolean {
    if (!this.ready || !this.spec.tellsReadiness) return this.ready;
    const asked = this.executor.instances.filter(({ index }) => !this.#desk.isAway(index));
    return Promise.all(asked.map(({ channel }) => channel.checkReadiness())).then(
      (answers) => answers.length > 0 && answers.every(({ ready }) => ready),
    );
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
    if (!life.runner.responsive) return "the runner process does not answer heartbeats";
    return this.#desk.serves ? "" : "every instance is drained; resume one";
  }

  get sendsAhead(): boolean {
    return this.executor.sendsAhead;
  }

  get queued(): number {
    return this.executor.queued;
  }

  get facts(): VersionFacts {
    return this.executor.facts;
  }

  get instanceStates(): readonly InstanceState[] {
    const nowNs = this.#options.host.clock.nowNs();
    return this.executor.instances.map((instance) => {
      const busyNs = busyTime(instance, nowNs);
      return {
        index: instance.index,
        phase: this.#desk.phaseOf(instance),
        name: instance.name,
        kind: instance.spec?.kind ?? "KIND_CPU",
        device: instance.spec?.device ?? 0,
        passive: instance.spec?.passive === true,
        executions: instance.executions,
        inFlight: instance.inFlight,
        busyNs,
        busyShare: instance.share.at(nowNs, busyNs),
        busyShare10: instance.seconds.share(10, { nowNs, busyNs }),
        busyShare60: instance.seconds.share(60, { nowNs, busyNs }),
      };
    });
  }

  holdsSequence(id: bigint | string): boolean {
    return this.executor.holdsSequence(id);
  }

  releaseSequence(id: bigint | string): void {
    if (this.executor.holdsSequence(id)) this.executor.releaseSequence(id);
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
    // It knows the sequences that its end cut off, and says so.
    const { sequence } = request;
    if (sequence !== undefined && !sequence.start && this.executor.holdsSequence(sequence.id))
      return this.executor.submit(request);
    if (this.#life.state !== "running") throw notReadyError(this.spec);
    if (this.#stopping && this.#leases > 0) throw stoppedError(request.id);
    return this.executor.submit(request);
  }

  lease(): Lease {
    if (this.#life.state === "stopped" || this.#stopping) throw notReadyError(this.spec);
    this.#leases += 1;
    const release = once(() => {
      this.#leases -= 1;
      if (this.#leases === 0) for (const resolve of this.#leaseless.splice(0)) resolve();
    });
    return {
      spec: this.spec,
      submit: (request) => {
        if (this.#life.state !== "running") throw notReadyError(this.spec);
        return this.executor.submit(request);
      },
      release,
    };
  }

  /** The instances as they are now; their number may have changed since the load. */
  get instances(): readonly InstanceSpec[] {
    return this.#instances;
  }

  /**
   * Brings the number of instances to that of `instances` while it serves: new ones are loaded and then used, surplus ones finish
   * what they have and end. While the runner is down, its restart brings up the new number. On failure nothing changes.
   */
  resize(instances: readonly InstanceSpec[], signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#resize(instances, signal));
  }

  async operateInstance(order: InstanceOrder): Promise<InstanceState> {
    const { index, action } = order;
    this.#desk.check(order);
    if (action !== "restart") this.#desk.hold(index, action === "drain");
    else await this.#inTurn(() => this.#desk.restart(order));
    const state = this.instanceStates.find((instance) => instance.index === index);
    if (state === undefined) throw notReadyError(this.spec);
    return state;
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(change);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #resize(instances: readonly InstanceSpec[], signal: AbortSignal | undefined): Promise<void> {
    const before = this.#instances;
    if (instances.length === before.length) return;
    this.#desk.checkAllThere();
    const runner = this.#runner;
    if (runner !== undefined && instances.length < before.length) this.#desk.checkSomeStay(instances.length);
    this.#instances = instances;
    if (runner === undefined) return;
    if (instances.length < before.length) {
      await this.executor.resize(runner.channels.slice(0, instances.length), instances);
      runner.stopInstances(instances.length);
      return;
    }
    try {
      const described = instances.map(({ name, kind, device, profile }) => ({
        name,
        kind,
        device,
        ...(profile !== undefined && { profile }),
      }));
      const channels = await runner.startInstances(instances.length, described, signal);
      await this.#options.warmUp?.({ channels: channels.slice(before.length), slab: runner.slab, spec: this.spec });
      await this.executor.resize(channels, instances);
    } catch (error) {
      this.#instances = before;
      if (this.#runner === runner) runner.stopInstances(before.length);
      throw error;
    }
  }

  /** Gives back shared memory that stood empty. */
  sweep(): void {
    const nowNs = this.#options.host.clock.nowNs();
    for (const instance of this.executor.instances) instance.share.mark(nowNs, busyTime(instance, nowNs));
    this.#runner?.sweep();
  }

  /** Finishes what was accepted, at most until the deadline, then ends the process and waits for its end. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    // What was accepted is executed, also where an operator held the instances.
    this.#desk.releaseAll();
    const late = new AbortController();
    const deadline = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, deadlineMs);
      late.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    await Promise.race([this.#finished(), deadline]);
    late.abort();
    this.executor.stopAccepting();
    this.measureMemory();
    const life = this.#life;
    this.#life = { state: "stopped" };
    if (life.state === "restarting") {
      clearTimeout(life.timer);
      life.runner?.kill("unloaded");
    }
    const { name, version } = this.spec;
    this.executor.endSequences(
      new NereidError(
        "UNAVAILABLE",
        `model '${name}' version ${version} was unloaded while the sequence was under way; start the sequence again`,
      ),
    );
    this.executor.refuseQueued(
      new NereidError("UNAVAILABLE", `model '${name}' version ${version} was unloaded before the request was executed`),
    );
    if (life.state === "running") {
      if (this.spec.execution === "requests") await life.runner.finish("unloaded");
      else life.runner.kill("unloaded");
    }
    if (life.state !== "stopped") await life.runner?.ended();
    this.ledger.afterUnloadBytes = 0;
  }

  /** Resolves once nobody holds the version and everything it accepted is answered. */
  async #finished(): Promise<void> {
    if (this.#leases > 0) await new Promise<void>((resolve) => this.#leaseless.push(resolve));
    this.executor.stopAccepting();
    await this.executor.drained();
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
    this.#life = { state: "restarting", reason, timer: undefined, runner };
    this.#options.onStarted?.(runner.pid);
    try {
      await runner.load(this.#options.load);
      if (this.#options.lowPriority) keepLow(runner.pid);
      const described = this.#instances.map(({ name, kind, device }) => ({ name, kind, device }));
      const channels = await runner.startInstances(this.#instances.length, described);
      await this.#options.warmUp?.({ channels, slab: runner.slab, spec: this.spec });
      if (this.#stopped()) throw new Error("unloaded meanwhile");
      this.#restarts += 1;
      this.#life = { state: "running", runner, sinceMs: this.#options.host.clock.wallMs() };
      this.#watch(runner);
      this.#desk.renewed();
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
