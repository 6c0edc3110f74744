import type { InstanceChannel } from "../runners/instance-channel.ts";
import type { Capacity } from "../scheduler/scheduler.ts";

/** One execution place of a model version. */
export interface ModelInstance {
  readonly name: string;
  readonly channel: InstanceChannel;
  readonly gpuUuid?: string | undefined;
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
  /** Instances that get nothing more and still execute, and whom to tell when they are done. */
  readonly #retiring = new Map<ModelInstance, () => void>();

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
    for (const done of this.#retiring.values()) done();
    this.#retiring.clear();
  }

  /** Adds and takes away instances; the others keep what they do. Resolves once those taken away are idle. */
  async resize(instances: readonly ModelInstance[]): Promise<void> {
    const gone = this.#instances.filter((instance) => !instances.includes(instance) && instance.inFlight > 0);
    this.#instances = instances;
    this.#idle = instances.filter(({ inFlight }) => inFlight === 0);
    this.#ahead = instances.filter(({ inFlight }) => inFlight === 1);
    await Promise.all(
      gone.map((instance) => new Promise<void>((resolve) => this.#retiring.set(instance, () => resolve()))),
    );
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
    if (!this.#instances.includes(instance)) {
      if (instance.inFlight === 0) this.#retiring.get(instance)?.();
      if (instance.inFlight === 0) this.#retiring.delete(instance);
      return;
    }
    this.#ahead = this.#ahead.filter((candidate) => candidate !== instance);
    (instance.inFlight === 0 ? this.#idle : this.#ahead).push(instance);
  }
}
