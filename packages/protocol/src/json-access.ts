import { NereidError } from "@nereid/errors";
import { type JsonNode, type JsonObject, JsonOpaque } from "./json-document.ts";

/*
 * Typed access to document nodes. Every failure is INTERNAL (500) with Triton's accessor text: http.md §1 and §7.
 */

/** The error for a member that cannot be used. */
export function accessError(key: string, text: string): NereidError {
  return new NereidError("INTERNAL", `Unable to parse '${key}': ${text}`);
}

export function isObject(node: JsonNode | undefined): node is JsonObject {
  return node instanceof Map;
}

/** The node itself as object. An object the schema does not look into is an empty one. */
export function asObject(node: JsonNode | undefined, key: string): JsonObject {
  if (isObject(node)) return node;
  if (node instanceof JsonOpaque && node.type === "object") return new Map();
  throw accessError(key, "attempt to access JSON non-object as object");
}

export function asArray(node: JsonNode | undefined, key: string): readonly JsonNode[] {
  if (Array.isArray(node)) return node as readonly JsonNode[];
  throw accessError(key, "attempt to access JSON non-array as array");
}

/** The member's node. Throws when there is none. */
export function requireMember(object: JsonObject, key: string): JsonNode {
  const node = object.get(key);
  if (node === undefined) throw accessError(key, `attempt to access non-existing object member '${key}'`);
  return node;
}

/** The member's node; `fallback` only where there is none: a null is a value of the wrong type. */
export function memberOr(object: JsonObject, key: string, fallback: JsonNode): JsonNode {
  const node = object.get(key);
  return node === undefined ? fallback : node;
}

export function asString(node: JsonNode, key: string): string {
  if (typeof node === "string") return node;
  throw accessError(key, "attempt to access JSON non-string as string");
}

export function asBoolean(node: JsonNode, key: string): boolean {
  if (typeof node === "boolean") return node;
  throw accessError(key, "attempt to access JSON non-boolean as boolean");
}

/** An integer of 0 … 2^64-1. */
export function asUnsigned(node: JsonNode, key: string): bigint {
  if (typeof node === "bigint" && node >= 0n) return node;
  throw accessError(key, "attempt to access JSON non-unsigned-integer as unsigned-integer");
}
