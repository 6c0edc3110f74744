import type { VersionShapes } from "@nereid/client";

/**
 * Shapes of the inputs whose dimensions vary, as `INPUT:3,224` lines: those that most requests had, and 1 for every such dimension where
 * none came yet. Empty for a model whose shapes are fixed. Pure.
 */
export function usualShapes(versions: readonly Pick<VersionShapes, "version" | "inputs" | "rows">[]): string {
  const newest = versions.toSorted((a, b) => Number(a.version) - Number(b.version)).at(-1);
  if (newest === undefined) return "";
  const [most] = newest.rows;
  return newest.inputs
    .filter(({ dims }) => dims.some((dim) => dim < 0))
    .map(({ name, dims }) => {
      const seen = most?.inputs.find((input) => input.name === name)?.shape;
      return `${name}:${(seen ?? dims.map((dim) => Math.max(1, dim))).join(",")}`;
    })
    .join("\n");
}
