import { NereidError } from "@nereid/errors";
import { type Datatype, encodeTensorValues, isDatatype, writeBytesElements } from "@nereid/protocol";
import type { LooseOutput } from "../place-outputs.ts";
import { NUMERIC_ARRAYS } from "../typed-view.ts";

/**
 * An output of a script as bytes; a typed array is not copied. INTERNAL, naming the output, what was expected and what came, when
 * it is not an output of this datatype.
 */
export function encodeOutput(name: string, output: unknown, configured: Datatype | undefined): LooseOutput {
  if (typeof output !== "object" || output === null || !("shape" in output) || !("data" in output))
    throw wrong(name, `must be an object with shape and data, got ${kindOf(output)}`);
  const datatype = datatypeOf(name, "datatype" in output ? output.datatype : undefined, configured);
  const shape = shapeOf(name, output.shape);
  const elements = shape.reduce((product, dim) => product * dim, 1);
  const encode = { name, datatype, shape, elements };
  const bytes = datatype === "BYTES" ? textBytes(encode, output.data) : numberBytes(encode, datatype, output.data);
  return { kind: "loose", name, datatype, shape, bytes };
}

interface Expected {
  readonly name: string;
  readonly shape: readonly number[];
  readonly elements: number;
}

function datatypeOf(name: string, given: unknown, configured: Datatype | undefined): Datatype {
  if (given === undefined) {
    if (configured !== undefined) return configured;
    throw wrong(name, "is not in the model's configuration; give its datatype");
  }
  if (typeof given !== "string" || !isDatatype(given))
    throw wrong(name, `has datatype '${String(given)}', which is none`);
  if (configured !== undefined && given !== configured)
    throw wrong(name, `must be ${configured} as the model's configuration says, got ${given}`);
  return given;
}

function shapeOf(name: string, given: unknown): number[] {
  const shape = Array.isArray(given) ? given : ArrayBuffer.isView(given) ? Array.from(given as Int32Array) : undefined;
  if (shape === undefined || !shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0))
    throw wrong(name, `must have a shape of whole numbers, got ${shape ? `[${shape}]` : kindOf(given)}`);
  return shape;
}

function textBytes(expected: Expected, data: unknown): Uint8Array {
  const { name } = expected;
  if (!Array.isArray(data))
    throw wrong(name, `of datatype BYTES needs an array of texts and Buffers, got ${kindOf(data)}`);
  checkLength(expected, data.length);
  const odd = data.findIndex((element) => typeof element !== "string" && !(element instanceof Uint8Array));
  if (odd >= 0) throw wrong(name, `of datatype BYTES needs texts and Buffers, got ${kindOf(data[odd])} at ${odd}`);
  return writeBytesElements(data);
}

function numberBytes(expected: Expected, datatype: Exclude<Datatype, "BYTES">, data: unknown): Uint8Array {
  const { name } = expected;
  const Wanted = NUMERIC_ARRAYS[datatype];
  if (data instanceof Wanted) {
    checkLength(expected, data.length);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (!Array.isArray(data))
    throw wrong(name, `of datatype ${datatype} needs ${Wanted.name} or an array of its values, got ${kindOf(data)}`);
  checkLength(expected, data.length);
  const odd = data.findIndex((value) => !isValue(datatype, value));
  if (odd >= 0) throw wrong(name, `of datatype ${datatype} cannot hold ${kindOf(data[odd])} at ${odd}`);
  return encodeTensorValues(datatype, datatype === "BOOL" ? data.map(Boolean) : data);
}

/** Whether an array's element can be one of the tensor without becoming something else. */
function isValue(datatype: Exclude<Datatype, "BYTES">, value: unknown): boolean {
  switch (datatype) {
    case "BOOL":
      return typeof value === "boolean" || value === 0 || value === 1;
    case "FP16":
    case "BF16":
    case "FP32":
    case "FP64":
      return typeof value === "number";
    default:
      return typeof value === "bigint" || Number.isSafeInteger(value);
  }
}

function checkLength({ name, shape, elements }: Expected, got: number): void {
  if (got !== elements) throw wrong(name, `has shape [${shape}], which takes ${elements} elements, got ${got}`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return String(value);
  if (typeof value !== "object") return typeof value;
  return value.constructor?.name ?? "object";
}

function wrong(name: string, what: string): NereidError {
  return new NereidError("INTERNAL", `output '${name}' ${what}`);
}
