import { exponential, type Random, seededRandom } from "./random.ts";

const NS_PER_S = 1e9;

/** One request of a simulation. Times are nanoseconds of the virtual clock. */
export interface SimulatedArrival {
  readonly atNs: number;
  readonly batchSize: number;
  readonly shapeKey: string;
  /** 0 = the default level. */
  readonly priority: number;
  /** 0 = none. */
  readonly timeoutNs: number;
  /** Moment after which the client does not wait; Infinity = never. */
  readonly deadlineNs: number;
  readonly byteLength: number;
  readonly cost: number;
  /** Moment at which the client goes away, whatever has become of the request. */
  readonly cancelAtNs?: number | undefined;
}

export type ArrivalDetails = Partial<Omit<SimulatedArrival, "atNs">>;

/** What the requests are like: all the same, or made for each. */
export type DescribeArrival =
  | ArrivalDetails
  | ((arrival: { index: number; atNs: number; random: Random }) => ArrivalDetails);

interface Common {
  readonly count: number;
  /** When the first one may come; 0 when left out. */
  readonly fromNs?: number;
  readonly seed?: number;
  readonly describe?: DescribeArrival;
}

/** Independent clients: exponential gaps with `ratePerSecond` on average. */
export function* poisson(options: Common & { readonly ratePerSecond: number }): Generator<SimulatedArrival> {
  const random = seededRandom(options.seed ?? 1);
  let atNs = options.fromNs ?? 0;
  for (let index = 0; index < options.count; index++) {
    atNs += exponential(random, NS_PER_S / options.ratePerSecond);
    yield describeArrival(options.describe, { index, atNs, random });
  }
}

/** Equal gaps. */
export function* uniform(options: Common & { readonly ratePerSecond: number }): Generator<SimulatedArrival> {
  const random = seededRandom(options.seed ?? 1);
  for (let index = 0; index < options.count; index++) {
    const atNs = (options.fromNs ?? 0) + (index * NS_PER_S) / options.ratePerSecond;
    yield describeArrival(options.describe, { index, atNs, random });
  }
}

/** `size` requests at once every `everyNs`; `count` in all. */
export function* bursts(
  options: Common & { readonly everyNs: number; readonly size: number },
): Generator<SimulatedArrival> {
  const random = seededRandom(options.seed ?? 1);
  for (let index = 0; index < options.count; index++) {
    const atNs = (options.fromNs ?? 0) + Math.floor(index / options.size) * options.everyNs;
    yield describeArrival(options.describe, { index, atNs, random });
  }
}

/** Requests as they once came; put in order of time. */
export function recorded(list: readonly (ArrivalDetails & { readonly atNs: number })[]): SimulatedArrival[] {
  const sorted = [...list].sort((a, b) => a.atNs - b.atNs);
  return sorted.map((details) => complete(details.atNs, details));
}

/** Several streams, each in order of time, as one. */
export function* merge(...streams: readonly Iterable<SimulatedArrival>[]): Generator<SimulatedArrival> {
  const iterators = streams.map((stream) => stream[Symbol.iterator]());
  const heads = iterators.map((iterator) => iterator.next());
  for (;;) {
    let earliest = -1;
    let earliestNs = Number.POSITIVE_INFINITY;
    heads.forEach((head, index) => {
      if (head.done || head.value.atNs >= earliestNs) return;
      earliest = index;
      earliestNs = head.value.atNs;
    });
    const head = heads[earliest];
    const iterator = iterators[earliest];
    if (head === undefined || head.done || iterator === undefined) return;
    yield head.value;
    heads[earliest] = iterator.next();
  }
}

function describeArrival(
  describe: DescribeArrival | undefined,
  arrival: { index: number; atNs: number; random: Random },
): SimulatedArrival {
  return complete(arrival.atNs, typeof describe === "function" ? describe(arrival) : (describe ?? {}));
}

function complete(atNs: number, details: ArrivalDetails): SimulatedArrival {
  return {
    atNs,
    batchSize: details.batchSize ?? 1,
    shapeKey: details.shapeKey ?? "",
    priority: details.priority ?? 0,
    timeoutNs: details.timeoutNs ?? 0,
    deadlineNs: details.deadlineNs ?? Number.POSITIVE_INFINITY,
    byteLength: details.byteLength ?? 0,
    cost: details.cost ?? 1,
    cancelAtNs: details.cancelAtNs,
  };
}
