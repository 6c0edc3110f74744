interface Timed {
  readonly atNs: number;
}

/** Events of a simulation: the earliest first, of those at the same moment the one that was added first. */
export class EventHeap<E extends Timed> {
  readonly #events: { readonly event: E; readonly serial: number }[] = [];
  #serial = 0;

  /** Infinity when there are none. */
  get nearestNs(): number {
    return this.#events[0]?.event.atNs ?? Number.POSITIVE_INFINITY;
  }

  push(event: E): void {
    const added = { event, serial: this.#serial++ };
    const events = this.#events;
    let index = events.push(added) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = events[parent];
      if (above === undefined || !isBefore(added, above)) break;
      events[index] = above;
      index = parent;
    }
    events[index] = added;
  }

  pop(): E | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (first === undefined || last === undefined || events.length === 0) return first?.event;
    let index = 0;
    for (;;) {
      const left = events[2 * index + 1];
      const right = events[2 * index + 2];
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (child === undefined || !isBefore(child, last)) break;
      events[index] = child;
      index = 2 * index + (child === right ? 2 : 1);
    }
    events[index] = last;
    return first.event;
  }
}

function isBefore<E extends Timed>(a: { event: E; serial: number }, b: { event: E; serial: number }): boolean {
  return a.event.atNs < b.event.atNs || (a.event.atNs === b.event.atNs && a.serial < b.serial);
}
