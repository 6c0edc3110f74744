import { describe, expect, it } from "vitest";
import { cornerOf, processorsOf } from "./thread-scheduling.ts";

const mask = (processors: readonly number[]) => {
  const bytes = new Uint8Array(128);
  for (const processor of processors) bytes[processor >> 3] = (bytes[processor >> 3] ?? 0) | (1 << (processor & 7));
  return bytes;
};

describe("cornerOf()", () => {
  it.each([
    [[0], [0]],
    [[0, 1], [1]],
    [[4, 5, 6, 7], [7]],
    [
      [0, 1, 2, 3, 8, 9, 64, 65],
      [64, 65],
    ],
  ])("of processors %j is %j", (processors, corner) => {
    expect(processorsOf(mask(processors))).toEqual(processors);
    expect(processorsOf(cornerOf(mask(processors)))).toEqual(corner);
  });
});
