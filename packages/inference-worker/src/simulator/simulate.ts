import { NereidError } from "@nereid/errors";
import type { OverloadCode } from "../scheduler/admission.ts";
import { decideDynamic, decideSingle } from "../scheduler/decide-batch.ts";
import { TIMEOUT_TEXT } from "../scheduler/expiry.ts";
import {
  type AdmissionLimits,
  type BatchPolicy,
  NO_ADMISSION_LIMITS,
  NO_QUEUE_POLICY,
  type PriorityPolicy,
} from "../scheduler/policy.ts";
import type { BatchNotes } from "../scheduler/request-scheduler.ts";
import { Scheduler } from "../scheduler/scheduler.ts";
import type { SimulatedArrival } from "./arrivals.ts";
import { EventHeap } from "./event-heap.ts";
import { type OutcomeKind, OutcomeTable, type SimulatedOutcome } from "./outcomes.ts";
import { SimulatedInstances } from "./simulated-instances.ts";
import { SimulatedRequest } from "./simulated-request.ts";
import { type SimulationTotals, TotalsBuilder } from "./totals.ts";

/** The scheduler of the model, with the policies of its configuration. */
export type SimulatedScheduler = {
  readonly priorities?: PriorityPolicy;
  readonly admission?: AdmissionLimits;
  readonly overloadCode?: OverloadCode;
} & ({ readonly kind: "default" } | { readonly kind: "dynamic"; readonly batch: BatchPolicy });

export interface SimulatedBatch extends BatchNotes {
  readonly id: number;
  /** When the scheduler sent it; with batches sent ahead its execution may start later. */
  readonly sentNs: number;
  readonly items: readonly SimulatedRequest[];
}

export interface SimulationSetup {
  readonly scheduler: SimulatedScheduler;
  readonly instances: number;
  /** Full batches may wait at a busy instance. */
  readonly sendsAhead?: boolean;
  /** How long an execution takes; `batchSize` is the sum over the items, `restNs` how long the instance had nothing to do before. */
  readonly serviceNs: (batchSize: number, items: readonly SimulatedRequest[], restNs: number) => number;
  /** In order of time. */
  readonly arrivals: Iterable<SimulatedArrival>;
  /** Gets each outcome as it happens; the result has no table then. */
  readonly onOutcome?: (outcome: SimulatedOutcome) => void;
  /** Before the scheduler gets the request. */
  readonly onArrival?: (request: SimulatedRequest) => void;
  readonly onBatch?: (batch: SimulatedBatch) => void;
}

export interface SimulationResult {
  readonly totals: SimulationTotals;
  /** By request; empty with `onOutcome`. */
  readonly outcomes: OutcomeTable;
}

interface Running {
  readonly batch: SimulatedBatch;
  readonly batchSize: number;
}

type Event = { readonly atNs: number; readonly run: () => void };

const NO_PRIORITIES: PriorityPolicy = {
  levels: 0,
  defaultLevel: 0,
  defaultPolicy: NO_QUEUE_POLICY,
  byLevel: new Map(),
};

/**
 * Runs the real scheduler in virtual time against instances that take `serviceNs`, until nothing is left to happen. The same
 * setup gives the same result. What happens at the same moment happens in this order: ends of executions and cancellations,
 * the scheduler's alarm, arrivals.
 */
export function simulate(setup: SimulationSetup): SimulationResult {
  const simulation = new Simulation(setup);
  // Nobody waits between two steps.
  for (const _ of simulation.steps(Number.POSITIVE_INFINITY));
  return simulation.result;
}

/** A simulation that is run in steps, for those who have something else to do between them. */
export class Simulation {
  readonly #setup: SimulationSetup;
  readonly #events = new EventHeap<Event>();
  readonly #instances: SimulatedInstances<Running>;
  readonly #scheduler: Scheduler<SimulatedRequest>;
  readonly #outcomes = new OutcomeTable();
  readonly #totals = new TotalsBuilder();
  /** By instance: when its last execution ends or ended. */
  readonly #endsNs: number[] = [];
  #nowNs = 0;
  #alarmNs = Number.POSITIVE_INFINITY;
  #onAlarm: () => void = () => undefined;
  #batches = 0;
  #requests = 0;
  #isOver = false;

  constructor(setup: SimulationSetup) {
    this.#setup = setup;
    const { scheduler, instances, sendsAhead = false } = setup;
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
      target: {
        capacity: () => this.#instances.capacity,
        start: (items, notes) => this.#start(items, notes),
      },
    });
  }

  /** What came of it; complete once the steps have ended. */
  get result(): SimulationResult {
    return { totals: this.#totals.build(this.#setup.instances), outcomes: this.#outcomes };
  }

  /** Runs it; pauses after every so many arrivals. */
  *steps(arrivals: number): Generator<undefined, void> {
    for (const arrival of this.#setup.arrivals) {
      if (arrival.atNs < this.#nowNs) {
        throw new NereidError("INVALID_ARGUMENT", `arrival ${this.#requests} comes before the one before it`);
      }
      this.#passUntil(arrival.atNs);
      this.#nowNs = arrival.atNs;
      this.#arrive(arrival);
      if (this.#requests % arrivals === 0) yield undefined;
    }
    this.#passUntil(Number.POSITIVE_INFINITY);
    this.#isOver = true;
    this.#scheduler.refuseAll(new NereidError("INTERNAL", "the simulation is over"), "OTHER");
  }

  /** Lets everything happen that is due up to and including this moment. */
  #passUntil(untilNs: number): void {
    for (;;) {
      const eventNs = this.#events.nearestNs;
      const nextNs = Math.min(eventNs, this.#alarmNs);
      if (nextNs > untilNs || nextNs === Number.POSITIVE_INFINITY) return;
      this.#nowNs = Math.max(this.#nowNs, nextNs);
      if (eventNs <= this.#alarmNs) {
        this.#events.pop()?.run();
      } else {
        this.#alarmNs = Number.POSITIVE_INFINITY;
        this.#onAlarm();
      }
    }
  }

  #arrive(arrival: SimulatedArrival): void {
    const request = new SimulatedRequest(this.#requests++, arrival, this.#onRefused);
    const { cancelAtNs } = arrival;
    if (cancelAtNs !== undefined && cancelAtNs !== Number.POSITIVE_INFINITY) {
      this.#events.push({ atNs: Math.max(cancelAtNs, arrival.atNs), run: () => this.#scheduler.cancel(request) });
    }
    this.#setup.onArrival?.(request);
    try {
      this.#scheduler.enqueue(request);
    } catch (error) {
      if (!(error instanceof NereidError) || error.code === "INTERNAL") throw error;
      this.#settle(request, "refused");
    }
  }

  #start(items: readonly SimulatedRequest[], notes: BatchNotes): void {
    const batch = { id: this.#batches++, sentNs: this.#nowNs, items, ...notes };
    const batchSize = items.reduce((sum, item) => sum + Math.max(1, item.batchSize), 0);
    this.#setup.onBatch?.(batch);
    const running = { batch, batchSize };
    const instance = this.#instances.take(running);
    if (instance !== undefined) this.#execute(running, instance);
  }

  #execute(running: Running, instance: Parameters<SimulatedInstances<Running>["give"]>[0]): void {
    const { batch, batchSize } = running;
    const startNs = this.#nowNs;
    const restNs = startNs - (this.#endsNs[instance.index] ?? Number.NEGATIVE_INFINITY);
    const serviceNs = Math.max(0, this.#setup.serviceNs(batchSize, batch.items, restNs));
    this.#endsNs[instance.index] = startNs + serviceNs;
    this.#events.push({
      atNs: startNs + serviceNs,
      run: () => {
        this.#totals.batch(batchSize, serviceNs);
        for (const item of batch.items) {
          this.#settle(item, "executed", { startNs, batchId: batch.id, batchSize, instance: instance.index });
        }
        const next = this.#instances.give(instance);
        if (next !== undefined) this.#execute(next, instance);
        this.#scheduler.executed(batch.items, serviceNs);
        this.#scheduler.dispatch();
      },
    });
  }

  readonly #onRefused = (request: SimulatedRequest, error: NereidError): void => {
    if (this.#isOver) this.#settle(request, "unfinished");
    else if (error.code === "CANCELLED") this.#settle(request, "cancelled");
    else this.#settle(request, error.message === TIMEOUT_TEXT ? "expired" : "deadline");
  };

  #settle(
    { index, enqueuedNs }: SimulatedRequest,
    kind: OutcomeKind,
    { startNs, batchId, batchSize, instance } = NOT_EXECUTED,
  ): void {
    const endNs = this.#nowNs;
    const outcome = { index, kind, arrivedNs: enqueuedNs, startNs, endNs, batchId, batchSize, instance };
    this.#totals.outcome(outcome);
    if (this.#setup.onOutcome === undefined) this.#outcomes.add(outcome);
    else this.#setup.onOutcome(outcome);
  }
}

const NOT_EXECUTED = { startNs: Number.NaN, batchId: -1, batchSize: -1, instance: -1 };
