/** From this process's own clock to the machine's monotonic one, which all processes share. */
const OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of the machine's monotonic clock. */
export function nowMs(): number {
  return performance.now() + OFFSET_MS;
}
