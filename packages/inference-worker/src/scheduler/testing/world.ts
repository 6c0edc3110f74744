import type { NereidError } from "@nereid/errors";
import type { ValidRequest } from "../../request/valid-request.ts";
import type { AlarmFactory } from "../../time/alarm.ts";
import type { OverloadCode } from "../admission.ts";
import { decideDynamic } from "../decide-batch.ts";
import { type AdmissionLimits, NO_ADMISSION_LIMITS, NO_QUEUE_POLICY, type PriorityPolicy } from "../policy.ts";
import type { BatchNotes, QueuedRequest, QueuePlace, RefusalReason } from "../request-scheduler.ts";
import { Scheduler } from "../scheduler.ts";

export const MS = 1e6;

export interface Item extends QueuedRequest {
  readonly id: number;
  place?: QueuePlace | undefined;
}

export interface ItemDetails {
  readonly batchSize?: number;
  readonly shapeKey?: string;
  readonly priority?: number;
  readonly timeoutNs?: number;
  readonly deadlineNs?: number;
  readonly byteLength?: number;
  readonly cost?: number;
}

export interface WorldOptions {
  readonly maxBatchSize?: number;
  readonly delayNs?: number;
  readonly priorities?: Partial<PriorityPolicy>;
  readonly admission?: Partial<AdmissionLimits>;
  readonly overloadCode?: OverloadCode;
  /** Undefined = the virtual alarm. */
  readonly createAlarm?: AlarmFactory;
}

/** A scheduler with a virtual clock and instances that do nothing until they are told to finish. */
export class World {
  nowNs = 0;
  freeInstances = 1;
  /** A busy instance would take one batch ahead. */
  ahead = false;
  readonly batches: number[][] = [];
  readonly notes: BatchNotes[] = [];
  readonly refused = new Map<number, { error: NereidError; reason: RefusalReason; atNs: number }>();
  readonly scheduler: Scheduler<Item>;
  readonly #running: (readonly Item[])[] = [];
  #next = 0;
  #alarmNs = Number.POSITIVE_INFINITY;
  #onAlarm: () => void = () => undefined;

  constructor(options: WorldOptions = {}) {
    const { maxBatchSize = 4, delayNs = 0 } = options;
    const virtual: AlarmFactory = (_clock, onDue) => {
      this.#onAlarm = onDue;
      const set = (dueNs: number) => {
        this.#alarmNs = dueNs;
      };
      return { arm: set, cancel: () => set(Number.POSITIVE_INFINITY) };
    };
    this.scheduler = new Scheduler<Item>({
      decide: decideDynamic({ maxBatchSize, preferredBatchSizes: [maxBatchSize], maxQueueDelayNs: delayNs }),
      priorities: {
        levels: 0,
        defaultLevel: 0,
        defaultPolicy: NO_QUEUE_POLICY,
        byLevel: new Map(),
        ...options.priorities,
      },
      admission: { ...NO_ADMISSION_LIMITS, ...options.admission },
      overloadCode: options.overloadCode ?? "UNAVAILABLE",
      clock: { nowNs: () => this.nowNs, wallMs: () => this.nowNs / MS },
      createAlarm: options.createAlarm ?? virtual,
      instances: () => 1,
      target: {
        capacity: () => (this.freeInstances > 0 ? "idle" : this.ahead ? "ahead" : "none"),
        start: (batch, notes) => {
          this.freeInstances -= 1;
          this.batches.push(batch.map(({ id }) => id));
          this.notes.push(notes);
          this.#running.push(batch);
        },
      },
    });
  }

  /** Number of the request that comes next. */
  get nextId(): number {
    return this.#next;
  }

  item(details: ItemDetails = {}): Item {
    const id = this.#next++;
    const { batchSize = 1, shapeKey = "", priority = 0, timeoutNs = 0, byteLength = 0, cost = 1 } = details;
    const request: ValidRequest = {
      id: "r",
      batchSize,
      inputs: [],
      outputs: [],
      shapeKey,
      timeoutNs,
      byteLength,
      priority,
      sequence: undefined,
      parameters: new Map(),
      deadlineNs: details.deadlineNs ?? Number.POSITIVE_INFINITY,
    };
    return {
      id,
      request,
      batchSize,
      shapeKey,
      enqueuedNs: this.nowNs,
      cost,
      refuse: (error, reason) => {
        if (this.refused.has(id)) throw new Error(`request ${id} was refused twice`);
        this.refused.set(id, { error, reason, atNs: this.nowNs });
      },
    };
  }

  enqueue(details: ItemDetails = {}): Item {
    const item = this.item(details);
    this.scheduler.enqueue(item);
    return item;
  }

  /** The longest running batch is done after `executionNs`. */
  finishOne(executionNs = Number.NaN): void {
    const batch = this.#running.shift() ?? [];
    this.freeInstances += 1;
    this.scheduler.executed(batch, executionNs);
    this.scheduler.dispatch();
  }

  /** Time goes by; the alarm rings at its moment. */
  pass(ns: number): void {
    const untilNs = this.nowNs + ns;
    while (this.#alarmNs <= untilNs) {
      this.nowNs = Math.max(this.nowNs, this.#alarmNs);
      this.#alarmNs = Number.POSITIVE_INFINITY;
      this.#onAlarm();
    }
    this.nowNs = untilNs;
  }
}
