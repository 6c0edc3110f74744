import { NereidError } from "@nereid/errors";
import type { SequencePolicy } from "../sequence-policy.ts";
import type { Execution, Item, SequenceWorld } from "./sequence-world.ts";

/** One sequence as its client sees it: from START until END, or until it was ended otherwise. */
interface Life {
  readonly id: bigint;
  /** Requests accepted and not answered, in order. */
  readonly waiting: Item[];
  running: Item | undefined;
  /** The state its next request must see; undefined at the start. */
  state: number | undefined;
  slot: string | undefined;
}

const BYTES = 4;

/**
 * Watches a world from outside and knows what must hold: every request is answered once, in the order of its sequence, one at a
 * time, on one slot that no other sequence uses meanwhile, and sees the state the request before it left. States are one INT32
 * that starts with 0.
 */
export class SequenceCheck {
  readonly #world: SequenceWorld;
  readonly #policy: SequencePolicy;
  readonly #lives = new Map<bigint, Life>();
  readonly #lifeOf = new Map<Item, Life>();
  readonly #holders = new Map<string, Life>();
  accepted = 0;
  answered = 0;

  constructor(world: SequenceWorld) {
    this.#world = world;
    this.#policy = world.policy;
    world.onStart = (execution) => this.#started(execution);
    world.onRefuse = (item) => this.#refused(item);
  }

  /** Offers a request; returns whether it was accepted. */
  enqueue(item: Item): boolean {
    const { sequence } = item.request;
    if (sequence === undefined || typeof sequence.id !== "bigint") throw new Error("needs a number as id");
    const { id, start } = sequence;
    // Execution may begin, and refusals may come, before `enqueue` returns.
    const before = this.#lives.get(id);
    const known = this.#world.scheduler.liveIds.includes(id) ? before : undefined;
    const life = known ?? { id, waiting: [], running: undefined, state: undefined, slot: undefined };
    life.waiting.push(item);
    this.#lifeOf.set(item, life);
    this.#lives.set(id, life);
    try {
      this.#world.scheduler.enqueue(item);
    } catch (error) {
      // Whatever this class finds wrong meanwhile comes this way too.
      if (!(error instanceof NereidError)) throw error;
      must(!start, `a request that starts a sequence was refused: ${error.message}`);
      life.waiting.pop();
      this.#lifeOf.delete(item);
      if (before !== undefined) this.#lives.set(id, before);
      return false;
    }
    this.accepted += 1;
    return true;
  }

  /** To be told before instances go: their sequences may continue on other slots. */
  removing(count: number): void {
    for (const [slot, life] of this.#holders) {
      if (Number.parseInt(slot, 10) < count) continue;
      this.#holders.delete(slot);
      if (life.slot === slot) life.slot = undefined;
    }
  }

  /** An execution ends: requests with a produced value succeed, those without one fail. */
  finish(instance: number, produce: () => number | undefined): void {
    const made = new Map<Item, number | undefined>();
    for (const entry of this.#world.running.get(instance)?.entries ?? []) {
      if (entry.kind === "null") continue;
      const life = this.#lifeOf.get(entry.item);
      if (life?.running !== entry.item) throw new Error(`request ${entry.item.serial} is not the one that runs`);
      life.running = undefined;
      const value = produce();
      made.set(entry.item, value);
      if (value !== undefined) life.state = value;
      this.#answer(entry.item);
    }
    this.#world.finish(instance, (item) => {
      const value = made.get(item);
      if (value === undefined) return undefined;
      const bytes = Buffer.alloc(BYTES);
      bytes.writeInt32LE(value);
      return [{ name: "S_OUT", datatype: "INT32", shape: [1, 1], bytes }];
    });
  }

  #started({ instance, entries }: Execution): void {
    const { strategy, slotsPerInstance } = this.#policy;
    const direct = strategy.kind === "direct";
    const most = direct ? slotsPerInstance : strategy.batch.maxBatchSize;
    must(entries.length > 0 && entries.length <= most, `a batch has ${entries.length} places`);
    must(entries.at(-1)?.kind === "request", "a batch ends with a null request");
    const shapes = new Set<string>();
    entries.forEach(({ place, ...entry }, index) => {
      must(!direct || place.slot === index, `place ${index} of a batch is that of slot ${place.slot}`);
      if (entry.kind === "null") {
        must(direct && !place.ready && !place.start && !place.end && place.id === 0n, "a null request is none");
        return;
      }
      const { item } = entry;
      shapes.add(item.shapeKey);
      const life = this.#lifeOf.get(item);
      if (life === undefined) throw new Error(`request ${item.serial} was executed after it was answered`);
      must(life.running === undefined, `two requests of sequence ${life.id} run at once`);
      must(life.waiting.shift() === item, `request ${item.serial} overtook another of its sequence`);
      life.running = item;
      const { sequence } = item.request;
      must(place.id === life.id && place.ready, `request ${item.serial} runs with id ${place.id}`);
      must(place.start === sequence?.start && place.end === sequence.end, `request ${item.serial} has other flags`);
      if (place.start) life.state = undefined;
      const seen = Buffer.from(place.state?.inputs()[0]?.bytes ?? []).readInt32LE();
      must(seen === (life.state ?? 0), `request ${item.serial} sees state ${seen} instead of ${life.state}`);
      this.#occupies(life, `${instance}/${place.slot}`);
    });
    must(shapes.size === 1, "a batch mixes shapes");
  }

  #occupies(life: Life, slot: string): void {
    must(life.slot === undefined || life.slot === slot, `sequence ${life.id} went from ${life.slot} to ${slot}`);
    const holder = this.#holders.get(slot);
    if (holder !== undefined && holder !== life && holder.slot === slot) {
      // The one before has left: nothing of it runs or waits, and no further request can come.
      const live = this.#lives.get(holder.id) === holder && this.#world.scheduler.liveIds.includes(holder.id);
      must(holder.running === undefined && holder.waiting.length === 0 && !live, `slot ${slot} is shared`);
    }
    life.slot = slot;
    this.#holders.set(slot, life);
  }

  #refused(item: Item): void {
    const life = this.#lifeOf.get(item);
    if (life === undefined) throw new Error(`request ${item.serial} was refused after it was answered`);
    // What waits of a sequence is refused as a whole and in order.
    must(life.waiting.shift() === item, `request ${item.serial} was refused out of order`);
    this.#answer(item);
  }

  #answer(item: Item): void {
    this.#lifeOf.delete(item);
    this.answered += 1;
  }
}

/** Cheaper than a matcher: it is called a million times. */
function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
