import { NereidError } from "@nereid/errors";
import { asArray, asUnsigned } from "./json-access.ts";
import type { JsonNode } from "./json-document.ts";

const INT64_MAX = 2n ** 63n - 1n;

export interface ParsedShape {
  /** Dimensions; those above 2^53 only keep their magnitude. */
  readonly dims: readonly number[];
  /** Product of the dimensions; 0 for the empty shape (http.md §7). */
  readonly elements: bigint;
}

/** `shape` of an input. Throws INTERNAL for anything but unsigned integers, INVALID_ARGUMENT above 2^63-1 elements. */
export function parseShape(node: JsonNode, inputName: string): ParsedShape {
  const dims = asArray(node, "shape").map((dim) => asUnsigned(dim, "shape"));
  let elements = dims.length === 0 ? 0n : 1n;
  for (const dim of dims) {
    elements *= dim;
    if (elements > INT64_MAX || dim > INT64_MAX) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `invalid shape for input '${inputName}': shape [${dims.join(",")}] causes total element count to exceed maximum size of ${INT64_MAX}`,
      );
    }
  }
  return { dims: dims.map(Number), elements };
}

/** Product of the dimensions; 1 for none. */
export function elementCount(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}
