/** A request as it came. Times are nanoseconds of the monotonic clock. */
export interface RecentArrival {
  readonly atNs: number;
  readonly batchSize: number;
  /** Requests of different shapes have different ones. */
  readonly shapeKey: string;
  /** 0 = the default level. */
  readonly priority: number;
  /** 0 = none. */
  readonly timeoutNs: number;
  readonly byteLength: number;
  readonly cost: number;
  /** From its arrival to its last answer; NaN for one that was not answered, or not yet. */
  readonly totalNs: number;
}

/** One execution of a batch: when it ended, its items, how long the instance was busy with it, and how long it had had nothing to do before. */
export interface RecentExecution {
  readonly endNs: number;
  readonly batchSize: number;
  readonly ns: number;
  readonly restNs: number;
}

export interface TrafficWindow {
  readonly arrivals: readonly RecentArrival[];
  readonly executions: readonly RecentExecution[];
  /** False where more came in the window than is kept. */
  readonly isWhole: boolean;
}

const ARRIVAL_COLUMNS = 7;
const EXECUTION_COLUMNS = 4;
/** Shapes that are told apart; a model with more gets one name for the rest. */
const MOST_SHAPES = 1_000;

/** The last requests of a version as they came, and the last executions, in little memory: 100 bytes for each request. */
export class RecentTraffic {
  readonly #arrivals: NumberRing;
  readonly #executions: NumberRing;
  readonly #shapes = new Map<string, number>();
  readonly #shapeKeys: string[] = [];

  constructor(most = 16_384) {
    this.#arrivals = new NumberRing(ARRIVAL_COLUMNS, most);
    this.#executions = new NumberRing(EXECUTION_COLUMNS, most);
  }

  /** Returns the number by which `answered` knows it. */
  arrived(arrival: Omit<RecentArrival, "totalNs">): number {
    const { atNs, batchSize, priority, timeoutNs, byteLength, cost } = arrival;
    const shape = this.#shapeOf(arrival.shapeKey);
    return this.#arrivals.push([atNs, batchSize, shape, priority, timeoutNs, byteLength, cost], Number.NaN);
  }

  answered(serial: number, totalNs: number): void {
    this.#arrivals.note(serial, totalNs);
  }

  executed({ endNs, batchSize, ns, restNs }: RecentExecution): void {
    this.#executions.push([endNs, batchSize, ns, restNs], 0);
  }

  /** What came, and what ended, from this moment on. */
  since(fromNs: number): TrafficWindow {
    const arrivals: RecentArrival[] = [];
    for (const [row, totalNs] of this.#arrivals.rows()) {
      const [atNs = 0, batchSize = 1, shape = 0, priority = 0, timeoutNs = 0, byteLength = 0, cost = 1] = row;
      if (atNs < fromNs) continue;
      const shapeKey = this.#shapeKeys[shape] ?? "other";
      arrivals.push({ atNs, batchSize, shapeKey, priority, timeoutNs, byteLength, cost, totalNs });
    }
    const executions: RecentExecution[] = [];
    for (const [[endNs = 0, batchSize = 1, ns = 0, restNs = 0]] of this.#executions.rows())
      if (endNs >= fromNs) executions.push({ endNs, batchSize, ns, restNs });
    const oldestKept = arrivals.length < this.#arrivals.length;
    return { arrivals, executions, isWhole: oldestKept || !this.#arrivals.isFull };
  }

  #shapeOf(key: string): number {
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    if (this.#shapes.size >= MOST_SHAPES) return -1;
    const made = this.#shapeKeys.push(key) - 1;
    this.#shapes.set(key, made);
    return made;
  }
}

/** Rows of numbers, the newest of them, each with one number that is noted later. Grows as it is filled. */
class NumberRing {
  readonly #columns: number;
  readonly #most: number;
  #values: Float64Array;
  #serial = 0;

  constructor(columns: number, most: number) {
    this.#columns = columns + 1;
    this.#most = most;
    this.#values = new Float64Array(this.#columns * Math.min(most, 64));
  }

  get length(): number {
    return Math.min(this.#serial, this.#most);
  }

  get isFull(): boolean {
    return this.#serial >= this.#most;
  }

  push(row: readonly number[], note: number): number {
    const serial = this.#serial++;
    const at = (serial % this.#most) * this.#columns;
    if (at >= this.#values.length) {
      const larger = new Float64Array(Math.min(this.#values.length * 2, this.#most * this.#columns));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values.set(row, at);
    this.#values[at + this.#columns - 1] = note;
    return serial;
  }

  /** Harmless for a row that is no longer kept. */
  note(serial: number, note: number): void {
    if (serial < 0 || serial >= this.#serial || serial < this.#serial - this.#most) return;
    this.#values[(serial % this.#most) * this.#columns + this.#columns - 1] = note;
  }

  /** The oldest first. */
  *rows(): Generator<readonly [row: Float64Array, note: number]> {
    for (let serial = Math.max(0, this.#serial - this.#most); serial < this.#serial; serial++) {
      const at = (serial % this.#most) * this.#columns;
      const end = at + this.#columns - 1;
      yield [this.#values.subarray(at, end), this.#values[end] ?? Number.NaN];
    }
  }
}
