import type { BusySeconds } from "../facts/busy-seconds.ts";
import type { Membership } from "../rate-limiter/rate-limiter.ts";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import type { Capacity } from "../scheduler/request-scheduler.ts";
import type { BusyShare } from "./busy-share.ts";
import type { InstanceSpec } from "./model-spec.ts";

/** One execution place of a model version. */
export interface ModelInstance {
  readonly name: string;
  readonly channel: InstanceChannel;
  readonly spec: InstanceSpec | undefined;
  readonly gpuUuid?: string | undefined;
  /** Place among those of the model; sequences are bound to it. */
  readonly index: number;
  /** With the rate limiter on. */
  readonly membership: Membership | undefined;
  executions: number;
  /** Batches handed to it and not answered: 0, 1, or 2 with one sent ahead. */
  inFlight: number;
  /** Requests of a batch that waits behind the one it executes: they have not begun. */
  aheadRequests: number;
  /** It is given no further batch until that is taken back. */
  held: boolean;
  /** When its last batch was answered. */
  lastEndNs: number;
  /** Time it was executing, in all; `busySinceNs` tells of the batch it has now. */
  busyNs: number;
  busySinceNs: number;
  readonly share: BusyShare;
  readonly seconds: BusySeconds;
}

export interface PoolOptions {
  readonly sendsAhead: boolean;
  /** The rate limiter let an instance have its resources: something can be sent. */
  readonly onGranted: () => void;
}

/** Which instances of a model version can take a batch. They come and go with the runner process. */
export class InstancePool {
  readonly #options: PoolOptions;
  #instances: readonly ModelInstance[] = [];
  /** In the order they became idle: the last one first, whose caches are warm. */
  #idle: ModelInstance[] = [];
  /** Instances that execute one batch and could hold the next. */
  #ahead: ModelInstance[] = [];
  #profiling = false;
  /** Instances that have their resources and nothing to execute yet. */
  readonly #granted = new Set<ModelInstance>();
  /** Instances that get nothing more and still execute, and whom to tell when they are done. */
  readonly #retiring = new Map<ModelInstance, () => void>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get instances(): readonly ModelInstance[] {
    return this.#instances;
  }

  /** Asks the rate limiter, where there is one, for an idle instance. */
  get capacity(): Capacity {
    if (this.#idle.some((instance) => this.#mayExecute(instance))) return "idle";
    return this.#mayGoAhead ? "ahead" : "none";
  }

  /** Only where there is one instance: a batch bound to one of several could wait behind it while another is free. */
  get #mayGoAhead(): boolean {
    return this.#options.sendsAhead && this.#ahead.length > 0 && this.#instances.filter(takesRequests).length === 1;
  }

  /** Whether this one could execute now. */
  isIdle(index: number): boolean {
    const instance = this.#idle.find((candidate) => candidate.index === index);
    return instance !== undefined && this.#mayExecute(instance);
  }

  replace(instances: readonly ModelInstance[]): void {
    for (const instance of this.#instances) instance.membership?.leave();
    this.#granted.clear();
    this.#instances = instances;
    this.#idle = instances.filter(takesRequests).reverse();
    this.#ahead = [];
    for (const done of this.#retiring.values()) done();
    this.#retiring.clear();
  }

  /** Adds and takes away instances; the others keep what they do. Resolves once those taken away are idle. */
  async resize(instances: readonly ModelInstance[]): Promise<void> {
    const removed = this.#instances.filter((instance) => !instances.includes(instance));
    for (const instance of removed) {
      this.#granted.delete(instance);
      if (instance.inFlight === 0) instance.membership?.leave();
    }
    this.#instances = instances;
    this.#profiling = instances.some(({ spec }) => spec?.profile !== undefined);
    this.#idle = instances.filter((instance) => takesRequests(instance) && instance.inFlight === 0);
    this.#ahead = instances.filter((instance) => takesRequests(instance) && instance.inFlight === 1);
    const busy = removed.filter(({ inFlight }) => inFlight > 0);
    await Promise.all(
      busy.map((instance) => new Promise<void>((resolve) => this.#retiring.set(instance, () => resolve()))),
    );
  }

  /** Keeps an instance from further batches, or lets it have them again. What it has it finishes. */
  hold(instance: ModelInstance, held: boolean): void {
    if (instance.held === held) return;
    instance.held = held;
    if (!this.#instances.includes(instance)) return;
    this.#idle = this.#idle.filter((candidate) => candidate !== instance);
    this.#ahead = this.#ahead.filter((candidate) => candidate !== instance);
    if (this.#granted.delete(instance)) instance.membership?.giveBack();
    if (!takesRequests(instance)) return;
    if (instance.inFlight === 0) this.#idle.push(instance);
    else if (instance.inFlight === 1) this.#ahead.push(instance);
  }

  /** The instance for the next batch; undefined without capacity. */
  take(nowNs: number): ModelInstance | undefined {
    // One that has its resources before one that would have to ask for them.
    const granted =
      this.#granted.size > 0 ? this.#idle.findLastIndex((instance) => this.#granted.has(instance)) : this.#profiled();
    const at = granted === -1 ? this.#idle.findLastIndex((instance) => this.#mayExecute(instance)) : granted;
    const instance = at === -1 ? (this.#mayGoAhead ? this.#ahead.shift() : undefined) : this.#idle.splice(at, 1)[0];
    if (instance !== undefined) this.#begin(instance, nowNs);
    return instance;
  }

  /** This very instance, when it is idle. */
  takeAt(index: number, nowNs: number): ModelInstance | undefined {
    const at = this.#idle.findIndex((instance) => instance.index === index);
    const instance = this.#idle[at];
    if (instance === undefined || !this.#mayExecute(instance)) return undefined;
    this.#idle.splice(at, 1);
    this.#begin(instance, nowNs);
    return instance;
  }

  /** A batch of the instance is done, or never began. */
  give(instance: ModelInstance, nowNs: number): void {
    instance.inFlight -= 1;
    if (instance.inFlight === 0) {
      instance.busyNs += Math.max(0, nowNs - instance.busySinceNs);
      instance.membership?.executed();
      instance.membership?.giveBack();
    }
    // An instance of a runner that is gone must not be handed out again.
    if (!this.#instances.includes(instance)) {
      if (instance.inFlight > 0) return;
      instance.membership?.leave();
      this.#retiring.get(instance)?.();
      this.#retiring.delete(instance);
      return;
    }
    this.#ahead = this.#ahead.filter((candidate) => candidate !== instance);
    if (takesRequests(instance)) (instance.inFlight === 0 ? this.#idle : this.#ahead).push(instance);
  }

  /** Nothing was there to execute: what was granted is for others. */
  returnUnused(): void {
    for (const instance of this.#granted) instance.membership?.giveBack();
    this.#granted.clear();
  }

  /** One that is profiled is there to be used: with few requests the others would have them all. */
  #profiled(): number {
    if (!this.#profiling) return -1;
    return this.#idle.findIndex((instance) => instance.spec?.profile !== undefined && this.#mayExecute(instance));
  }

  #begin(instance: ModelInstance, nowNs: number): void {
    this.#granted.delete(instance);
    instance.inFlight += 1;
    if (instance.inFlight > 1) return;
    instance.busySinceNs = nowNs;
    if (this.#options.sendsAhead) this.#ahead.push(instance);
  }

  #mayExecute(instance: ModelInstance): boolean {
    if (instance.membership === undefined || this.#granted.has(instance)) return true;
    if (!instance.membership.ask(() => this.#grant(instance))) return false;
    this.#granted.add(instance);
    // Whoever asked may find that there is nothing to send after all.
    queueMicrotask(() => this.returnUnused());
    return true;
  }

  #grant(instance: ModelInstance): void {
    if (this.#idle.includes(instance)) {
      this.#granted.add(instance);
      this.#options.onGranted();
    } else instance.membership?.giveBack();
  }
}

/** Nanoseconds an instance has been executing, what it does now included. */
export function busyTime({ busyNs, busySinceNs, inFlight }: ModelInstance, nowNs: number): number {
  return busyNs + (inFlight > 0 ? Math.max(0, nowNs - busySinceNs) : 0);
}

function takesRequests({ spec, held }: ModelInstance): boolean {
  return spec?.passive !== true && !held;
}
