/** The server lets no candidate live longer without being asked for again. */
const LONGEST_SECONDS = 86_400;

/** How long a candidate is to outlive what is asked of it, in whole seconds: `busySeconds` of measuring, and some to spare. Pure. */
export function candidateTtlSeconds(busySeconds: number, spareSeconds: number): number {
  return Math.min(LONGEST_SECONDS, Math.ceil(busySeconds) + spareSeconds);
}
