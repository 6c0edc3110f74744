import { NereidError } from "@nereid/errors";
import type { SequencePlace } from "../request/valid-request.ts";
import type { QueuedRequest, RefusalReason } from "../scheduler/request-scheduler.ts";
import type { SequenceId } from "./control-inputs.ts";
import { EndedIds } from "./ended-ids.ts";
import { ImplicitState } from "./implicit-state.ts";
import { LinkedList } from "./linked-list.ts";
import { MinHeap } from "./min-heap.ts";
import type { SequencePolicy } from "./sequence-policy.ts";
import { newSequence, type Pending, type Sequence } from "./sequence-record.ts";
import { type Slot, SlotTable } from "./slot-table.ts";

export interface BookOptions {
  readonly policy: SequencePolicy;
  readonly modelName: string;
  /** The instances remember sequences themselves, so that none can go on elsewhere, or after a restart. */
  readonly modelKeepsState: boolean;
  readonly log: (text: string) => void;
}

/**
 * All sequences of a model version: which are live, which slots they hold, which wait, and when they end (scheduling.md §5). Every
 * method leaves it consistent before a request is refused, so that whoever is told may call back.
 */
export class SequenceBook<T extends QueuedRequest> {
  readonly slots: SlotTable<T>;
  readonly #options: BookOptions;
  readonly #requests = new Map<T, Pending<T>>();
  readonly #byId = new Map<SequenceId, Sequence<T>>();
  /** Sequences without a slot, oldest first. */
  readonly #backlog = new LinkedList<Sequence<T>>();
  /** Those of the backlog that have a time-out. */
  readonly #deadlines = new MinHeap<Sequence<T>>();
  /** Open sequences that hold a slot, the one that has got nothing for longest first. */
  readonly #idle = new LinkedList<Sequence<T>>();
  readonly #ended = new EndedIds();
  #queued = 0;
  /** No instances: the runner is not there. */
  #paused = true;
  #resumedNs = Number.NEGATIVE_INFINITY;

  constructor(options: BookOptions) {
    this.#options = options;
    this.slots = new SlotTable(options.policy.slotsPerInstance);
  }

  get queued(): number {
    return this.#queued;
  }

  get executing(): number {
    return this.#requests.size - this.#queued;
  }

  get backlogged(): number {
    return this.#backlog.size;
  }

  get live(): ReadonlyMap<SequenceId, unknown> {
    return this.#byId;
  }

  /** Things that are remembered, of all kinds; 0 when nothing waits, is executed or is live. */
  get remembered(): number {
    const lists = this.#backlog.size + this.#deadlines.size + this.#idle.size;
    return this.#requests.size + this.#byId.size + lists + this.#ended.size;
  }

  /** When time alone will change something next; Infinity where it will not. */
  get nextNs(): number {
    const oldest = this.#paused ? undefined : this.#idle.first;
    return Math.min(
      this.#deadlines.first?.heapKey ?? Number.POSITIVE_INFINITY,
      oldest === undefined ? Number.POSITIVE_INFINITY : this.#idleNs(oldest),
      this.#ended.untilNs,
    );
  }

  hasEnded(id: SequenceId): boolean {
    return this.#ended.has(id);
  }

  find(item: T): Pending<T> | undefined {
    return this.#requests.get(item);
  }

  /** Takes a request. Throws where it neither starts a sequence nor belongs to one. */
  enter(item: T, place: SequencePlace, nowNs: number): void {
    const sequence = this.#sequenceFor(place, nowNs);
    const { start, end } = place;
    const pending: Pending<T> = {
      item,
      sequence,
      start,
      end,
      sinceNs: item.enqueuedNs,
      slot: undefined,
      again: false,
      cancelled: false,
    };
    this.#requests.set(item, pending);
    sequence.queue.push(pending);
    this.#queued += 1;
    this.#touch(sequence, nowNs);
    // An iterative sequence ends with a final response instead.
    if (end && !this.#options.policy.iterative) this.#close(sequence);
    const { timeoutNs } = item.request;
    if (sequence.slot !== undefined) this.slots.refresh(sequence.slot, nowNs);
    else if (timeoutNs > 0) {
      const dueNs = nowNs + timeoutNs;
      if (sequence.heapIndex === -1 || dueNs < sequence.heapKey) this.#deadlines.set(sequence, dueNs);
    }
  }

  /** The head of a ready slot begins to be executed. */
  take(slot: Slot<T>, nowNs: number): Pending<T> {
    const { sequence } = slot;
    const pending = sequence?.queue.shift();
    if (sequence === undefined || pending === undefined) {
      throw new NereidError("INTERNAL", "a request was taken from a slot that is not ready");
    }
    this.#queued -= 1;
    pending.slot = slot;
    slot.running = pending;
    sequence.running = pending;
    sequence.executed = true;
    const instance = this.slots.instanceOf(slot);
    if (instance !== undefined) instance.running += 1;
    if (pending.start) sequence.state?.reset();
    this.slots.refresh(slot, nowNs);
    if (!sequence.open && sequence.queue.size === 0 && !this.#options.policy.iterative) this.#leave(sequence, nowNs);
    return pending;
  }

  /** The execution of a request is over. A request that is to be executed again waits again. */
  finish(item: T, nowNs: number): void {
    const pending = this.#requests.get(item);
    const slot = pending?.slot;
    if (pending === undefined || slot === undefined) return;
    const { sequence } = pending;
    pending.slot = undefined;
    slot.running = undefined;
    sequence.running = undefined;
    const instance = this.slots.instanceOf(slot);
    if (instance !== undefined) instance.running -= 1;
    this.slots.refresh(slot, nowNs);
    if (pending.again && !pending.cancelled && sequence.over === undefined) {
      Object.assign(pending, { again: false, start: false, end: false, sinceNs: nowNs });
      sequence.queue.push(pending);
      this.#queued += 1;
      this.#touch(sequence, nowNs);
    } else {
      this.#requests.delete(item);
      if (pending.again) this.#refuseAgain(pending, nowNs);
      else if (this.#options.policy.iterative && sequence.queue.size === 0) {
        this.#close(sequence);
        this.#leave(sequence, nowNs);
      }
    }
    if (sequence.slot !== undefined) this.slots.refresh(sequence.slot, nowNs);
  }

  /** The sequence is over: what waits of it is refused, what is executed is not disturbed, its slot is free. */
  end(sequence: Sequence<T>, error: NereidError, refusal: { reason: RefusalReason; nowNs: number }): void {
    this.#close(sequence);
    sequence.over ??= { error, reason: refusal.reason };
    this.#backlog.remove(sequence.waiting);
    this.#deadlines.remove(sequence);
    const refused: T[] = [];
    for (let pending = sequence.queue.shift(); pending !== undefined; pending = sequence.queue.shift()) {
      this.#requests.delete(pending.item);
      refused.push(pending.item);
    }
    this.#queued -= refused.length;
    this.#leave(sequence, refusal.nowNs);
    for (const item of refused) item.refuse(error, refusal.reason);
  }

  /** Like `end`, and the next request of the id is told why, once. */
  endLive(sequence: Sequence<T>, error: NereidError, nowNs: number): void {
    if (sequence.open) this.#ended.put(sequence.id, error, nowNs + this.#options.policy.maxIdleNs);
    this.end(sequence, error, { reason: "OTHER", nowNs });
  }

  /** No further request will belong to the sequence; those it has are executed before its slot is free. */
  forget(id: SequenceId, nowNs: number): void {
    const sequence = this.#byId.get(id);
    if (sequence !== undefined) this.#forget(sequence, nowNs);
  }

  /** Every sequence that has a slot or waits for one. */
  all(): Sequence<T>[] {
    const held = this.slots.instances.flatMap(({ slots }) =>
      slots.flatMap(({ sequence }) => (sequence === undefined ? [] : [sequence])),
    );
    return [...held, ...this.#backlog];
  }

  /** What time alone brings about: time-outs in the backlog, idle sequences. */
  expire(nowNs: number): void {
    for (let first = this.#deadlines.first; first !== undefined; first = this.#deadlines.first) {
      if (first.heapKey > nowNs) break;
      const error = new NereidError("UNAVAILABLE", "timeout of the corresponding sequence has been expired");
      this.end(first, error, { reason: "REJECTED", nowNs });
    }
    for (let first = this.#idle.first; first !== undefined && !this.#paused; first = this.#idle.first) {
      if (this.#idleNs(first) > nowNs) break;
      // A request that goes round and round is not idle, however long one round takes.
      const busy = this.#options.policy.iterative && (first.running !== undefined || first.queue.size > 0);
      if (busy) this.#touch(first, nowNs);
      else this.#forget(first, nowNs);
    }
    this.#ended.expire(nowNs);
  }

  /**
   * There are `count` instances now. None at all means that the runner is being restarted: sequences keep their slots and do not
   * become idle, for their states live here. Fewer instances than before: sequences of those that went move to free slots, or back to
   * the head of the backlog where no instance has seen them yet. The rest cannot go on: to wait for a slot in the middle of a sequence
   * could take for ever while its client holds others open. Neither can sequences that the model itself remembered.
   */
  adopt(count: number, nowNs: number): void {
    if (count === 0) {
      if (this.#paused) return;
      this.#paused = true;
      if (this.#options.modelKeepsState) {
        for (const sequence of this.all()) {
          if (sequence.executed) this.#lose(sequence, "the process that held this sequence has ended", nowNs);
        }
      }
      return;
    }
    if (this.#paused) {
      this.#paused = false;
      this.#resumedNs = nowNs;
    }
    if (count < this.slots.instances.length) this.#rehouse(this.slots.shrink(count), nowNs);
    if (count > this.slots.instances.length) this.slots.grow(count);
    while (this.#backlog.size > 0) {
      const slot = this.slots.take();
      const next = slot === undefined ? undefined : this.#backlog.shift();
      if (slot === undefined || next === undefined) break;
      this.#assign(next, slot, nowNs);
    }
  }

  #rehouse(homeless: readonly Sequence<T>[], nowNs: number): void {
    const waiting: Sequence<T>[] = [];
    for (const sequence of homeless) {
      const lost = this.#options.modelKeepsState && sequence.executed;
      const slot = lost ? undefined : this.slots.take();
      this.#idle.remove(sequence.idle);
      if (slot !== undefined) this.#assign(sequence, slot, nowNs);
      else if (!sequence.executed) waiting.push(sequence);
      else this.#lose(sequence, "the instance that held this sequence was removed", nowNs);
    }
    for (const sequence of waiting.reverse()) sequence.waiting = this.#backlog.unshift(sequence);
  }

  #lose(sequence: Sequence<T>, why: string, nowNs: number): void {
    const of = `sequence ${sequence.id} of model '${this.#options.modelName}'`;
    const error = new NereidError("UNAVAILABLE", `${of} cannot continue: ${why}; start the sequence again`);
    this.#options.log(`${of} was ended: ${why}`);
    this.endLive(sequence, error, nowNs);
  }

  #sequenceFor({ id, start }: SequencePlace, nowNs: number): Sequence<T> {
    const { policy, modelName, log } = this.#options;
    const live = this.#byId.get(id);
    if (live !== undefined) {
      if (start) log(`sequence ${id} of model '${modelName}' was started again before its END; it starts anew`);
      return live;
    }
    const error = this.#ended.take(id);
    if (!start) {
      const text = `inference request for sequence ${id} to model '${modelName}' must specify the START flag on the first request of the sequence`;
      throw error ?? new NereidError("INVALID_ARGUMENT", text);
    }
    const state = policy.states.length > 0 ? new ImplicitState(policy.states, policy.batching) : undefined;
    const sequence = newSequence<T>(id, state);
    this.#byId.set(id, sequence);
    const slot = this.slots.take();
    if (slot === undefined) sequence.waiting = this.#backlog.push(sequence);
    else this.#assign(sequence, slot, nowNs);
    return sequence;
  }

  /** Time spent in the backlog is not idleness: the clock starts with the slot. */
  #assign(sequence: Sequence<T>, slot: Slot<T>, nowNs: number): void {
    this.#deadlines.remove(sequence);
    sequence.waiting = undefined;
    sequence.slot = slot;
    slot.sequence = sequence;
    this.#touch(sequence, nowNs);
    this.slots.refresh(slot, nowNs);
  }

  #touch(sequence: Sequence<T>, nowNs: number): void {
    sequence.touchedNs = nowNs;
    this.#idle.remove(sequence.idle);
    sequence.idle = sequence.open && sequence.slot !== undefined ? this.#idle.push(sequence) : undefined;
  }

  #idleNs({ touchedNs }: Sequence<T>): number {
    return Math.max(touchedNs, this.#resumedNs) + this.#options.policy.maxIdleNs;
  }

  #close(sequence: Sequence<T>): void {
    if (!sequence.open) return;
    sequence.open = false;
    this.#byId.delete(sequence.id);
    this.#idle.remove(sequence.idle);
  }

  #forget(sequence: Sequence<T>, nowNs: number): void {
    this.#close(sequence);
    const again = this.#options.policy.iterative && sequence.running !== undefined;
    if (sequence.queue.size === 0 && !again) this.#leave(sequence, nowNs);
  }

  /** Gives the slot, if it holds one, to the oldest sequence of the backlog. */
  #leave(sequence: Sequence<T>, nowNs: number): void {
    const { slot } = sequence;
    if (slot === undefined) return;
    sequence.slot = undefined;
    slot.sequence = undefined;
    this.slots.refresh(slot, nowNs);
    const next = this.#backlog.shift();
    if (next === undefined) this.slots.give(slot);
    else this.#assign(next, slot, nowNs);
  }

  #refuseAgain({ item, sequence, cancelled }: Pending<T>, nowNs: number): void {
    const gone = { error: new NereidError("CANCELLED", ""), reason: "CANCELED" } as const;
    const { error, reason } = cancelled ? gone : (sequence.over ?? gone);
    this.end(sequence, error, { reason, nowNs });
    item.refuse(error, reason);
  }
}
