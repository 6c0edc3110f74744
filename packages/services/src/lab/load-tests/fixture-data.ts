import { NereidError } from "@nereid/errors";
import type { TryRequest } from "../../playground/try-input.ts";

/**
 * A kept request in the form of nereid perf's files of requests. Of models that batch the first dimension is the batch's: each of its
 * rows becomes a request of its own. INVALID_ARGUMENT where rows cannot be told apart. Pure.
 */
export function fixtureData({ inputs }: Pick<TryRequest, "inputs">, batched: boolean): string {
  const rows = batched ? Math.max(1, ...inputs.map(({ shape }) => shape[0] ?? 1)) : 1;
  const data = Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(inputs.map((input) => [input.name, contentOf(input, { batched, rows, row })])),
  );
  return JSON.stringify({ data });
}

interface Row {
  readonly batched: boolean;
  readonly rows: number;
  readonly row: number;
}

function contentOf(input: TryRequest["inputs"][number], { batched, rows, row }: Row) {
  const { name, shape } = input;
  if (batched && shape[0] !== rows) {
    throw new NereidError("INVALID_ARGUMENT", `the fixture's input '${name}' has another batch than the others`, {
      fix: "keep a request whose inputs have the same first dimension",
    });
  }
  const rowShape = batched ? shape.slice(1) : shape;
  const part = <T extends { readonly length: number; slice(from: number, to: number): T }>(whole: T) => {
    const size = whole.length / rows;
    return batched ? whole.slice(row * size, (row + 1) * size) : whole;
  };
  if ("text" in input) return { content: part(input.text), shape: rowShape };
  const bytes = part(Buffer.from(input.base64, "base64"));
  return { content: { b64: Buffer.from(bytes).toString("base64") }, shape: rowShape };
}
