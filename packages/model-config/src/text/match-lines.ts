/** Above this many line pairs the changed middle is taken as one block; a config is far below. */
const MAX_PAIRS = 4_000_000;

/** For each line of `a` that a longest common subsequence keeps, its place in `b`. Pure. */
export function matchLines(a: readonly string[], b: readonly string[]): Map<number, number> {
  const matches = new Map<number, number>();
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    matches.set(start, start);
    start += 1;
  }
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
    matches.set(endA, endB);
  }
  const width = endB - start + 1;
  if ((endA - start) * (endB - start) > MAX_PAIRS) return matches;
  const lengths = new Uint32Array((endA - start + 1) * width);
  const at = (i: number, j: number): number => lengths[(i - start) * width + (j - start)] ?? 0;
  for (let i = endA - 1; i >= start; i -= 1) {
    for (let j = endB - 1; j >= start; j -= 1) {
      const longest = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      lengths[(i - start) * width + (j - start)] = longest;
    }
  }
  for (let i = start, j = start; i < endA && j < endB; ) {
    if (a[i] === b[j]) {
      matches.set(i, j);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return matches;
}
