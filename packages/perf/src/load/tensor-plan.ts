import { NereidError } from "@nereid/errors";
import type { Datatype } from "@nereid/protocol";

/** An input as the server describes it. */
export interface DescribedTensor {
  readonly name: string;
  readonly datatype: Datatype;
  /** Without the batch dimension; -1 = variable. */
  readonly shape: readonly number[];
  readonly optional: boolean;
}

/** The shapes to send: what the model says, with what was asked for in its variable places. INVALID_ARGUMENT otherwise. Pure. */
export function fixedShape({ name, shape }: DescribedTensor, asked: readonly number[] | undefined): readonly number[] {
  if (asked === undefined) {
    if (!shape.includes(-1)) return shape;
    throw new NereidError("INVALID_ARGUMENT", `input '${name}' has variable dimensions: [${shape.join(",")}]`, {
      fix: `give its shape, as in --shape ${name}:${shape.map((dim) => (dim === -1 ? 1 : dim)).join(",")}`,
      details: { option: true },
    });
  }
  const fits = asked.length === shape.length && shape.every((dim, at) => dim === -1 || dim === asked[at]);
  if (fits) return asked;
  throw new NereidError("INVALID_ARGUMENT", `--shape ${name}:${asked.join(",")} does not fit [${shape.join(",")}]`, {
    fix: "give as many dimensions as the model has without its batch, and change only those that are -1",
    details: { option: true },
  });
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}
