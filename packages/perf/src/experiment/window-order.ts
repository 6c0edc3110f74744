import type { ExperimentSide } from "./experiment-types.ts";

/** Which side each window has: a b, b a, a b … so that whatever drifts meanwhile does both sides the same good and harm. Pure. */
export function windowOrder(
  pairs: number,
): readonly { readonly pair: number; readonly side: ExperimentSide; readonly place: number }[] {
  return Array.from({ length: pairs }, (_, pair) => (pair % 2 === 0 ? (["a", "b"] as const) : (["b", "a"] as const)))
    .flatMap((sides, pair) => sides.map((side) => ({ pair, side })))
    .map((one, place) => ({ ...one, place }));
}
