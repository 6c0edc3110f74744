import type { Random } from "./random.ts";
import type { SimulatedScheduler } from "./simulate.ts";

/** What a request costs on its way. Nanoseconds of one processor, but for `transitNs`. */
export interface LoadCosts {
  /** The client's thread: to read an answer and to send the next request. */
  readonly clientNs: number;
  /** The server's thread: to read a request and queue it; to write its answer. */
  readonly frontInNs: number;
  readonly frontOutNs: number;
  /** The server's thread, for each execution: to hand over a batch of so many items and to take it back. */
  readonly batchNs: (batchSize: number) => number;
  /** In the instance. */
  readonly executeNs: (batchSize: number, random: Random) => number;
  /** Threads an execution keeps busy. */
  readonly threads: number;
  /** Executions take no processor of this machine but a device, which they share. */
  readonly onDevice: boolean;
  /** What a request waits that costs no processor: wake-ups and sockets. */
  readonly transitNs: number;
}

export interface LoadSetup {
  readonly scheduler: SimulatedScheduler;
  readonly instances: number;
  readonly sendsAhead: boolean;
  /** Shared by client, server and instances. */
  readonly processors: number;
  readonly costs: LoadCosts;
  /** Requests that are always in flight, or the times at which requests are due. */
  readonly load:
    | { readonly kind: "closed"; readonly concurrency: number }
    | { readonly kind: "open"; readonly atNs: Iterable<number> };
  /** Items of a request. */
  readonly requestBatch: number;
  /** Requests answered that do not count, and that do. */
  readonly warmUp: number;
  readonly requests: number;
  readonly seed: number;
}

export interface LoadOutcome {
  /** Items a second. */
  readonly throughput: number;
  /** Ascending; nanoseconds from when a request was due to its answer. */
  readonly latenciesNs: Float64Array;
  /** Items of an execution in the mean; NaN without executions. */
  readonly meanBatch: number;
  /** Share of the processors' time in use, 0 to 1. */
  readonly busy: number;
  /** Requests that were refused. */
  readonly refused: number;
}
