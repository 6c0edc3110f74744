import { NereidError } from "@nereid/errors";

/** What a request costs: the unit of the cost classes. */
export type CostMeasure =
  /** Elements of all inputs together, batch included. */
  | { readonly kind: "elements" }
  /** Bytes of all inputs together. */
  | { readonly kind: "bytes" }
  /** One dimension of one input, times the batch. Axes count the model's own dimensions, negative ones from the end. */
  | { readonly kind: "dimension"; readonly input: string; readonly axis: number };

export interface CostInput {
  readonly name: string;
  /** As the client sent it, batch dimension included where the model has one. */
  readonly shape: readonly number[];
  readonly bytes: { readonly byteLength: number };
}

/**
 * Cost of a request with these inputs. `batchSize`: given for a model that batches, whose shapes begin with it. An input or
 * a dimension that is not there costs nothing. Pure.
 */
export function costOf(
  inputs: readonly CostInput[],
  measure: CostMeasure,
  { batchSize }: { readonly batchSize?: number | undefined } = {},
): number {
  switch (measure.kind) {
    case "elements":
      return inputs.reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
    case "bytes":
      return inputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    case "dimension": {
      const shape = inputs.find(({ name }) => name === measure.input)?.shape ?? [];
      const own = batchSize === undefined ? shape : shape.slice(1);
      return (own.at(measure.axis) ?? 0) * Math.max(1, batchSize ?? 1);
    }
  }
}

/** Reads "elements", "bytes" or "INPUT[axis]", such as "input_ids[0]"; INVALID_ARGUMENT for anything else. */
export function parseCostMeasure(text: string): CostMeasure {
  const trimmed = text.trim();
  if (trimmed === "elements" || trimmed === "bytes") return { kind: trimmed };
  const [, input, axis] = /^(.+)\[(-?\d{1,3})\]$/.exec(trimmed) ?? [];
  if (input === undefined || axis === undefined) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `'${text}' is no measure of cost: write 'elements', 'bytes' or 'INPUT[axis]', such as 'input_ids[0]'`,
    );
  }
  return { kind: "dimension", input, axis: Number(axis) };
}
