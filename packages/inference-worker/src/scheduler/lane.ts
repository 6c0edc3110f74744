import type { QueueView } from "./decide-batch.ts";
import type { CostClass } from "./policy.ts";
import { RequestQueue } from "./request-queue.ts";
import type { QueuedRequest } from "./request-scheduler.ts";
import { ServiceEstimator } from "./service-estimator.ts";

/** The requests of one priority level: the unexpired ones, then those that expired under DELAY. */
interface Level<T extends QueuedRequest> {
  readonly level: number;
  readonly fresh: RequestQueue<T>;
  readonly delayed: RequestQueue<T>;
  cost: number;
}

/** Says which requests are not worth executing. */
type IsDoomed<T extends QueuedRequest> = (item: T, lane: Lane<T>) => boolean;

/**
 * The waiting requests of one class, read in scan order: level by level, in each the unexpired ones oldest first, then the
 * delayed ones. Reading happens between `beginScan` and `takeFound` or `endScan`; nothing may be added or removed meanwhile.
 */
export class Lane<T extends QueuedRequest> implements QueueView {
  readonly index: number;
  readonly costClass: CostClass;
  readonly estimator = new ServiceEstimator();
  /** Requests handed over and not yet reported as executed. */
  executing = 0;
  /** In ascending order; made when first used. */
  readonly #levels: Level<T>[] = [];
  readonly #byLevel = new Map<number, Level<T>>();
  #length = 0;
  #found: T[] = [];
  #doomed: T[] = [];
  #limit = Number.POSITIVE_INFINITY;
  #isDoomed: IsDoomed<T> | undefined;
  #levelIndex = 0;
  #inDelayed = false;
  #slot = 0;

  constructor(index: number, costClass: CostClass) {
    this.index = index;
    this.costClass = costClass;
  }

  get length(): number {
    return this.#length;
  }

  lengthOf(level: number): number {
    const queue = this.#byLevel.get(level);
    return queue === undefined ? 0 : queue.fresh.length + queue.delayed.length;
  }

  /** Requests that a new one of this level would wait for. */
  ahead(level: number): number {
    let requests = 0;
    for (const queue of this.#levels) {
      if (queue.level > level) break;
      requests += queue.fresh.length + (queue.level < level ? queue.delayed.length : 0);
    }
    return requests;
  }

  /** Cost of what waits at this level and at higher ones. */
  costUpTo(level: number): number {
    let cost = 0;
    for (const queue of this.#levels) if (queue.level <= level) cost += queue.cost;
    return cost;
  }

  add(item: T, level: number): void {
    const queue = this.#levelQueue(level);
    const position = queue.fresh.push(item);
    item.place = { lane: this.index, level, delayed: false, position, dueIndex: -1 };
    queue.cost += item.cost;
    this.#length += 1;
  }

  /** False when the item does not wait here. */
  remove(item: T): boolean {
    const { place } = item;
    const queue = place && this.#levelOf(place.level);
    if (place === undefined || queue === undefined) return false;
    const list = place.delayed ? queue.delayed : queue.fresh;
    if (list.get(place.position) !== item) return false;
    list.remove(place.position);
    item.place = undefined;
    this.#length -= 1;
    queue.cost = queue.fresh.length + queue.delayed.length === 0 ? 0 : queue.cost - item.cost;
    return true;
  }

  /** Puts an item that waits behind the unexpired ones of its level. */
  delay(item: T): void {
    const { place } = item;
    const queue = place && this.#levelOf(place.level);
    if (place === undefined || queue === undefined || place.delayed) return;
    queue.fresh.remove(place.position);
    place.delayed = true;
    place.position = queue.delayed.push(item);
  }

  /** Reads up to `limit` requests from the front, passing over the doomed ones. */
  beginScan(limit: number, isDoomed?: IsDoomed<T>): void {
    this.#limit = limit;
    this.#isDoomed = isDoomed;
    this.#levelIndex = 0;
    this.#inDelayed = false;
    this.#slot = 0;
  }

  at(index: number): T | undefined {
    while (this.#found.length <= index) if (!this.#findNext()) return undefined;
    return this.#found[index];
  }

  /** What was read so far. */
  get found(): readonly T[] {
    return this.#found;
  }

  /** Ends the reading and takes the first `count` that were read. */
  takeFound(count: number): T[] {
    const batch = this.#found;
    if (batch.length > count) batch.length = count;
    this.#found = [];
    return batch;
  }

  /** Ends the reading. What was read must not be kept: it may leave before the next time. */
  endScan(): void {
    if (this.#found.length > 0) this.#found = [];
  }

  /** Those passed over as not worth executing; the caller removes them. */
  takeDoomed(): readonly T[] | undefined {
    if (this.#doomed.length === 0) return undefined;
    const doomed = this.#doomed;
    this.#doomed = [];
    return doomed;
  }

  #findNext(): boolean {
    if (this.#found.length >= this.#limit) return false;
    for (;;) {
      const level = this.#levels[this.#levelIndex];
      if (level === undefined) return false;
      const list = this.#inDelayed ? level.delayed : level.fresh;
      while (this.#slot < list.extent) {
        const item = list.slot(this.#slot++);
        if (item === undefined) continue;
        if (this.#isDoomed?.(item, this)) {
          this.#doomed.push(item);
          continue;
        }
        this.#found.push(item);
        return true;
      }
      this.#slot = 0;
      if (this.#inDelayed) this.#levelIndex += 1;
      this.#inDelayed = !this.#inDelayed;
    }
  }

  /** Most models have one level: that needs no look-up. */
  #levelOf(level: number): Level<T> | undefined {
    const first = this.#levels[0];
    return first?.level === level ? first : this.#byLevel.get(level);
  }

  #levelQueue(level: number): Level<T> {
    const known = this.#levelOf(level);
    if (known !== undefined) return known;
    const made = { level, fresh: new RequestQueue<T>(), delayed: new RequestQueue<T>(), cost: 0 };
    this.#byLevel.set(level, made);
    const behind = this.#levels.findIndex((other) => other.level > level);
    this.#levels.splice(behind === -1 ? this.#levels.length : behind, 0, made);
    return made;
  }
}
