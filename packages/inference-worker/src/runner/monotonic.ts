/** CLOCK_MONOTONIC in nanoseconds as a double: the same clock in every process of the machine, exact for 104 days of uptime. */
export function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}
