/** Times of the data plane: monotonic nanoseconds for durations, wall milliseconds for people. Injected everywhere. */
export interface Clock {
  /** CLOCK_MONOTONIC in nanoseconds, comparable between processes of one machine. */
  nowNs(): number;
  /** Unix time in milliseconds. */
  wallMs(): number;
}

export const systemClock: Clock = {
  nowNs: () => Number(process.hrtime.bigint()),
  wallMs: () => Date.now(),
};
