import { NereidError } from "@nereid/errors";
import type { OutputTensor } from "@nereid/protocol";
import type { SequencePlace, ValidRequest } from "../request/valid-request.ts";
import type { QueuedRequest, RefusalReason, RequestScheduler } from "../scheduler/request-scheduler.ts";
import { stoppedError } from "../scheduler/stopped-error.ts";
import { type Alarm, type AlarmFactory, preciseAlarm } from "../time/alarm.ts";
import type { Clock } from "../time/clock.ts";
import { checkSequenceRequest, hasSequenceId } from "./check-sequence-request.ts";
import { type ChooseEntries, chooseEntries } from "./choose-entries.ts";
import type { SequenceId } from "./control-inputs.ts";
import { SequenceBook } from "./sequence-book.ts";
import type { SequencePolicy } from "./sequence-policy.ts";
import type { SequenceTarget, SequenceTurn, SlotEntry } from "./sequence-turn.ts";
import type { Slot } from "./slot-table.ts";

export { augment, stripStates } from "./augment.ts";
export type { SequenceTarget, SequenceTurn, SlotEntry } from "./sequence-turn.ts";

export interface SequenceSchedulerOptions<T> {
  readonly policy: SequencePolicy;
  readonly modelName: string;
  /** Instances of the backend may remember sequences themselves: those end with the process. False by default. */
  readonly modelKeepsState?: boolean;
  readonly clock: Clock;
  readonly createAlarm?: AlarmFactory;
  readonly target: SequenceTarget<T>;
  readonly log: (text: string) => void;
}

export interface SequenceOccupancy {
  /** Ids whose next request belongs to a sequence already begun. */
  readonly liveSequences: number;
  /** Sequences without a slot. */
  readonly backlogSequences: number;
  readonly slots: number;
  readonly slotsInUse: number;
  readonly queued: number;
  readonly executing: number;
}

/** Ids made by the server lie above those that clients are likely to count up to. */
const FIRST_MADE_ID = 1n << 63n;

/**
 * The sequence batcher (scheduling.md §5). Requests of one id are executed one at a time, in order, on the slot their sequence holds;
 * sequences without a slot wait in a backlog.
 *
 * After an execution call `settle` for each of its requests that gave outputs, then `executed` with all of them, then
 * `dispatch` once the instance is idle.
 */
export class SequenceScheduler<T extends QueuedRequest> implements RequestScheduler<T> {
  readonly #options: SequenceSchedulerOptions<T>;
  readonly #book: SequenceBook<T>;
  readonly #choose: ChooseEntries<T>;
  readonly #alarm: Alarm;
  #alarmNs = Number.POSITIVE_INFINITY;
  #alarmForBatch = false;
  #nextMadeId = FIRST_MADE_ID;
  #stopped = false;
  #busy = false;
  #changed = false;

  constructor(options: SequenceSchedulerOptions<T>) {
    this.#options = options;
    const { policy, modelName, modelKeepsState = false, log, createAlarm = preciseAlarm } = options;
    this.#book = new SequenceBook({ policy, modelName, modelKeepsState, log });
    this.#choose = chooseEntries(policy);
    this.#alarm = createAlarm(options.clock, () => {
      this.#alarmNs = Number.POSITIVE_INFINITY;
      this.dispatch();
    });
  }

  get queued(): number {
    return this.#book.queued;
  }

  /** Live sequences; a version whose number is 0, with nothing queued or executing, is drained. */
  get liveSequences(): number {
    return this.#book.live.size;
  }

  get liveIds(): SequenceId[] {
    return [...this.#book.live.keys()];
  }

  get occupancy(): SequenceOccupancy {
    const { live, backlogged, slots, queued, executing } = this.#book;
    return {
      liveSequences: live.size,
      backlogSequences: backlogged,
      slots: slots.total,
      slotsInUse: slots.inUse,
      queued,
      executing,
    };
  }

  /** Whether this scheduler remembers anything; for tests of leaks. */
  get remembered(): number {
    return this.#book.remembered;
  }

  /** Whether the next request of the id, without START, belongs here: to a live sequence, or to be told why it was ended. */
  has(id: SequenceId): boolean {
    return this.#book.live.has(id) || this.#book.hasEnded(id);
  }

  /**
   * Takes the request and returns how many waited before it. Throws INVALID_ARGUMENT where it does not fit a sequence, UNAVAILABLE
   * where it would start one after `stopAccepting`.
   */
  enqueue(item: T): number {
    return this.#change((nowNs) => {
      const { policy, modelName } = this.#options;
      checkSequenceRequest(item.request, policy, modelName);
      const place = this.#placeOf(item.request);
      if (this.#stopped && place.start) throw stoppedError();
      const before = this.#book.queued;
      this.#book.enter(item, place, nowNs);
      return before;
    });
  }

  /** Drops everything that waits of the request's sequence, and ends the sequence. What is being executed is not disturbed. */
  cancel(item: T): void {
    this.#change((nowNs) => {
      const pending = this.#book.find(item);
      if (pending === undefined) return;
      if (pending.slot !== undefined) pending.cancelled = true;
      else this.#book.end(pending.sequence, new NereidError("CANCELLED", ""), { reason: "CANCELED", nowNs });
    });
  }

  dispatch(): void {
    this.#change(() => undefined);
  }

  /** The outputs of one request of an execution, hidden states included; undefined where it failed, which leaves the state as it was. */
  settle(item: T, outputs: readonly OutputTensor[] | undefined): void {
    const pending = this.#book.find(item);
    if (pending?.slot !== undefined && outputs !== undefined) pending.sequence.state?.update(outputs);
  }

  /** The request, which is being executed, is to be executed once more: it waits at the end of its slot's queue, without START. */
  reschedule(item: T): void {
    const pending = this.#book.find(item);
    if (!this.#options.policy.iterative || pending?.slot === undefined) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `a request of model '${this.#options.modelName}' cannot be rescheduled: it is not one of an iterative sequence that is being executed`,
        { fix: "set sequence_batching.iterative_sequence to true" },
      );
    }
    pending.again = true;
  }

  executed(items: readonly T[]): void {
    this.#change((nowNs) => {
      for (const item of items) this.#book.finish(item, nowNs);
    });
  }

  /** Refuses requests that start a sequence; live sequences go on. */
  stopAccepting(): void {
    this.#stopped = true;
  }

  /** Refuses everything that waits, which ends the sequences that lose a request. */
  refuseAll(error: NereidError, reason: RefusalReason): void {
    this.#change((nowNs) => {
      for (const sequence of this.#book.all()) {
        if (sequence.queue.size > 0) this.#book.end(sequence, error, { reason, nowNs });
      }
    });
  }

  /** Ends all sequences: what waits is refused, and the next request of each live id is told the error, once. */
  endAll(error: NereidError): void {
    this.#change((nowNs) => {
      for (const sequence of this.#book.all()) this.#book.endLive(sequence, error, nowNs);
    });
  }

  /** The id is used elsewhere from now on: what waits is executed, then the slot is free. */
  release(id: SequenceId): void {
    this.#change((nowNs) => this.#book.forget(id, nowNs));
  }

  #placeOf(request: ValidRequest): SequencePlace {
    if (request.sequence !== undefined && hasSequenceId(request)) return request.sequence;
    const corrid = this.#options.policy.controls.find(({ kind }) => kind === "corrid");
    const made = this.#nextMadeId++;
    return { id: corrid?.tensor.datatype === "BYTES" ? `iterative-${made}` : made, start: true, end: false };
  }

  /** Every change goes through here: it sees the present, and is followed by whatever it made possible. */
  #change<R>(action: (nowNs: number) => R): R {
    const { clock, target } = this.#options;
    const nowNs = clock.nowNs();
    if (this.#busy) {
      this.#changed = true;
      return action(nowNs);
    }
    this.#busy = true;
    try {
      this.#book.adopt(target.instances, nowNs);
      this.#book.expire(nowNs);
      return action(nowNs);
    } finally {
      let wakeNs: number;
      do {
        this.#changed = false;
        wakeNs = this.#startAll();
      } while (this.#changed);
      this.#busy = false;
      this.#arm(wakeNs, this.#book.nextNs);
    }
  }

  /**
   * An alarm that comes too early does no harm and finds the right moment: idle times, which move with every request, are not armed
   * anew each time.
   */
  #arm(batchNs: number, otherNs: number): void {
    const nextNs = Math.min(batchNs, otherNs);
    if (nextNs === Number.POSITIVE_INFINITY) this.#alarm.cancel();
    else if (nextNs < this.#alarmNs || this.#alarmForBatch) this.#alarm.arm(nextNs);
    else return;
    this.#alarmNs = nextNs;
    this.#alarmForBatch = batchNs <= otherNs;
  }

  /** Starts what can be started; returns when waiting for larger batches ends. */
  #startAll(): number {
    const { target } = this.#options;
    let wakeNs = Number.POSITIVE_INFINITY;
    const count = Math.min(this.#book.slots.instances.length, target.instances);
    for (let instance = 0; instance < count; instance++) wakeNs = Math.min(wakeNs, this.#startOn(instance));
    return wakeNs;
  }

  #startOn(instance: number): number {
    const { clock, target } = this.#options;
    for (;;) {
      const place = this.#book.slots.instances[instance];
      if (place === undefined || place.ready.length === 0 || place.running > 0 || !target.idle(instance)) break;
      const nowNs = clock.nowNs();
      const choice = this.#choose(place.ready, nowNs);
      if (choice.action === "none") break;
      if (choice.action === "wait") return choice.untilNs;
      const entries = this.#entriesOf(choice.places, nowNs);
      target.start(instance, entries, { reason: choice.reason, leftWaiting: this.#book.queued });
    }
    return Number.POSITIVE_INFINITY;
  }

  #entriesOf(places: readonly (Slot<T> | undefined)[], nowNs: number): readonly SlotEntry<T>[] {
    const model = places.find((slot) => slot !== undefined)?.sequence?.state;
    return places.map((slot, index): SlotEntry<T> => {
      if (slot === undefined) {
        return { kind: "null", place: { slot: index, id: 0n, start: false, end: false, ready: false, state: model } };
      }
      const { item, start, end, sequence } = this.#book.take(slot, nowNs);
      const place: SequenceTurn = { slot: slot.index, id: sequence.id, start, end, ready: true, state: sequence.state };
      return { kind: "request", item, place };
    });
  }
}
