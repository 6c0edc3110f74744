/** A class that could have the next batch. */
export interface Contender {
  readonly lane: number;
  /** Instance time its batch is expected to take; 0 while that is not known. */
  readonly charge: number;
  readonly weight: number;
}

/**
 * Deficit round robin over the classes of requests, with a quantum as small as it can be: all that contend gain credit in
 * proportion to their weights until one can pay for its batch. Each is served within a bounded time, whatever the others
 * ask for, and over time each has its share of the instances.
 */
export class DeficitRoundRobin {
  readonly #credit: number[];
  #last = -1;

  constructor(lanes: number) {
    this.#credit = new Array<number>(lanes).fill(0);
  }

  /** Which contender goes next, and takes its charge from it; undefined without contenders. */
  choose(contenders: readonly Contender[]): number | undefined {
    let best: Contender | undefined;
    let bestTurns = Number.POSITIVE_INFINITY;
    for (const contender of contenders) {
      const turns = Math.max(0, (contender.charge - this.#creditOf(contender.lane)) / contender.weight);
      const nearer = best === undefined || this.#distance(contender.lane) < this.#distance(best.lane);
      if (turns < bestTurns || (turns === bestTurns && nearer)) {
        best = contender;
        bestTurns = turns;
      }
    }
    if (best === undefined) return undefined;
    for (const { lane, weight } of contenders) this.#credit[lane] = this.#creditOf(lane) + bestTurns * weight;
    this.#credit[best.lane] = this.#creditOf(best.lane) - best.charge;
    this.#last = best.lane;
    return best.lane;
  }

  /** Nothing of the class waits any more: credit is for those who wait. */
  emptied(lane: number): void {
    this.#credit[lane] = 0;
  }

  #creditOf(lane: number): number {
    return this.#credit[lane] ?? 0;
  }

  /** Steps from the class served last, going round. */
  #distance(lane: number): number {
    const lanes = this.#credit.length;
    return (lane - this.#last - 1 + lanes) % lanes;
  }
}
