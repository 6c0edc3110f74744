import { NereidError } from "@nereid/errors";
import { type JsonSchema, propertiesOf, toJsonSchema } from "./json-schema.ts";
import type { RestOperation } from "./routes.ts";

/** 1 MiB for everything and half a one for a configuration's text. */
export const MOST_BODY_BYTES = 1.5 * 1024 * 1024;
/** What is read and thrown away of a body that is too large, so that the connection can take the next request. */
const MOST_DRAINED_BYTES = 64 * 1024 * 1024;

const SCHEMAS = new WeakMap<RestOperation, JsonSchema>();

/**
 * The input of an operation: the path's parameters over the body over the query. Texts of path and query become numbers and booleans
 * where the schema asks for them; what is wrong with them the procedure says. Throws INVALID_ARGUMENT or PAYLOAD_TOO_LARGE.
 */
export async function readInput(
  request: Request,
  operation: RestOperation,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (operation.input === undefined) return undefined;
  const properties = propertiesOf(inputSchemaOf(operation));
  const query: Record<string, unknown> = {};
  for (const name of new Set(new URL(request.url).searchParams.keys())) {
    const values = new URL(request.url).searchParams.getAll(name);
    query[name] = coerce(values, properties[name]);
  }
  const body = request.method === "GET" ? {} : await readBody(request);
  return { ...query, ...body, ...params };
}

export function inputSchemaOf(operation: RestOperation): JsonSchema | undefined {
  if (operation.input === undefined) return undefined;
  const known = SCHEMAS.get(operation) ?? toJsonSchema(operation.input, "input");
  SCHEMAS.set(operation, known);
  return known;
}

function coerce(values: readonly string[], schema: JsonSchema | undefined): unknown {
  const [text = ""] = values;
  switch (schema?.["type"]) {
    case "number":
    case "integer":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "array":
      return values.flatMap((value) => value.split(","));
    default:
      return values.length > 1 ? values : text;
  }
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(json|merge-patch\+json)\s*(;|$)/i.test(type)) {
    throw new NereidError("INVALID_ARGUMENT", "the body is not JSON", { fix: "send content-type: application/json" });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NereidError("INVALID_ARGUMENT", "the body is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new NereidError("INVALID_ARGUMENT", "the body must be a JSON object");
  }
  return value as Record<string, unknown>;
}

/** Reads no more than is allowed, whatever the length says. */
async function readText(request: Request): Promise<string> {
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString("utf8");
    bytes += value.byteLength;
    if (bytes <= MOST_BODY_BYTES) chunks.push(value);
    else {
      await drain(reader);
      throw new NereidError("PAYLOAD_TOO_LARGE", `the body is larger than ${MOST_BODY_BYTES} bytes`);
    }
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let bytes = 0; bytes < MOST_DRAINED_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.byteLength;
  }
  await reader.cancel();
}
