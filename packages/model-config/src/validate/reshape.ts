/** Number of elements of a shape; -1 when a dimension varies, 0 for the empty shape (as Triton counts). */
export function elementCount(dims: readonly bigint[]): bigint {
  if (dims.some((dim) => dim === -1n)) return -1n;
  return dims.length === 0 ? 0n : dims.reduce((product, dim) => product * dim, 1n);
}

/**
 * Whether `shape` is a legal reshape of `dims`: equal element counts; with variable dimensions the same number of them
 * and equal counts between them; an empty shape stands for one element. Answers Triton's words for the mismatch.
 */
export function reshapeMismatch(dims: readonly bigint[], shape: readonly bigint[]): string | undefined {
  const before = elementCount(dims);
  const after = elementCount(shape);
  if (before !== after) {
    const scalar = shape.length === 0 && before === 1n;
    return scalar ? undefined : "has different size for dims and reshape";
  }
  if (before !== -1n) return undefined;
  const left = chunks(dims);
  const right = chunks(shape);
  if (left.length !== right.length) return "has different number of variable-size dimensions for dims and reshape";
  const same = left.every((size, index) => size === right[index]);
  return same ? undefined : "has different size for dims and reshape";
}

/** Products of the dimensions between the variable ones. */
function chunks(dims: readonly bigint[]): bigint[] {
  const products: bigint[] = [];
  let product = 1n;
  for (const dim of dims) {
    if (dim === -1n) {
      products.push(product);
      product = 1n;
    } else {
      product *= dim;
    }
  }
  products.push(product);
  return products;
}
