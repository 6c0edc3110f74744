import { malformed } from "../wire/malformed.ts";
import { ProtoReader } from "../wire/proto-reader.ts";
import type { InferMessage, WireInput, WireParameter, WireRequestedOutput } from "./infer-message.ts";
import { readParameterEntry } from "./read-parameter.ts";
import { readShape } from "./read-shape.ts";

/** Far beyond any model; a million inputs would only cost time. */
const MOST_TENSORS = 10_000;

/**
 * Reads a ModelInferRequest (grpc.md §2) without copying tensors: `raw` and `contents` are views on `bytes`. Unknown fields are
 * skipped. INVALID_ARGUMENT when the bytes are no such message.
 */
export function decodeInferMessage(bytes: Uint8Array): InferMessage {
  const reader = new ProtoReader(bytes);
  let modelName = "";
  let modelVersion = "";
  let id = "";
  let parameters: Map<string, WireParameter> | undefined;
  const inputs: WireInput[] = [];
  const outputs: WireRequestedOutput[] = [];
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
        parameters = readParameterEntry(reader, parameters);
        break;
      case 5:
        inputs.push(readInput(reader));
        break;
      case 6:
        outputs.push(readOutput(reader));
        break;
      case 7:
        raw.push(reader.view("raw_input_contents"));
        break;
      default:
        reader.skip(field);
    }
    if (inputs.length + outputs.length + raw.length > MOST_TENSORS)
      throw malformed(`it has more than ${MOST_TENSORS} tensors`);
  }
  return { modelName, modelVersion, id, parameters, inputs, outputs, raw };
}

function readInput(reader: ProtoReader): WireInput {
  const outer = reader.enter("inputs");
  let name = "";
  let datatype = "";
  const shape: number[] = [];
  let parameters: Map<string, WireParameter> | undefined;
  let contents: Uint8Array[] | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    switch (field) {
      case 1:
        name = reader.string("an input's name");
        break;
      case 2:
        datatype = reader.string("datatype");
        break;
      case 3:
        readShape(reader, shape);
        break;
      case 4:
        parameters = readParameterEntry(reader, parameters);
        break;
      case 5:
        contents ??= [];
        contents.push(reader.view("contents"));
        break;
      default:
        reader.skip(field);
    }
  }
  reader.leave(outer);
  return { name, datatype, shape, parameters, contents };
}

function readOutput(reader: ProtoReader): WireRequestedOutput {
  const outer = reader.enter("outputs");
  let name = "";
  let parameters: Map<string, WireParameter> | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) name = reader.string("an output's name");
    else if (field === 2) parameters = readParameterEntry(reader, parameters);
    else reader.skip(field);
  }
  reader.leave(outer);
  return { name, parameters };
}
