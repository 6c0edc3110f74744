import type { CostClass, QueuePolicy } from "../../scheduler/policy.ts";
import type { SimulatedOutcome } from "../outcomes.ts";
import type { SimulatedBatch, SimulationSetup } from "../simulate.ts";
import type { SimulatedRequest } from "../simulated-request.ts";

interface Known {
  readonly request: SimulatedRequest;
  readonly level: number;
  /** Moment its queue time-out is over. */
  readonly timeoutAtNs: number;
  readonly action: QueuePolicy["timeoutAction"];
  readonly maxQueueSize: number;
  readonly classIndex: number;
  batch: SimulatedBatch | undefined;
  /** It was passed over by a batch at this moment, so it must have been refused then. */
  passedOverNs: number | undefined;
}

/**
 * Watches a simulation and throws at the first thing a queue must not do (scheduling.md §2 and §4). It keeps its own books
 * and works the rules out anew from the policies.
 */
export class Auditor {
  readonly #setup: SimulationSetup;
  readonly #known = new Map<number, Known>();
  readonly #waiting = new Set<Known>();
  readonly #executing = new Map<number, { left: number; classIndex: number }>();
  readonly #executingOfClass: number[] = [];
  #arrived = 0;
  #settled = 0;

  constructor(setup: SimulationSetup) {
    this.#setup = setup;
  }

  /** The setup, watched. */
  get setup(): SimulationSetup {
    return {
      ...this.#setup,
      onArrival: (request) => this.#onArrival(request),
      onBatch: (batch) => this.#onBatch(batch),
      onOutcome: (outcome) => this.#onOutcome(outcome),
    };
  }

  get requests(): number {
    return this.#arrived;
  }

  /** To be called when the simulation is over. */
  finish(): void {
    check(this.#known.size === 0 && this.#settled === this.#arrived, `${this.#known.size} requests have no outcome`);
    check(this.#executing.size === 0, "a batch was never finished");
  }

  #onArrival(request: SimulatedRequest): void {
    const level = this.#levelOf(request);
    const policy = this.#policyOf(level);
    const { defaultTimeoutNs: most = 0, allowTimeoutOverride = false } = policy ?? {};
    const own = request.arrival.timeoutNs;
    const timeoutNs =
      most === 0 ? Number.POSITIVE_INFINITY : allowTimeoutOverride && own > 0 && own < most ? own : most;
    this.#checkWaiting(request.enqueuedNs);
    const known: Known = {
      request,
      level,
      timeoutAtNs: request.enqueuedNs + timeoutNs,
      action: policy?.timeoutAction ?? "REJECT",
      maxQueueSize: policy?.maxQueueSize ?? 0,
      classIndex: this.#classes.findIndex(({ maxCost }) => maxCost >= request.cost),
      batch: undefined,
      passedOverNs: undefined,
    };
    this.#known.set(request.index, known);
    this.#waiting.add(known);
    this.#arrived += 1;
  }

  #onBatch(batch: SimulatedBatch): void {
    const { scheduler } = this.#setup;
    const nowNs = batch.sentNs;
    const items = batch.items.map((request) => this.#get(request.index));
    const first = items[0];
    const last = items.at(-1);
    if (first === undefined || last === undefined) throw new Error("a batch is empty");
    const size = items.reduce((sum, { request }) => sum + Math.max(1, request.batchSize), 0);
    const most = scheduler.kind === "dynamic" ? Math.max(1, scheduler.batch.maxBatchSize) : 0;
    check(items.length === 1 || size <= most, `a batch of ${size} is larger than ${most}`);
    items.forEach((item, index) => {
      const { request } = item;
      check(this.#waiting.delete(item) && item.batch === undefined, `request ${request.index} was sent twice`);
      check(request.shapeKey === first.request.shapeKey, "a batch mixes shapes");
      check(item.classIndex === first.classIndex, "a batch mixes classes");
      check(
        item.action === "DELAY" || item.timeoutAtNs > nowNs,
        `request ${request.index} was sent after its time-out`,
      );
      check(request.arrival.deadlineNs >= nowNs, `request ${request.index} was sent after its client's deadline`);
      const before = items[index - 1];
      check(before === undefined || compare(before, item, nowNs) < 0, "a batch is not in scan order");
      item.batch = batch;
    });
    for (const item of this.#waiting) {
      if (item.request.place === undefined || item.classIndex !== first.classIndex) continue;
      if (compare(item, last, nowNs) < 0) item.passedOverNs = nowNs;
    }
    this.#executing.set(batch.id, { left: items.length, classIndex: first.classIndex });
    const { maxExecuting = 0 } = this.#classes[first.classIndex] ?? {};
    const executing = (this.#executingOfClass[first.classIndex] ?? 0) + items.length;
    this.#executingOfClass[first.classIndex] = executing;
    check(maxExecuting === 0 || executing <= maxExecuting, `${executing} of a class execute at once`);
    const batches = this.#setup.instances * (this.#setup.sendsAhead ? 2 : 1);
    check(this.#executing.size <= batches, "more batches than instances");
  }

  #onOutcome(outcome: SimulatedOutcome): void {
    const item = this.#get(outcome.index);
    const { index, kind, endNs } = outcome;
    this.#known.delete(index);
    this.#settled += 1;
    check(kind !== "unfinished", `request ${index} was forgotten`);
    check((kind === "executed") === (item.batch !== undefined), `request ${index} was sent and is ${kind}`);
    check(
      item.passedOverNs === undefined || (kind === "deadline" && endNs === item.passedOverNs),
      `request ${index} was passed over and is ${kind}`,
    );
    if (kind === "expired") {
      check(item.action === "REJECT", `request ${index} was delayed and refused`);
      check(
        endNs === item.timeoutAtNs,
        `request ${index} was refused ${endNs - item.timeoutAtNs} ns after its time-out`,
      );
    }
    if (kind === "deadline")
      check(endNs <= item.request.arrival.deadlineNs, `request ${index} was refused after its deadline`);
    if (kind === "cancelled") check(endNs === item.request.arrival.cancelAtNs, `request ${index} was cancelled late`);
    this.#waiting.delete(item);
    const executing = this.#executing.get(outcome.batchId);
    if (kind !== "executed" || executing === undefined) return;
    executing.left -= 1;
    if (executing.left > 0) return;
    this.#executing.delete(outcome.batchId);
    const { classIndex } = executing;
    this.#executingOfClass[classIndex] = (this.#executingOfClass[classIndex] ?? 0) - (item.batch?.items.length ?? 0);
  }

  /** What must hold whenever all that is due has been done. */
  #checkWaiting(nowNs: number): void {
    const { scheduler, instances } = this.#setup;
    const { maxRequests = 0, maxBytes = 0 } = scheduler.admission ?? {};
    const ofLevel = new Map<number, number>();
    let bytes = 0;
    const delayNs = scheduler.kind === "dynamic" ? scheduler.batch.maxQueueDelayNs : 0;
    const isIdle = this.#executing.size < instances;
    for (const item of this.#waiting) {
      const { request, level, maxQueueSize, classIndex } = item;
      const count = (ofLevel.get(level) ?? 0) + 1;
      ofLevel.set(level, count);
      bytes += request.arrival.byteLength;
      check(maxQueueSize === 0 || count <= maxQueueSize, `${count} wait in level ${level}`);
      check(item.action === "DELAY" || item.timeoutAtNs >= nowNs, `request ${request.index} waits beyond its time-out`);
      check(request.arrival.deadlineNs >= nowNs, `request ${request.index} waits beyond its client's deadline`);
      const { maxExecuting = 0 } = this.#classes[classIndex] ?? {};
      const isHeld = maxExecuting > 0 && (this.#executingOfClass[classIndex] ?? 0) >= maxExecuting;
      const isDue = request.enqueuedNs < nowNs && request.enqueuedNs + delayNs <= nowNs;
      check(!isIdle || isHeld || !isDue, `request ${request.index} waits for too long while an instance is idle`);
    }
    check(maxRequests === 0 || this.#waiting.size <= maxRequests, `${this.#waiting.size} wait`);
    check(maxBytes === 0 || bytes <= maxBytes || this.#waiting.size === 1, `${bytes} bytes wait`);
  }

  #levelOf({ request }: SimulatedRequest): number {
    const { levels = 0, defaultLevel = 1 } = this.#setup.scheduler.priorities ?? {};
    if (levels === 0) return 1;
    return request.priority === 0 || request.priority > levels ? defaultLevel : request.priority;
  }

  #policyOf(level: number): QueuePolicy | undefined {
    const { levels = 0, byLevel, defaultPolicy } = this.#setup.scheduler.priorities ?? {};
    return (levels === 0 ? undefined : byLevel?.get(level)) ?? defaultPolicy;
  }

  get #classes(): readonly CostClass[] {
    const classes = this.#setup.scheduler.admission?.classes ?? [];
    return classes.length > 0 ? classes : ONE_CLASS;
  }

  #get(index: number): Known {
    const known = this.#known.get(index);
    if (known === undefined) throw new Error(`request ${index} has more than one outcome`);
    return known;
  }
}

const ONE_CLASS: readonly CostClass[] = [
  { name: "", maxCost: Number.POSITIVE_INFINITY, maxQueued: 0, maxExecuting: 0, weight: 1 },
];

/** Scan order at a moment: level, unexpired before delayed, then the oldest, or the one delayed first. */
function compare(a: Known, b: Known, nowNs: number): number {
  const isDelayed = (item: Known) => (item.timeoutAtNs <= nowNs ? 1 : 0);
  const byState = a.level - b.level || isDelayed(a) - isDelayed(b);
  if (byState !== 0) return byState;
  const byDelay = isDelayed(a) === 1 ? a.timeoutAtNs - b.timeoutAtNs : 0;
  return byDelay || a.request.index - b.request.index;
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
