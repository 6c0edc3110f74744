import { setImmediate as turn } from "node:timers/promises";

/** Bytes that are copied between two turns of the event loop; new memory makes a copy several times as slow as old. */
export const SLICE_BYTES = 1 << 20;

/** Work that yields after every slice. */
export type Sliced<T> = Generator<void, T, void>;

/** Copies `byteLength` bytes by `move`, slice after slice. */
export function* copyInSlices(byteLength: number, move: (from: number, to: number) => void): Sliced<void> {
  for (let from = 0; from < byteLength; from += SLICE_BYTES) {
    move(from, Math.min(byteLength, from + SLICE_BYTES));
    yield;
  }
}

/** Does the work at once when it moves few bytes; else others have a turn between its slices, and `stopped` may throw there. */
export function work<T>(sliced: Sliced<T>, byteLength: number, stopped: () => void = () => undefined): T | Promise<T> {
  return byteLength > SLICE_BYTES ? later(sliced, stopped) : now(sliced);
}

function now<T>(sliced: Sliced<T>): T {
  for (;;) {
    const step = sliced.next();
    if (step.done === true) return step.value;
  }
}

async function later<T>(sliced: Sliced<T>, stopped: () => void): Promise<T> {
  try {
    for (;;) {
      const step = sliced.next();
      if (step.done === true) return step.value;
      await turn();
      stopped();
    }
  } finally {
    // What the work holds is given back when it was stopped, too.
    sliced.return(undefined as T);
  }
}
