/**
 * The shape of `count` elements in a tensor of this metadata shape (http.md §14): fixed dimensions take their share, the innermost
 * variable one the rest, other variable ones 1. Undefined when they do not divide.
 */
export function distributeElements(count: number, shape: readonly number[]): readonly number[] | undefined {
  let rest = count;
  for (const dim of shape) {
    if (dim === -1) continue;
    if (dim === 0 || rest % dim !== 0) return undefined;
    rest /= dim;
  }
  const dims = [...shape];
  for (let index = dims.length - 1; index >= 0; index -= 1) {
    if (dims[index] !== -1) continue;
    dims[index] = rest;
    rest = 1;
  }
  return rest === 1 ? dims : undefined;
}
