const WINDOW_MS = 10_000;
/** Below what the HTTP/2 library itself takes (1000, and 33 a second), so that the client is told why. */
const MOST_IN_WINDOW = 800;

/** Counts the streams that a client resets: opening and resetting them without end costs it nothing and the server much. */
export class ResetGuard {
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #before = 0;
  #count = 0;

  /** Takes note of a reset; true when there were too many. The window slides by weighing the one before. */
  reset(nowMs: number): boolean {
    const elapsed = nowMs - this.#windowStartMs;
    if (elapsed >= WINDOW_MS) {
      this.#before = elapsed < 2 * WINDOW_MS ? this.#count : 0;
      this.#count = 0;
      this.#windowStartMs = nowMs;
    }
    this.#count += 1;
    const weight = 1 - Math.min(1, (nowMs - this.#windowStartMs) / WINDOW_MS);
    return this.#count + this.#before * weight > MOST_IN_WINDOW;
  }
}
