import { isDatatype, outputValues } from "@nereid/client";

type Answer = Parameters<typeof outputValues>[0];

export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
}

/**
 * What sets two answers to one request apart, in words; null where they are alike: the same outputs of the same types and shapes, numbers
 * within |a − b| ≤ absolute + relative·|a|, all else the same. Pure.
 */
export function compareOutputs(a: Answer, b: Answer, tolerance: Tolerance): string | null {
  const others = new Map(b.outputs.map((one) => [one.name, one]));
  for (const output of a.outputs) {
    const { name, datatype, shape } = output;
    const other = others.get(name);
    if (other === undefined) return `output ${name} is missing`;
    if (other.datatype !== datatype) return `output ${name} is ${other.datatype}, not ${datatype}`;
    if (other.shape.join() !== shape.join()) {
      return `output ${name} has the shape [${other.shape.join(", ")}], not [${shape.join(", ")}]`;
    }
    const problem = compareValues([...valuesOf(a, output)], [...valuesOf(b, other)], tolerance);
    if (problem !== null) return `output ${name} ${problem}`;
  }
  const extra = b.outputs.find(({ name }) => !a.outputs.some((one) => one.name === name));
  return extra === undefined ? null : `output ${extra.name} is new`;
}

/** The values of an output; of a type that nobody knows, its bytes. */
function valuesOf(answer: Answer, { name, datatype, bytes }: Answer["outputs"][number]): Iterable<unknown> {
  return isDatatype(datatype) ? outputValues(answer, name, datatype) : bytes;
}

function compareValues(a: readonly unknown[], b: readonly unknown[], { absolute, relative }: Tolerance): string | null {
  let worst: { readonly place: number; readonly by: number } | null = null;
  let apart = 0;
  for (const [place, value] of a.entries()) {
    const by = distance(value, b[place]);
    const allowed = typeof value === "number" && Number.isFinite(value) ? absolute + relative * Math.abs(value) : 0;
    if (by <= allowed) continue;
    apart += 1;
    if (worst === null || by > worst.by) worst = { place, by };
  }
  if (worst === null) return null;
  const { place } = worst;
  return `differs in ${apart} of ${a.length} values, most at ${place}: ${shown(b[place])} instead of ${shown(a[place])}`;
}

/** How far two values are apart; infinitely, where they are not numbers and not the same. */
function distance(a: unknown, b: unknown): number {
  if (Object.is(a, b) || a === b) return 0;
  if (typeof a === "number" && typeof b === "number") {
    const by = Math.abs(a - b);
    return Number.isNaN(by) ? Number.POSITIVE_INFINITY : by;
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.from(a).equals(b)) return 0;
  return Number.POSITIVE_INFINITY;
}

function shown(value: unknown): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
