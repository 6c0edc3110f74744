/** Small seeded generator (mulberry32), so that training gives the same weights everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Weights drawn evenly from ±sqrt(6 / fan-in), good for layers before a ReLU. */
export function heUniform(count: number, fanIn: number, random: () => number): Float32Array {
  const bound = Math.sqrt(6 / fanIn);
  return Float32Array.from({ length: count }, () => (random() * 2 - 1) * bound);
}
