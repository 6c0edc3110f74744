import { NereidError } from "@nereid/errors";
import { type InferResponse, inOneGo, type OutputTensor, type ParameterValue } from "@nereid/protocol";
import { ProtoReader } from "../wire/proto-reader.ts";
import { convertContents } from "./convert-contents.ts";
import type { WireParameter } from "./infer-message.ts";
import { readParameterEntry } from "./read-parameter.ts";
import { readShape } from "./read-shape.ts";

/** One message of a ModelStreamInfer answer. */
export interface StreamResponse {
  /** Empty unless the request failed. */
  readonly errorMessage: string;
  readonly response: InferResponse;
}

const NOTHING: InferResponse = { modelName: "", modelVersion: "", id: "", outputs: [] };

/** Reads a ModelInferResponse; tensors are views on `bytes`. INVALID_ARGUMENT when the bytes are no such message. */
export function decodeInferMessageResponse(bytes: Uint8Array): InferResponse {
  const reader = new ProtoReader(bytes);
  return readResponse(reader);
}

/** Reads a ModelStreamInferResponse. */
export function decodeStreamResponse(bytes: Uint8Array): StreamResponse {
  const reader = new ProtoReader(bytes);
  let errorMessage = "";
  let response = NOTHING;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) errorMessage = reader.string("error_message");
    else if (field === 2) {
      const outer = reader.enter("infer_response");
      response = readResponse(reader);
      reader.leave(outer);
    } else reader.skip(field);
  }
  return { errorMessage, response };
}

type Head = Omit<OutputTensor, "bytes"> & { readonly contents: readonly Uint8Array[] };

function readResponse(reader: ProtoReader): InferResponse {
  let modelName = "";
  let modelVersion = "";
  let id = "";
  let wired: Map<string, WireParameter> | undefined;
  const heads: Head[] = [];
  const raw: Uint8Array[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    switch (field) {
      case 1:
        modelName = reader.string("model_name");
        break;
      case 2:
        modelVersion = reader.string("model_version");
        break;
      case 3:
        id = reader.string("id");
        break;
      case 4:
        wired = readParameterEntry(reader, wired);
        break;
      case 5:
        heads.push(readHead(reader));
        break;
      case 6:
        raw.push(reader.view("raw_output_contents"));
        break;
      default:
        reader.skip(field);
    }
  }
  const outputs = heads.map((head, index) => withBytes(head, raw[index], modelName));
  const parameters = wired && plainParameters(wired);
  return { modelName, modelVersion, id, outputs, ...(parameters !== undefined && { parameters }) };
}

/** Triton always answers with raw entries; a server that answers with typed contents is understood too. */
function withBytes({ contents, ...head }: Head, raw: Uint8Array | undefined, modelName: string): OutputTensor {
  if (raw !== undefined) return { ...head, bytes: raw };
  if (contents.length === 0)
    throw new NereidError("INVALID_ARGUMENT", `the message has no data for output '${head.name}'`);
  const context = { inputName: head.name, modelName, datatype: head.datatype };
  return { ...head, bytes: inOneGo(convertContents(contents, context)) };
}

function readHead(reader: ProtoReader): Head {
  const outer = reader.enter("outputs");
  let name = "";
  let datatype = "";
  const shape: number[] = [];
  const contents: Uint8Array[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) name = reader.string("an output's name");
    else if (field === 2) datatype = reader.string("datatype");
    else if (field === 3) readShape(reader, shape);
    else if (field === 5) contents.push(reader.view("contents"));
    else reader.skip(field);
  }
  reader.leave(outer);
  return { name, datatype, shape, contents };
}

function plainParameters(wired: ReadonlyMap<string, WireParameter>): ReadonlyMap<string, ParameterValue> {
  const plain = new Map<string, ParameterValue>();
  for (const [key, parameter] of wired) if (parameter.kind !== "unset") plain.set(key, parameter.value);
  return plain;
}
