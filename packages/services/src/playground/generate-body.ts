import { type InferCall, outputValues } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { MOST_VALUES, type TryOutput, type TryValue } from "./read-output.ts";
import type { TryRequest, TryTensor } from "./try-input.ts";

/** The inputs as the calls of the client take them. Pure. */
export function callInputs(inputs: readonly TryTensor[]): InferCall["inputs"] {
  return inputs.map((input) =>
    "base64" in input
      ? { name: input.name, datatype: input.datatype, shape: input.shape, data: Buffer.from(input.base64, "base64") }
      : { name: input.name, datatype: input.datatype, shape: input.shape, data: input.text },
  );
}

/** The body of a generate call: inputs by name, one-element ones as scalars. INVALID_ARGUMENT for half-precision inputs. Pure. */
export function generateBodyOf({
  inputs,
  parameters,
}: Pick<TryRequest, "inputs" | "parameters">): Record<string, unknown> {
  const body: Record<string, unknown> = { ...parameters };
  for (const input of inputs) {
    const values = flatValues(input);
    body[input.name] = values.length === 1 ? values[0] : values;
  }
  return body;
}

function flatValues(input: TryTensor): readonly unknown[] {
  if (!("base64" in input)) return input.text;
  const { name, datatype, shape, base64 } = input;
  if (datatype === "FP16" || datatype === "BF16") {
    throw new NereidError("INVALID_ARGUMENT", `input '${name}': ${datatype} cannot be sent to the generate extension`, {
      fix: "send the request over gRPC",
    });
  }
  const bytes = Buffer.from(base64, "base64");
  const tensor = { name, datatype, shape, bytes };
  const answer = { modelName: "", modelVersion: "", id: "", outputs: [tensor] };
  const values: Iterable<unknown> = outputValues(answer, name, datatype);
  return [...values];
}

/** The outputs in one flat answer of the generate extension; what is no output of the model is left out. Pure. */
export function outputsOfGenerate(
  answer: Readonly<Record<string, unknown>>,
  datatypes: ReadonlyMap<string, string>,
): TryOutput[] {
  return [...datatypes].flatMap(([name, datatype]) => {
    const told = answer[name];
    if (told === undefined) return [];
    const all = Array.isArray(told) ? told : [told];
    const values = all.slice(0, MOST_VALUES).map(shownValue);
    const bytes = all.reduce((sum: number, value) => sum + Buffer.byteLength(String(value)), 0);
    return [{ name, datatype, shape: [all.length], count: all.length, bytes, values, classes: null }];
  });
}

function shownValue(value: unknown): TryValue {
  if (typeof value === "boolean" || typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : String(value);
}
