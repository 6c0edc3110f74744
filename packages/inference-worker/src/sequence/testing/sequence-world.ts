import type { NereidError } from "@nereid/errors";
import type { OutputTensor } from "@nereid/protocol";
import type { TensorSpec } from "../../models/model-spec.ts";
import type { SequencePlace, ValidRequest } from "../../request/valid-request.ts";
import type { BatchNotes, QueuedRequest } from "../../scheduler/request-scheduler.ts";
import type { SequencePolicy } from "../sequence-policy.ts";
import { SequenceScheduler, type SlotEntry } from "../sequence-scheduler.ts";

export const MS = 1e6;
/** Idle time of the policies made here. */
export const IDLE = 1000 * MS;

export interface Item extends QueuedRequest {
  readonly serial: number;
}

export interface Execution {
  readonly instance: number;
  readonly entries: readonly SlotEntry<Item>[];
  readonly notes: BatchNotes;
}

export interface WorldOptions {
  readonly policy?: Partial<SequencePolicy>;
  readonly instances?: number;
  readonly modelKeepsState?: boolean;
}

/** `7s`: START of sequence 7; `e` is END; `7` is neither; `a:s` a sequence with the text id a. */
export function placeOf(text: string): SequencePlace {
  const [, number, name, flags = ""] = /^(?:(\d+)|(\w+):)([se]*)$/.exec(text) ?? [];
  const id = number === undefined ? (name ?? "") : BigInt(number);
  return { id, start: flags.includes("s"), end: flags.includes("e") };
}

export function requestOf(fields: Partial<ValidRequest> = {}): ValidRequest {
  return {
    id: "",
    batchSize: 1,
    inputs: [],
    outputs: [],
    shapeKey: "",
    timeoutNs: 0,
    byteLength: 0,
    priority: 0,
    sequence: undefined,
    parameters: new Map(),
    deadlineNs: Number.POSITIVE_INFINITY,
    ...fields,
  };
}

export function tensorOf(name: string, datatype: TensorSpec["datatype"], dims: readonly number[]): TensorSpec {
  return { name, datatype, dims, modelDims: dims, variable: dims.includes(-1), optional: false, labels: [] };
}

export function policyOf(fields: Partial<SequencePolicy> = {}): SequencePolicy {
  return {
    strategy: { kind: "direct", maxQueueDelayNs: 0, minimumSlotUtilization: 0 },
    batching: true,
    slotsPerInstance: 2,
    maxIdleNs: IDLE,
    iterative: false,
    controls: [],
    states: [],
    ...fields,
  };
}

/** A scheduler with instances whose executions last until `finish`, in a time that passes when told so. */
export class SequenceWorld {
  nowNs = 0;
  instances: number;
  readonly policy: SequencePolicy;
  readonly scheduler: SequenceScheduler<Item>;
  readonly running = new Map<number, Execution>();
  readonly executions: Execution[] = [];
  readonly refused = new Map<number, { readonly error: NereidError; readonly reason: string }>();
  readonly logs: string[] = [];
  /** Called for every execution and every refusal. */
  onStart: (execution: Execution) => void = () => {};
  onRefuse: (item: Item) => void = () => {};
  #dueNs = Number.POSITIVE_INFINITY;
  #onDue: () => void = () => {};
  #serial = 0;

  constructor(options: WorldOptions = {}) {
    this.instances = options.instances ?? 1;
    this.policy = policyOf(options.policy);
    const world = this;
    this.scheduler = new SequenceScheduler<Item>({
      policy: this.policy,
      modelName: "m",
      modelKeepsState: options.modelKeepsState ?? false,
      clock: { nowNs: () => this.nowNs, wallMs: () => this.nowNs / MS },
      createAlarm: (_clock, onDue) => {
        this.#onDue = onDue;
        return {
          arm: (dueNs) => {
            this.#dueNs = dueNs;
          },
          cancel: () => {
            this.#dueNs = Number.POSITIVE_INFINITY;
          },
        };
      },
      target: {
        get instances() {
          return world.instances;
        },
        idle: (instance) => !this.running.has(instance),
        start: (instance, entries, notes) => {
          const execution = { instance, entries, notes };
          this.running.set(instance, execution);
          this.executions.push(execution);
          this.onStart(execution);
        },
      },
      log: (text) => this.logs.push(text),
    });
    this.scheduler.dispatch();
  }

  /** What was executed, batch by batch: serials of the requests, `-` for null requests. */
  get batches(): string[] {
    return this.executions.map(({ entries }) =>
      entries.map((entry) => (entry.kind === "null" ? "-" : String(entry.item.serial))).join(" "),
    );
  }

  item(place: string | undefined, fields: Partial<ValidRequest> = {}): Item {
    const serial = this.#serial++;
    const request = requestOf({ ...(place === undefined ? {} : { sequence: placeOf(place) }), ...fields });
    const item: Item = {
      serial,
      request,
      batchSize: 1,
      shapeKey: request.shapeKey,
      enqueuedNs: this.nowNs,
      cost: 1,
      refuse: (error, reason) => {
        if (this.refused.has(serial)) throw new Error(`request ${serial} was refused twice`);
        this.refused.set(serial, { error, reason });
        this.onRefuse(item);
      },
    };
    return item;
  }

  enqueue(place: string | undefined, fields: Partial<ValidRequest> = {}): Item {
    const item = this.item(place, fields);
    this.scheduler.enqueue(item);
    return item;
  }

  /** The execution of an instance ends. Each request gives the outputs that `outputs` says, or fails. */
  finish(instance = 0, outputs: (item: Item) => readonly OutputTensor[] | undefined = () => []): void {
    const execution = this.running.get(instance);
    if (execution === undefined) throw new Error(`instance ${instance} executes nothing`);
    const items = execution.entries.flatMap((entry) => (entry.kind === "request" ? [entry.item] : []));
    for (const item of items) this.scheduler.settle(item, outputs(item));
    this.scheduler.executed(items);
    this.running.delete(instance);
    this.scheduler.dispatch();
  }

  /** Ends executions until nothing is being executed. */
  finishAll(): void {
    for (const [instance] of this.running) {
      this.finish(instance);
      this.finishAll();
      return;
    }
  }

  resize(instances: number): void {
    this.instances = instances;
    this.scheduler.dispatch();
  }

  /** Time passes, with the alarms in it. */
  pass(ns: number): void {
    const end = this.nowNs + ns;
    while (this.#dueNs <= end) {
      this.nowNs = Math.max(this.nowNs, this.#dueNs);
      this.#dueNs = Number.POSITIVE_INFINITY;
      this.#onDue();
    }
    this.nowNs = end;
  }
}
