import { NereidError } from "@nereid/errors";
import { asObject } from "./json-access.ts";
import { type JsonObject, readJsonDocument } from "./json-document.ts";
import type { JsonSchema } from "./json-schema.ts";
import { inOneGo } from "./slices.ts";

/** The object in the body of a settings request. INTERNAL for an empty body, wrong syntax, and what is no object. */
export function readSettings(body: Uint8Array, schema: JsonSchema): JsonObject {
  return asObject(inOneGo(readJsonDocument(body, schema)), "settings");
}

/** INTERNAL with Triton's accessor text, and the setting it is about. */
export function settingError(expected: string, setting: string): NereidError {
  const article = "aeiou".includes(expected.charAt(0)) ? "an" : "a";
  const text = `attempt to access JSON non-${expected} as ${expected}`;
  return new NereidError("INTERNAL", `${text}: '${setting}' must be ${article} ${expected}`);
}
