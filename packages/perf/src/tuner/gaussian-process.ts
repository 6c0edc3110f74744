/** A place and what was seen there. */
export interface Seen {
  /** Scaled so that a distance of 1 is about as far as one place tells of another. */
  readonly at: readonly number[];
  readonly value: number;
}

export interface Guess {
  readonly mean: number;
  readonly deviation: number;
}

export interface GaussianOptions {
  /** How far values lie from 0 where nothing is known. */
  readonly deviation: number;
  /** How far two measurements of one place lie apart. */
  readonly noise: number;
  /** Part of the variance that all places share: what was seen anywhere then tells of everywhere. */
  readonly shared: number;
}

/**
 * What values are likely where none was seen: a Gaussian process around 0 with a squared-exponential kernel (Rasmussen and Williams,
 * Gaussian Processes for Machine Learning, algorithm 2.1). Pure.
 */
export function gaussianProcess(seen: readonly Seen[], options: GaussianOptions): (at: readonly number[]) => Guess {
  const variance = options.deviation ** 2;
  const kernel = (a: readonly number[], b: readonly number[]) => {
    const squared = a.reduce((sum, value, axis) => sum + (value - (b[axis] ?? 0)) ** 2, 0);
    return variance * (options.shared + (1 - options.shared) * Math.exp(-squared / 2));
  };
  const lower = cholesky(
    seen.map(({ at }, row) =>
      seen.map((other, column) => kernel(at, other.at) + (row === column ? options.noise ** 2 + 1e-9 : 0)),
    ),
  );
  const weights = solveUpper(
    lower,
    solveLower(
      lower,
      seen.map(({ value }) => value),
    ),
  );
  return (at) => {
    const near = seen.map((one) => kernel(at, one.at));
    const mean = near.reduce((sum, one, index) => sum + one * (weights[index] ?? 0), 0);
    const known = solveLower(lower, near).reduce((sum, one) => sum + one * one, 0);
    return { mean, deviation: Math.sqrt(Math.max(0, variance - known)) };
  };
}

function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const lower: number[][] = matrix.map(() => []);
  for (const [row, values] of matrix.entries()) {
    const ofRow = lower[row] ?? [];
    for (let column = 0; column <= row; column++) {
      const ofColumn = lower[column] ?? [];
      let sum = values[column] ?? 0;
      for (let index = 0; index < column; index++) sum -= (ofRow[index] ?? 0) * (ofColumn[index] ?? 0);
      ofRow[column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (ofColumn[column] ?? 1);
    }
  }
  return lower;
}

function solveLower(lower: readonly (readonly number[])[], values: readonly number[]): number[] {
  const solved: number[] = [];
  for (const [row, ofRow] of lower.entries()) {
    let sum = values[row] ?? 0;
    for (let column = 0; column < row; column++) sum -= (ofRow[column] ?? 0) * (solved[column] ?? 0);
    solved.push(sum / (ofRow[row] ?? 1));
  }
  return solved;
}

function solveUpper(lower: readonly (readonly number[])[], values: readonly number[]): number[] {
  const solved: number[] = values.map(() => 0);
  for (let row = lower.length - 1; row >= 0; row--) {
    let sum = values[row] ?? 0;
    for (let below = row + 1; below < lower.length; below++) sum -= (lower[below]?.[row] ?? 0) * (solved[below] ?? 0);
    solved[row] = sum / (lower[row]?.[row] ?? 1);
  }
  return solved;
}
