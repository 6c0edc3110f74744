import { NereidError } from "@nereid/errors";
import { decodeBase64 } from "./base64.ts";
import { asBoolean, asObject, asString } from "./json-access.ts";
import { type JsonObject, readJsonDocument } from "./json-document.ts";
import { type JsonSchema, objectOf } from "./json-schema.ts";
import { inOneGo } from "./slices.ts";

/** Overrides of a load; see http.md §6. */
export interface LoadBody {
  /** Model configuration as JSON text. */
  readonly config?: string;
  /** Content by `<version>/<path>` (the key without `file:`). Paths are not checked here. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const FILE_PREFIX = "file:";

/** Body of `POST /v2/repository/index`; empty = no filter. Throws INVALID_ARGUMENT when `ready` is no boolean. */
export function parseRepositoryIndexBody(body: Uint8Array): { readonly ready: boolean } {
  const ready = readBody(body, objectOf({ ready: "scalar" }))?.get("ready");
  if (ready === undefined) return { ready: false };
  if (typeof ready === "boolean") return { ready };
  throw new NereidError("INVALID_ARGUMENT", "Invalid value for 'ready': expected a boolean");
}

/** Body of `…/load`; empty = no overrides. Throws INTERNAL for values that are no string and for unknown keys. */
export function parseLoadBody(body: Uint8Array): LoadBody {
  const files = new Map<string, Uint8Array>();
  let config: string | undefined;
  for (const [key, node] of parametersOf(body, { values: "scalar" })) {
    const value = asString(node, key);
    if (key === "config") config = value;
    else if (key.startsWith(FILE_PREFIX)) files.set(key.slice(FILE_PREFIX.length), fileOf(value, key));
    else throw new NereidError("INTERNAL", "unexpected error on creating Triton parameter");
  }
  return { ...(config === undefined ? {} : { config }), files };
}

/** Body of `…/unload`; empty = the model alone. Throws INTERNAL when `unload_dependents` is no boolean. */
export function parseUnloadBody(body: Uint8Array): { readonly unloadDependents: boolean } {
  const key = "unload_dependents";
  const node = parametersOf(body, objectOf({ [key]: "scalar" })).get(key);
  return { unloadDependents: node === undefined ? false : asBoolean(node, key) };
}

function parametersOf(body: Uint8Array, schema: JsonSchema): JsonObject {
  const parameters = readBody(body, objectOf({ parameters: schema }))?.get("parameters");
  return parameters === undefined ? new Map() : asObject(parameters, "parameters");
}

function readBody(body: Uint8Array, schema: JsonSchema): JsonObject | undefined {
  return body.length === 0 ? undefined : asObject(inOneGo(readJsonDocument(body, schema)), "parameters");
}

function fileOf(text: string, key: string): Uint8Array {
  const bytes = decodeBase64(text);
  // A broken upload must not become a silently shorter file.
  if (bytes === undefined) throw new NereidError("INVALID_ARGUMENT", `load parameter '${key}' is not valid base64`);
  return bytes;
}
