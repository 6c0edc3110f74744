import { setPriority } from "node:os";

/** As low as the runners of candidates, so that both ends of the load are alike. */
const NICE = 10;

/** From now on this process, and those it starts, use what others leave of the processors: what serves on the same machine goes first. */
export function standBack(): void {
  try {
    setPriority(NICE);
  } catch {
    // Where a system forbids it, all go on as equals.
  }
}
