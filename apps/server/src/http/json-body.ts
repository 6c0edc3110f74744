import type { IncomingMessage } from "node:http";
import { NereidError } from "@nereid/errors";
import type { BodyShare } from "./body-budget.ts";
import { readBody } from "./read-body.ts";

const DEFAULT_LIMIT = 1 << 20;

/** The body as a JSON object; an empty body is an empty object. INVALID_ARGUMENT for anything else. */
export async function readJsonObject(from: {
  readonly request: IncomingMessage;
  readonly share: BodyShare;
  /** Most bytes; default 1 MiB. */
  readonly limit?: number;
}): Promise<Readonly<Record<string, unknown>>> {
  const body = await readBody(from.request, { limit: from.limit ?? DEFAULT_LIMIT, share: from.share });
  if (body.byteLength === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new NereidError("INVALID_ARGUMENT", "the body is not JSON", { fix: "send a JSON object", cause });
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed))
    throw new NereidError("INVALID_ARGUMENT", "the body must be a JSON object");
  return parsed as Readonly<Record<string, unknown>>;
}

/** A member that must be text. */
export function requiredText(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new NereidError("INVALID_ARGUMENT", `'${name}' must be a string`);
  return value;
}
