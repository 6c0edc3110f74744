import { NereidError } from "@nereid/errors";
import { encodeTensorValues } from "@nereid/protocol";
import { type DescribedTensor, elementCount, fixedShape } from "./tensor-plan.ts";

/** A tensor of one request, batch 1. */
export interface InputTensor {
  readonly name: string;
  readonly datatype: DescribedTensor["datatype"];
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The inputs of one request. */
export type InputStep = readonly InputTensor[];

export interface InputDataContext {
  /** Where it came from, for messages. */
  readonly file: string;
  readonly tensors: readonly DescribedTensor[];
  /** `--shape` by input. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

/**
 * The streams of an `--input-data` JSON file: requests one after the other. A plain list of requests is one stream. INVALID_ARGUMENT,
 * naming the place, for what cannot be sent. Pure.
 */
export function parseInputData(json: string, context: InputDataContext): InputStep[][] {
  const document = parse(json, context.file);
  if (Array.isArray(document["validation_data"])) {
    throw wrong(
      context.file,
      "validation_data is not compared here",
      "take it out; compare answers with: nereid infer",
    );
  }
  const data = document["data"];
  if (!Array.isArray(data) || data.length === 0)
    throw wrong(context.file, "'data' is no list with a request in it", 'write {"data": [{"INPUT": [1, 2, 3]}]}');
  const lists: unknown[] = data;
  const streams = Array.isArray(lists[0]) ? lists : [lists];
  return streams.map((stream, index) => {
    const at = `data[${index}]`;
    if (!Array.isArray(stream) || stream.length === 0)
      throw wrong(context.file, `${at} is no list of requests`, "use either requests or lists of requests");
    return stream.map((step: unknown, number) => readStep(step, { ...context, at: `${at}[${number}]` }));
  });
}

interface Place extends InputDataContext {
  readonly at: string;
}

function readStep(step: unknown, place: Place): InputStep {
  if (!isObject(step)) throw wrong(place.file, `${place.at} is no request`, "write its inputs by name");
  const known = new Set(place.tensors.map(({ name }) => name));
  const unknown = Object.keys(step).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw wrong(
      place.file,
      `${place.at}: the model has no input '${unknown}'`,
      `its inputs are ${[...known].join(", ")}`,
    );
  }
  return place.tensors.flatMap((tensor) => {
    const value = step[tensor.name];
    if (value !== undefined) return [readTensor(tensor, value, { ...place, at: `${place.at}.${tensor.name}` })];
    if (tensor.optional) return [];
    throw wrong(place.file, `${place.at}: input '${tensor.name}' is missing`, "give every input that is not optional");
  });
}

function readTensor(tensor: DescribedTensor, value: unknown, place: Place): InputTensor {
  const { name, datatype } = tensor;
  const wrapped = isObject(value) && "content" in value ? value : { content: value };
  const shape = fixedShape(tensor, readShape(wrapped["shape"], place) ?? place.shapes.get(name));
  const bytes = readContent(tensor, wrapped["content"], { ...place, count: elementCount(shape) });
  return { name, datatype, shape, bytes };
}

function readShape(shape: unknown, { file, at }: Place): number[] | undefined {
  if (shape === undefined) return undefined;
  if (Array.isArray(shape) && shape.every((dim): dim is number => Number.isInteger(dim) && dim >= 0)) return shape;
  throw wrong(file, `${at}: 'shape' is no list of whole numbers`, 'write it as in "shape": [2, 8]');
}

function readContent(tensor: DescribedTensor, content: unknown, place: Place & { readonly count: number }): Uint8Array {
  const { file, at, count } = place;
  if (isObject(content)) {
    const text = content["b64"];
    if (typeof text !== "string") throw wrong(file, `${at} has neither values nor 'b64'`, 'write {"b64": "…"}');
    return new Uint8Array(Buffer.from(text, "base64"));
  }
  const flat: unknown[] = Array.isArray(content) ? content.flat(Number.POSITIVE_INFINITY) : [content];
  if (flat.length !== count)
    throw wrong(file, `${at}: ${flat.length} values for a tensor of ${count}`, "give all values, row by row");
  const values = flat.map((one) => (tensor.datatype === "BOOL" && typeof one === "number" ? one !== 0 : one));
  if (!isOneKind(values))
    throw wrong(file, `${at}: values of a kind that no tensor has`, `it wants ${tensor.datatype}`);
  try {
    return encodeTensorValues(tensor.datatype, values);
  } catch (cause) {
    throw wrong(file, `${at}: ${NereidError.from(cause).message}`, `it wants ${tensor.datatype}`);
  }
}

function isOneKind(values: readonly unknown[]): values is number[] | string[] | boolean[] {
  const [first] = values;
  const kind = typeof first;
  return values.every((one) => typeof one === kind) && ["number", "string", "boolean", "undefined"].includes(kind);
}

function parse(json: string, file: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (cause) {
    throw wrong(file, `it is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, "correct it");
  }
  if (isObject(document)) return document;
  throw wrong(file, "it is no object", 'write {"data": [...]}');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(file: string, problem: string, fix: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `${file}: ${problem}`, { fix, details: { option: true } });
}
