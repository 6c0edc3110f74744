/** Work that yields wherever the event loop may have a turn. */
export type Sliced<T> = Generator<void, T, void>;

/** Most elements handled between two yields. */
export const SLICE_ELEMENTS = 32_768;

/** Does the work in one go. */
export function inOneGo<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work with a pause between its slices. Rejects with what the work or a pause throws. */
export async function inSlices<T>(work: Sliced<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
