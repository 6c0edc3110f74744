/** Histogram over a few fixed bounds, exact at each of them. */
export class BoundHistogram {
  /** Upper bounds, ascending; a value equal to a bound lies below it. */
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  /** Bounds in any order; doubles and what is no finite number are dropped. */
  constructor(bounds: readonly number[]) {
    this.bounds = [...new Set(bounds.filter(Number.isFinite))].sort((a, b) => a - b);
    this.#counts = new Float64Array(this.bounds.length + 1);
  }

  get sum(): number {
    return this.#sum;
  }

  record(value: number): void {
    const { bounds } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Values at or below each bound, then all of them. */
  cumulative(): readonly number[] {
    let total = 0;
    return Array.from(this.#counts, (count) => {
      total += count;
      return total;
    });
  }
}
