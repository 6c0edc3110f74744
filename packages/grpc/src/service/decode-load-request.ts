import { NereidError } from "@nereid/errors";
import { ProtoReader } from "../wire/proto-reader.ts";

/** A RepositoryModelLoadRequest by Triton's rules (grpc.md §6); files are views on the message. */
export interface LoadRequest {
  readonly repositoryName: string;
  readonly modelName: string;
  /** Model configuration as JSON text. */
  readonly config?: string;
  /** Content by `<version>/<path>` (the key without `file:`). */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface Parameter {
  kind: "bool" | "int64" | "string" | "bytes" | "unset";
  text: string;
  bytes: Uint8Array;
}

const FILE_PREFIX = "file:";
const EMPTY = new Uint8Array(0);

/** Reads a load request, which may carry whole models, without copying them. INVALID_ARGUMENT with Triton's texts. */
export function decodeLoadRequest(bytes: Uint8Array): LoadRequest {
  const reader = new ProtoReader(bytes);
  let repositoryName = "";
  let modelName = "";
  const parameters = new Map<string, Parameter>();
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) repositoryName = reader.string("repository_name");
    else if (field === 2) modelName = reader.string("model_name");
    else if (field === 3) readEntry(reader, parameters);
    else reader.skip(field);
  }
  return { repositoryName, modelName, ...sorted(parameters) };
}

function sorted(parameters: ReadonlyMap<string, Parameter>): Pick<LoadRequest, "config" | "files"> {
  const files = new Map<string, Uint8Array>();
  let config: string | undefined;
  for (const [key, parameter] of parameters) {
    if (key === "config") {
      if (parameter.kind !== "string") throw wrongType(key, "string_param");
      config = parameter.text;
    } else if (key.startsWith(FILE_PREFIX)) {
      if (parameter.kind !== "bytes") throw wrongType(key, "bytes_param");
      files.set(key.slice(FILE_PREFIX.length), parameter.bytes);
    } else throw new NereidError("INVALID_ARGUMENT", `unrecognized load parameter '${key}'.`);
  }
  return { ...(config !== undefined && { config }), files };
}

function wrongType(key: string, expected: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `invalid value type for load parameter '${key}', expected ${expected}.`);
}

function readEntry(reader: ProtoReader, parameters: Map<string, Parameter>): void {
  const outer = reader.enter("parameters");
  let key = "";
  const parameter: Parameter = { kind: "unset", text: "", bytes: EMPTY };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = reader.string("a parameter's name");
    else if (field === 2) readParameter(reader, parameter);
    else reader.skip(field);
  }
  reader.leave(outer);
  parameters.set(key, parameter);
}

function readParameter(reader: ProtoReader, into: Parameter): void {
  const outer = reader.enter("a parameter");
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) {
      reader.bool("bool_param");
      into.kind = "bool";
    } else if (field === 2) {
      reader.int64("int64_param");
      into.kind = "int64";
    } else if (field === 3) {
      into.text = reader.string("string_param");
      into.kind = "string";
    } else if (field === 4) {
      into.bytes = reader.view("bytes_param");
      into.kind = "bytes";
    } else reader.skip(field);
  }
  reader.leave(outer);
}
