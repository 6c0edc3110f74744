const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** Wait before restart number `attempt` (from 0): 0.1 s doubling to 30 s. */
export function restartDelayMs(attempt: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
}
