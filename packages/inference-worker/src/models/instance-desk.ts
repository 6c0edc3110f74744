import { NereidError } from "@nereid/errors";
import type { RunnerProcess } from "../runners/runner-process.ts";
import type { ModelInstance } from "./instance-pool.ts";
import type { ModelExecutor } from "./model-executor.ts";
import type { ModelSpec } from "./model-spec.ts";
import { notReadyError } from "./resolve-version.ts";
import type { WarmUp } from "./runner-version.ts";
import type { InstanceEvent, InstanceOrder, InstancePhase } from "./served-version.ts";

export interface InstanceDeskOptions {
  readonly spec: ModelSpec;
  readonly executor: Pick<ModelExecutor, "instances" | "hold" | "exchange" | "idle">;
  /** Whether the runner can end and begin one instance alone. */
  readonly restartable: boolean;
  /** The process that serves now; undefined while it is restarted. */
  readonly runner: () => Pick<RunnerProcess, "restartInstance" | "slab" | "exitReason"> | undefined;
  readonly warmUp: WarmUp | undefined;
  readonly onEvent: (event: InstanceEvent) => void;
}

/** What operators do to single instances of a version: hold them back from batches, and restart them while the others serve. */
export class InstanceDesk {
  readonly #options: InstanceDeskOptions;
  readonly #drained = new Set<number>();
  readonly #restarting = new Set<number>();
  readonly #down = new Set<number>();

  constructor(options: InstanceDeskOptions) {
    this.#options = options;
  }

  phaseOf({ index, inFlight, channel }: ModelInstance): InstancePhase {
    if (this.#restarting.has(index)) return "restarting";
    if (this.#down.has(index)) return "down";
    if (!this.#drained.has(index)) return "serving";
    return inFlight > 0 || channel.busy ? "draining" : "drained";
  }

  /** It has no thread now, or may lose it in a moment. */
  isAway(index: number): boolean {
    return this.#restarting.has(index) || this.#down.has(index);
  }

  /** Throws what stands against the order; see `ServedVersion.operateInstance`. */
  check(order: InstanceOrder): void {
    const { spec, restartable, runner } = this.#options;
    const { index, action, force } = order;
    if (runner() === undefined) throw notReadyError(spec);
    const instance = this.#require(index);
    if (spec.scheduling.kind === "sequence")
      throw new NereidError(
        "UNSUPPORTED",
        `model '${spec.name}' binds sequences to its instances: holding one back would hold its sequences up`,
        { fix: "wait for its sequences to end, then unload the model and load it" },
      );
    if (action === "restart" && !restartable)
      throw new NereidError(
        "UNSUPPORTED",
        `the backend of model '${spec.name}' (${spec.backend}) cannot restart one instance alone`,
        { fix: "unload the model and load it, which restarts all of them" },
      );
    if (this.#restarting.has(index) && action !== "resume")
      throw new NereidError("CONFLICT", `${this.#called(instance)} is being restarted`, { fix: "wait for its end" });
    if (action === "resume" && this.#down.has(index))
      throw new NereidError("CONFLICT", `${this.#called(instance)} is not there: its restart failed`, {
        fix: "restart it",
      });
    if (action !== "resume" && !force && this.#isLast(instance))
      throw new NereidError(
        "CONFLICT",
        `${this.#called(instance)} is the last one that serves: without it every request would wait`,
        {
          fix: 'send "force": true, and requests wait in the queue under its queue policy until an instance serves again; or resume another one first',
        },
      );
  }

  /** Gives the instance no further batch, or batches again. */
  hold(index: number, held: boolean): void {
    const { executor, onEvent } = this.#options;
    const { name: instance } = this.#require(index);
    if (held === this.#drained.has(index)) return;
    if (!held) {
      this.#drained.delete(index);
      if (!this.isAway(index)) executor.hold(index, false);
      onEvent({ kind: "instance-resumed", instance, reason: "" });
      return;
    }
    this.#drained.add(index);
    executor.hold(index, true);
    void executor.idle(index).then(() => {
      if (this.#drained.has(index)) onEvent({ kind: "instance-drained", instance, reason: "" });
    });
  }

  /** Lets the instance end its batch, at most until the deadline, and starts it anew, warmed up. Throws UNAVAILABLE when it does not come back. */
  async restart(order: InstanceOrder): Promise<void> {
    const { executor, warmUp, onEvent, spec } = this.#options;
    const { index, deadlineMs } = order;
    this.check(order);
    const runner = this.#options.runner();
    if (runner === undefined) throw notReadyError(spec);
    const instance = this.#require(index);
    this.#restarting.add(index);
    executor.hold(index, true);
    try {
      const ended = await within(deadlineMs, executor.idle(index));
      const late = `it was restarted, and the batch took longer than the ${deadlineMs} ms it was given`;
      const channel = await runner.restartInstance(index, ended ? "it was restarted" : late);
      await warmUp?.({ channels: [channel], slab: runner.slab, spec });
      executor.exchange(channel);
      this.#down.delete(index);
      const reason = ended ? "" : `its batch did not end within ${deadlineMs} ms and failed`;
      onEvent({ kind: "instance-restarted", instance: instance.name, reason });
    } catch (thrown) {
      const why = NereidError.from(thrown).message;
      // With its process gone the process is what is restarted, with all of them.
      if (this.#options.runner() === runner && runner.exitReason === undefined) this.#down.add(index);
      onEvent({ kind: "instance-restart-failed", instance: instance.name, reason: why });
      throw new NereidError("UNAVAILABLE", `${this.#called(instance)} did not come back: ${why}`, {
        fix: "mend what the text names and restart it again; or unload the model and load it",
      });
    } finally {
      this.#restarting.delete(index);
      executor.hold(index, this.#drained.has(index) || this.#down.has(index));
    }
  }

  /** CONFLICT while an instance is missing: the number of instances cannot change around the gap. */
  checkAllThere(): void {
    const [index] = this.#down;
    if (index === undefined) return;
    throw new NereidError("CONFLICT", `${this.#called(this.#require(index))} is not there: its restart failed`, {
      fix: "restart it before the number of instances is changed",
    });
  }

  /** CONFLICT where only instances that are held back would be left: every request would wait. */
  checkSomeStay(count: number): void {
    const staying = this.#options.executor.instances.filter(
      ({ index, spec }) => index < count && spec?.passive !== true,
    );
    if (staying.length === 0 || staying.some((instance) => this.phaseOf(instance) === "serving")) return;
    const numbers = staying.map(({ index }) => index).join(", ");
    const { name, version } = this.#options.spec;
    throw new NereidError(
      "CONFLICT",
      `only drained instances (${numbers}) of model '${name}' version ${version} would be left: every request would wait`,
      { fix: "resume one of them first" },
    );
  }

  /** Whether requests are executed, or will be in a moment: not while every instance is drained or gone. */
  get serves(): boolean {
    // Asked for every request where the traffic is divided.
    if (this.#drained.size === 0 && this.#down.size === 0) return true;
    const taking = this.#options.executor.instances.filter(({ spec }) => spec?.passive !== true);
    return taking.length === 0 || taking.some(({ index }) => !this.#drained.has(index) && !this.#down.has(index));
  }

  /** The process came back with all instances; those that were drained stay so. */
  renewed(): void {
    for (const index of this.#down) if (!this.#drained.has(index)) this.#options.executor.hold(index, false);
    this.#down.clear();
  }

  /** Nothing is held back any more, because what was accepted is to be finished. */
  releaseAll(): void {
    for (const index of this.#drained) if (!this.isAway(index)) this.#options.executor.hold(index, false);
    this.#drained.clear();
  }

  #isLast(instance: ModelInstance): boolean {
    const serving = this.#options.executor.instances.filter(
      (one) => one.spec?.passive !== true && this.phaseOf(one) === "serving",
    );
    return serving.length === 1 && serving[0] === instance;
  }

  #require(index: number): ModelInstance {
    const { executor, spec } = this.#options;
    const instance = executor.instances.find((candidate) => candidate.index === index);
    if (instance !== undefined) return instance;
    throw new NereidError("NOT_FOUND", `model '${spec.name}' version ${spec.version} has no instance ${index}`, {
      fix: `its instances have the numbers ${executor.instances.map((one) => one.index).join(", ")}`,
    });
  }

  #called({ index, name }: ModelInstance): string {
    const { name: model, version } = this.#options.spec;
    return `instance ${index} ('${name}') of model '${model}' version ${version}`;
  }
}

/** Whether the promise settles in this time. */
async function within(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
