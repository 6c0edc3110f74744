import { NereidError } from "@nereid/errors";
import { decideDynamic, decideSingle } from "../scheduler/decide-batch.ts";
import { NO_ADMISSION_LIMITS, NO_QUEUE_POLICY } from "../scheduler/policy.ts";
import { Scheduler } from "../scheduler/scheduler.ts";
import type { SimulatedArrival } from "./arrivals.ts";
import { EventHeap } from "./event-heap.ts";
import type { LoadOutcome, LoadSetup } from "./load-setup.ts";
import { Processors, SimulatedThread } from "./processors.ts";
import { type Random, seededRandom } from "./random.ts";
import { SimulatedInstances } from "./simulated-instances.ts";
import { SimulatedRequest } from "./simulated-request.ts";

const NO_PRIORITIES = { levels: 0, defaultLevel: 0, defaultPolicy: NO_QUEUE_POLICY, byLevel: new Map() };
/** Far more requests wait than can be served: the rest would tell nothing new. */
const MOST_WAITING = 20_000;
const NS_PER_S = 1e9;

/**
 * The way of requests from a client through the server's thread, the real scheduler and the instances, on processors that all of them
 * share. A closed loop sends the next request when one is answered. The same setup gives the same outcome. INVALID_ARGUMENT for a load of
 * nothing.
 */
export function simulateLoad(setup: LoadSetup): LoadOutcome {
  if (setup.requests < 1 || (setup.load.kind === "closed" && setup.load.concurrency < 1))
    throw new NereidError("INVALID_ARGUMENT", "a load needs at least one request");
  return new LoadSimulation(setup).run();
}

interface Batch {
  readonly items: readonly SimulatedRequest[];
  readonly size: number;
}

type Event = { readonly atNs: number; readonly run: () => void };

class LoadSimulation {
  readonly #setup: LoadSetup;
  readonly #random: Random;
  readonly #processors: Processors;
  readonly #device = new Processors(1);
  readonly #client: SimulatedThread;
  readonly #server: SimulatedThread;
  readonly #instances: SimulatedInstances<Batch>;
  readonly #scheduler: Scheduler<SimulatedRequest>;
  readonly #events = new EventHeap<Event>();
  readonly #dueNs = new Map<number, number>();
  readonly #latencies: number[] = [];
  #nowNs = 0;
  #alarmNs = Number.POSITIVE_INFINITY;
  #onAlarm: () => void = () => undefined;
  #sent = 0;
  #ended = 0;
  #refused = 0;
  #executions = 0;
  #items = 0;
  #fromNs = 0;
  #fromBusyNs = 0;

  constructor(setup: LoadSetup) {
    this.#setup = setup;
    const { scheduler, instances, sendsAhead, processors } = setup;
    this.#random = seededRandom(setup.seed);
    this.#processors = new Processors(processors);
    this.#client = new SimulatedThread(this.#processors, () => this.#nowNs);
    this.#server = new SimulatedThread(this.#processors, () => this.#nowNs);
    this.#instances = new SimulatedInstances(instances, { sendsAhead });
    this.#scheduler = new Scheduler<SimulatedRequest>({
      decide: scheduler.kind === "dynamic" ? decideDynamic(scheduler.batch) : decideSingle,
      priorities: scheduler.priorities ?? NO_PRIORITIES,
      admission: scheduler.admission ?? NO_ADMISSION_LIMITS,
      overloadCode: scheduler.overloadCode ?? "UNAVAILABLE",
      clock: { nowNs: () => this.#nowNs, wallMs: () => this.#nowNs / 1e6 },
      createAlarm: (_clock, onDue) => {
        this.#onAlarm = onDue;
        const set = (dueNs: number) => {
          this.#alarmNs = dueNs;
        };
        return { arm: set, cancel: () => set(Number.POSITIVE_INFINITY) };
      },
      instances: () => instances,
      target: { capacity: () => this.#instances.capacity, start: (items) => this.#start(items) },
    });
  }

  run(): LoadOutcome {
    const { load } = this.#setup;
    if (load.kind === "closed") for (let one = 0; one < load.concurrency; one++) this.#send(0);
    else this.#sendWhenDue(load.atNs[Symbol.iterator]());
    while (this.#latencies.length < this.#setup.requests && this.#step());
    const spanNs = Math.max(1, this.#nowNs - this.#fromNs);
    return {
      throughput: (this.#latencies.length * Math.max(1, this.#setup.requestBatch) * NS_PER_S) / spanNs,
      latenciesNs: Float64Array.from(this.#latencies).sort(),
      meanBatch: this.#executions === 0 ? Number.NaN : this.#items / this.#executions,
      busy: Math.min(1, (this.#processors.busyNs - this.#fromBusyNs) / (spanNs * this.#setup.processors)),
      refused: this.#refused,
    };
  }

  /** Lets the next thing happen; false when there is nothing left. */
  #step(): boolean {
    const nextNs = Math.min(this.#events.nearestNs, this.#alarmNs, this.#processors.nearestNs, this.#device.nearestNs);
    if (nextNs === Number.POSITIVE_INFINITY) return false;
    this.#nowNs = Math.max(this.#nowNs, nextNs);
    if (this.#processors.endNext(this.#nowNs) || this.#device.endNext(this.#nowNs)) return true;
    if (this.#events.nearestNs <= this.#nowNs) this.#events.pop()?.run();
    else if (this.#alarmNs <= this.#nowNs) {
      this.#alarmNs = Number.POSITIVE_INFINITY;
      this.#onAlarm();
    }
    return true;
  }

  #sendWhenDue(times: Iterator<number>): void {
    const next = times.next();
    if (next.done === true || this.#sent - this.#ended > MOST_WAITING) return;
    this.#events.push({
      atNs: next.value,
      run: () => {
        this.#client.later(this.#setup.costs.clientNs / 2, () => undefined);
        this.#send(next.value);
        this.#sendWhenDue(times);
      },
    });
  }

  #send(dueNs: number): void {
    const index = this.#sent++;
    this.#dueNs.set(index, dueNs);
    const { transitNs, frontInNs } = this.#setup.costs;
    const arrive = () => this.#server.later(frontInNs, () => this.#enqueue(index));
    if (transitNs > 0) this.#events.push({ atNs: this.#nowNs + transitNs, run: arrive });
    else arrive();
  }

  #enqueue(index: number): void {
    const arrival: SimulatedArrival = { ...PLAIN_ARRIVAL, atNs: this.#nowNs, batchSize: this.#setup.requestBatch };
    const request = new SimulatedRequest(index, arrival, this.#onRefused);
    try {
      this.#scheduler.enqueue(request);
    } catch (error) {
      if (!(error instanceof NereidError) || error.code === "INTERNAL") throw error;
      this.#onRefused(request);
    }
  }

  #start(items: readonly SimulatedRequest[]): void {
    const size = items.reduce((sum, item) => sum + Math.max(1, item.batchSize), 0);
    const batch = { items, size };
    this.#executions += 1;
    this.#items += size;
    const instance = this.#instances.take(batch);
    // What it takes to hand over the batch is done before the thread does anything else.
    this.#server.next(this.#setup.costs.batchNs(size) / 2, () => {
      if (instance !== undefined) this.#execute(batch, instance);
    });
  }

  #execute(batch: Batch, instance: Parameters<SimulatedInstances<Batch>["give"]>[0]): void {
    const { costs } = this.#setup;
    const ns = costs.executeNs(batch.size, this.#random);
    const startNs = this.#nowNs;
    const on = costs.onDevice ? this.#device : this.#processors;
    const onDone = () => {
      // What was sent ahead begins at once; else the instance has nothing until the server has heard of the end.
      const goesOn = instance.ahead !== undefined;
      const giveBack = () => {
        const next = this.#instances.give(instance);
        if (next !== undefined) this.#execute(next, instance);
      };
      if (goesOn) giveBack();
      this.#server.later(costs.batchNs(batch.size) / 2, () => {
        if (!goesOn) giveBack();
        this.#scheduler.executed(batch.items, this.#nowNs - startNs);
        this.#scheduler.dispatch();
        for (const item of batch.items) this.#server.later(costs.frontOutNs, () => this.#answer(item));
      });
    };
    on.begin(this.#nowNs, { ns, threads: costs.onDevice ? 1 : costs.threads, onDone });
  }

  #answer({ index }: SimulatedRequest): void {
    this.#client.later(this.#setup.costs.clientNs / (this.#setup.load.kind === "closed" ? 1 : 2), () => {
      this.#end(index, true);
    });
  }

  readonly #onRefused = ({ index }: SimulatedRequest) => {
    this.#refused += 1;
    this.#end(index, false);
  };

  #end(index: number, ok: boolean): void {
    const dueNs = this.#dueNs.get(index) ?? this.#nowNs;
    this.#dueNs.delete(index);
    this.#ended += 1;
    if (this.#ended > this.#setup.warmUp && ok) this.#latencies.push(this.#nowNs - dueNs);
    if (this.#ended === this.#setup.warmUp) {
      this.#fromNs = this.#nowNs;
      this.#fromBusyNs = this.#processors.busyNs;
      this.#executions = 0;
      this.#items = 0;
    }
    if (this.#setup.load.kind === "closed") this.#send(this.#nowNs);
  }
}

const PLAIN_ARRIVAL: SimulatedArrival = {
  atNs: 0,
  batchSize: 1,
  shapeKey: "",
  priority: 0,
  timeoutNs: 0,
  deadlineNs: Number.POSITIVE_INFINITY,
  byteLength: 0,
  cost: 1,
};
