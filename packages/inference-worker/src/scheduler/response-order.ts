/** One request's place in the order of responses. */
export interface ResponsePlace {
  /** A place opened before has not ended: what is put now is held. */
  readonly waits: boolean;
  /** Runs the action at once when all places opened before have ended, else as soon as they have. Ignored after `end`. */
  put(action: () => void): void;
  /** Nothing follows. Ending twice is harmless. */
  end(): void;
}

interface Slot {
  held: (() => void)[];
  ended: boolean;
  next: Slot | undefined;
}

/**
 * Responses in the order of their requests (preserve_ordering, scheduling.md §2): a place is opened for each request when it
 * is accepted; what a request answers, final flags included, is held until all requests before it have ended. A place may
 * have several actions or none.
 */
export class ResponseOrder {
  #first: Slot | undefined;
  #last: Slot | undefined;
  #draining = false;

  open(): ResponsePlace {
    const slot: Slot = { held: [], ended: false, next: undefined };
    if (this.#last === undefined) this.#first = slot;
    else this.#last.next = slot;
    this.#last = slot;
    const isFirst = () => this.#first === slot;
    return {
      get waits() {
        return !slot.ended && !isFirst();
      },
      put: (action) => {
        if (slot.ended) return;
        slot.held.push(action);
        this.#drain();
      },
      end: () => {
        slot.ended = true;
        this.#drain();
      },
    };
  }

  /** Runs all that may run. An action that throws does not keep back those behind it; its error is thrown at the end. */
  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    const errors: unknown[] = [];
    while (this.#first !== undefined) {
      const slot: Slot = this.#first;
      const actions = slot.held;
      slot.held = [];
      for (const action of actions) {
        try {
          action();
        } catch (error) {
          errors.push(error);
        }
      }
      // An action may have put another one, or ended the place.
      if (slot.held.length > 0) continue;
      if (!slot.ended) break;
      this.#first = slot.next;
      if (this.#first === undefined) this.#last = undefined;
    }
    this.#draining = false;
    if (errors.length > 0) throw errors[0];
  }
}
