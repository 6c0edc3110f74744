import { isDatatype, outputValues } from "@nereid/client";

type Answer = Parameters<typeof outputValues>[0];

/** Most values of an output that are shown. */
export const MOST_VALUES = 1_000;
/** Letters of one text. */
const MOST_LETTERS = 10_000;

/** Numbers without an exact form in JSON are texts: whole ones beyond 2^53, NaN and the infinities. */
export type TryValue = number | string | boolean;

export interface TryClass {
  readonly value: number;
  readonly index: number;
  readonly label: string | null;
}

export interface TryOutput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Elements there are, of which `values` are the first 1,000. */
  readonly count: number;
  readonly bytes: number;
  readonly values: readonly TryValue[];
  /** Where classes were asked for: of each element of `values`, its parts. */
  readonly classes: readonly TryClass[] | null;
}

/** The outputs of an answer as they are shown. `classes`: the outputs of which classes were asked for. Pure. */
export function readOutputs(answer: Answer, classes: ReadonlySet<string> = new Set()): TryOutput[] {
  return answer.outputs.map(({ name, datatype, shape, bytes }) => {
    const { count, values } = valuesOf(answer, name, datatype);
    const parsed = classes.has(name) && datatype === "BYTES" ? values.flatMap(parseClass) : null;
    return { name, datatype, shape: [...shape], count, bytes: bytes.byteLength, values, classes: parsed };
  });
}

function valuesOf(answer: Answer, name: string, datatype: string): Pick<TryOutput, "count" | "values"> {
  if (!isDatatype(datatype)) return { count: 0, values: [] };
  if (datatype === "BYTES") {
    const all = outputValues(answer, name, "BYTES");
    return { count: all.length, values: all.slice(0, MOST_VALUES).map(textOf) };
  }
  if (datatype === "BOOL") {
    const all = outputValues(answer, name, "BOOL");
    return { count: all.length, values: all.slice(0, MOST_VALUES) };
  }
  const all = outputValues(answer, name, datatype);
  const first: Iterable<number | bigint> = all.subarray(0, MOST_VALUES);
  return { count: all.length, values: Array.from(first, (value) => numberOf(value, datatype)) };
}

function numberOf(value: number | bigint, datatype: string): TryValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (!Number.isFinite(value)) return String(value);
  // Widened to a double it would show digits that nobody computed.
  return datatype === "FP32" ? Number(value.toPrecision(9)) : value;
}

/** UTF-8 where it is that, else its bytes in hexadecimal. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).slice(0, MOST_LETTERS);
  } catch {
    return `0x${Buffer.from(bytes.subarray(0, MOST_LETTERS / 2)).toString("hex")}`;
  }
}

/** `value:index[:label]`, as the classification extension writes it. */
export function parseClass(text: TryValue): TryClass[] {
  const found = /^([^:]*):(\d+)(?::([\s\S]*))?$/.exec(String(text));
  if (found === null) return [];
  const [, value = "", index = "", label] = found;
  return [{ value: Number(value), index: Number(index), label: label ?? null }];
}
