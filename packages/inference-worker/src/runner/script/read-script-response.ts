import { NereidError } from "@nereid/errors";
import type { Datatype, ParameterValue } from "@nereid/protocol";
import { toWireParameters, type WireParameters } from "../../runner-protocol/parameters.ts";
import type { LooseOutput } from "../place-outputs.ts";
import { encodeOutput } from "./encode-output.ts";

/** A response as it goes out, its bytes still in the script's memory. */
export interface EncodedResponse {
  readonly outputs: readonly LooseOutput[];
  readonly parameters?: WireParameters;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Error classes a script may name; also as Triton's Python backend spells them. */
const CODES: Readonly<Record<string, string>> = { INVALID_ARG: "INVALID_ARGUMENT" };

/**
 * What a script gave as a response. Outputs that were not asked for are left out, outputs that are missing stay missing. INTERNAL
 * when it is no response.
 */
export function readScriptResponse(
  response: unknown,
  wanted: { readonly outputs: readonly string[]; readonly datatypes: ReadonlyMap<string, Datatype> },
): EncodedResponse {
  if (typeof response !== "object" || response === null)
    throw new NereidError("INTERNAL", `a response must be an object with outputs or an error, got ${typeof response}`);
  const { outputs, parameters, error } = response as Readonly<Record<string, unknown>>;
  const encoded = parameters === undefined ? {} : { parameters: readParameters(parameters) };
  if (error !== undefined && error !== null) return { outputs: [], ...encoded, error: readError(error) };
  if (outputs !== undefined && (typeof outputs !== "object" || outputs === null))
    throw new NereidError("INTERNAL", `the outputs of a response must be an object by name, got ${typeof outputs}`);
  const named = new Map(Object.entries(outputs ?? {}));
  return {
    outputs: wanted.outputs
      .filter((name) => named.has(name))
      .map((name) => encodeOutput(name, named.get(name), wanted.datatypes.get(name))),
    ...encoded,
  };
}

function readError(error: unknown): { code: string; message: string } {
  if (typeof error !== "object" || error === null) return { code: "INTERNAL", message: String(error) };
  const { code, message } = error as Readonly<Record<string, unknown>>;
  const named = typeof code === "string" ? code : "INTERNAL";
  return { code: CODES[named] ?? named, message: String(message) };
}

function readParameters(parameters: unknown): WireParameters {
  if (typeof parameters !== "object" || parameters === null)
    throw new NereidError("INTERNAL", `the parameters of a response must be an object, got ${typeof parameters}`);
  return toWireParameters(new Map(Object.entries(parameters).map(([name, value]) => [name, readValue(name, value)])));
}

/** JavaScript has one kind of number: whole ones are int64, as people mean them. */
function readValue(name: string, value: unknown): ParameterValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "bigint" && value >= -(2n ** 63n) && value < 2n ** 64n) return value;
  throw new NereidError("INTERNAL", `parameter '${name}' of a response is no text, boolean or number of 64 bits`);
}
