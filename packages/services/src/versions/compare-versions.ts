import type { GraphSummary, GraphTensor, RepositoryFile } from "@nereid/client";

export interface TensorDifference {
  readonly tensor: string;
  readonly side: "input" | "output";
  /** The tensor in each version; null where that version has none of this name. */
  readonly a: GraphTensor | null;
  readonly b: GraphTensor | null;
}

export interface FileDifference {
  readonly path: string;
  /** The file in each version; null where that version has none of this path. */
  readonly a: RepositoryFile | null;
  readonly b: RepositoryFile | null;
  readonly changed: boolean;
}

/** Tensors that are not the same in both graphs, inputs first, each side by name. A graph that cannot be read has none. */
export function compareSignatures(a: GraphSummary | null, b: GraphSummary | null): TensorDifference[] {
  return [
    ...compareTensors("input", a?.inputs ?? [], b?.inputs ?? []),
    ...compareTensors("output", a?.outputs ?? [], b?.outputs ?? []),
  ];
}

function compareTensors(
  side: TensorDifference["side"],
  a: readonly GraphTensor[],
  b: readonly GraphTensor[],
): TensorDifference[] {
  return pairs(a, b, (tensor) => tensor.name)
    .filter(([, left, right]) => left === null || right === null || !sameTensor(left, right))
    .map(([tensor, left, right]) => ({ tensor, side, a: left, b: right }));
}

function sameTensor(a: GraphTensor, b: GraphTensor): boolean {
  return a.datatype === b.datatype && a.dims.length === b.dims.length && a.dims.every((dim, i) => dim === b.dims[i]);
}

/** Every file of either version by path, and whether its content differs. */
export function compareFiles(a: readonly RepositoryFile[], b: readonly RepositoryFile[]): FileDifference[] {
  return pairs(a, b, (file) => file.path).map(([path, left, right]) => ({
    path,
    a: left,
    b: right,
    changed: left?.sha256 !== right?.sha256,
  }));
}

function pairs<Item>(
  a: readonly Item[],
  b: readonly Item[],
  keyOf: (item: Item) => string,
): [string, Item | null, Item | null][] {
  const left = new Map(a.map((item) => [keyOf(item), item]));
  const right = new Map(b.map((item) => [keyOf(item), item]));
  const keys = [...new Set([...left.keys(), ...right.keys()])].toSorted();
  return keys.map((key) => [key, left.get(key) ?? null, right.get(key) ?? null]);
}
