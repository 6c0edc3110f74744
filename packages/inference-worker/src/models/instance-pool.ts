import type { InstanceChannel } from "../runners/instance-channel.ts";
import type { Capacity } from "../scheduler/scheduler.ts";

/** One execution place of a model version. */
export interface ModelInstance {
  readonly name: string;
  readonly channel: InstanceChannel;
  executions: number;
  /** Batches handed to it and not answered: 0, 1, or 2 with one sent ahead. */
  inFlight: number;
  /** When its last batch was answered. */
  lastEndNs: number;
}

/** Which instances of a model version can take a batch. They come and go with the runner process. */
export class InstancePool {
  readonly #sendsAhead: boolean;
  #instances: readonly ModelInstance[] = [];
  #idle: ModelInstance[] = [];
  /** Instances that execute one batch and could hold the next. */
  #ahead: ModelInstance[] = [];

  constructor(options: { readonly sendsAhead: boolean }) {
    this.#sendsAhead = options.sendsAhead;
  }

  get instances(): readonly ModelInstance[] {
    return this.#instances;
  }

  get capacity(): Capacity {
    if (this.#idle.length > 0) return "idle";
    return this.#sendsAhead && this.#ahead.length > 0 ? "ahead" : "none";
  }

  replace(instances: readonly ModelInstance[]): void {
    this.#instances = instances;
    this.#idle = [...instances];
    this.#ahead = [];
  }

  /** The instance for the next batch; undefined without capacity. */
  take(): ModelInstance | undefined {
    const instance = this.#idle.pop() ?? (this.#sendsAhead ? this.#ahead.shift() : undefined);
    if (instance === undefined) return undefined;
    instance.inFlight += 1;
    if (instance.inFlight === 1) this.#ahead.push(instance);
    return instance;
  }

  /** A batch of the instance is done, or never began. */
  give(instance: ModelInstance): void {
    instance.inFlight -= 1;
    // An instance of a runner that is gone must not be handed out again.
    if (!this.#instances.includes(instance)) return;
    this.#ahead = this.#ahead.filter((candidate) => candidate !== instance);
    (instance.inFlight === 0 ? this.#idle : this.#ahead).push(instance);
  }
}
