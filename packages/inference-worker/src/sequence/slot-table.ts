import { type HeapNode, MinHeap } from "./min-heap.ts";
import type { Pending, Sequence } from "./sequence-record.ts";

/** A place on an instance that holds one sequence at a time. */
export interface Slot<T> extends HeapNode {
  readonly instance: number;
  readonly index: number;
  sequence: Sequence<T> | undefined;
  /** The request of this slot that is being executed; it may belong to the sequence that held the slot before. */
  running: Pending<T> | undefined;
  /** Since when it has been ready: it holds a request, and nothing of the slot or of its sequence is being executed. */
  readySinceNs: number | undefined;
}

export interface InstanceSlots<T> {
  readonly slots: readonly Slot<T>[];
  /** Slots that are ready, in the order in which they became so. */
  ready: Slot<T>[];
  /** Requests of this instance that are being executed. */
  running: number;
}

const MOST_INSTANCES = 2 ** 20;

/** The slots of all instances. Free slots are given lowest number first, and of equal numbers that of the lowest instance. */
export class SlotTable<T> {
  readonly #perInstance: number;
  readonly #free = new MinHeap<Slot<T>>();
  #instances: InstanceSlots<T>[] = [];

  constructor(perInstance: number) {
    this.#perInstance = perInstance;
  }

  get instances(): readonly InstanceSlots<T>[] {
    return this.#instances;
  }

  get total(): number {
    return this.#instances.length * this.#perInstance;
  }

  get inUse(): number {
    return this.total - this.#free.size;
  }

  /** Instances appear at the end. */
  grow(count: number): void {
    for (let instance = this.#instances.length; instance < count; instance++) {
      const slots = Array.from(
        { length: this.#perInstance },
        (_, index): Slot<T> => ({
          instance,
          index,
          sequence: undefined,
          running: undefined,
          readySinceNs: undefined,
          heapKey: 0,
          heapIndex: -1,
        }),
      );
      this.#instances.push({ slots, ready: [], running: 0 });
      for (const slot of slots) this.give(slot);
    }
  }

  /** Instances go from the end. Returns the sequences that held their slots, which hold none any more. */
  shrink(count: number): Sequence<T>[] {
    const gone = this.#instances.splice(count);
    return gone.flatMap(({ slots }) =>
      slots.flatMap((slot) => {
        this.#free.remove(slot);
        const { sequence } = slot;
        slot.sequence = undefined;
        slot.readySinceNs = undefined;
        if (sequence === undefined) return [];
        sequence.slot = undefined;
        return [sequence];
      }),
    );
  }

  take(): Slot<T> | undefined {
    return this.#free.shift();
  }

  /** Harmless for a slot of an instance that has gone. */
  give(slot: Slot<T>): void {
    if (!this.#has(slot)) return;
    this.#free.set(slot, slot.index * MOST_INSTANCES + slot.instance);
  }

  /** The instance of the slot, unless it has gone. */
  instanceOf(slot: Slot<T>): InstanceSlots<T> | undefined {
    return this.#has(slot) ? this.#instances[slot.instance] : undefined;
  }

  /** To be called after every change that may make the slot ready, or not ready any more. */
  refresh(slot: Slot<T>, nowNs: number): void {
    const instance = this.instanceOf(slot);
    if (instance === undefined) return;
    const { sequence } = slot;
    const ready =
      sequence !== undefined && sequence.queue.size > 0 && slot.running === undefined && sequence.running === undefined;
    if (ready === (slot.readySinceNs !== undefined)) return;
    slot.readySinceNs = ready ? nowNs : undefined;
    if (ready) instance.ready.push(slot);
    else instance.ready = instance.ready.filter((other) => other !== slot);
  }

  #has(slot: Slot<T>): boolean {
    // After a shrink another instance may have the number.
    return this.#instances[slot.instance]?.slots[slot.index] === slot;
  }
}
