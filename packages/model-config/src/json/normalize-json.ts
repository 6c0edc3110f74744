import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { closest } from "../text/closest.ts";

/** A value the config JSON must not hold. */
export interface JsonProblem {
  readonly path: string;
  readonly message: string;
}

/**
 * Walks protobuf JSON along the descriptors: brings enum names to their spelling (Triton ignores case), and collects
 * unknown fields and 64-bit integers that JSON numbers cannot carry.
 */
export function normalizeJson(value: JsonValue, desc: DescMessage, problems: JsonProblem[]): JsonValue {
  return new Walk(problems).message(value, desc, "");
}

class Walk {
  readonly #problems: JsonProblem[];

  constructor(problems: JsonProblem[]) {
    this.#problems = problems;
  }

  message(value: JsonValue, desc: DescMessage, path: string): JsonValue {
    if (!isObject(value)) return value;
    const entries: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(value)) {
      const field = desc.fields.find((candidate) => candidate.name === key || candidate.jsonName === key);
      const inner = path === "" ? key : `${path}.${key}`;
      if (field === undefined) {
        const meant = closest(
          key,
          desc.fields.map((candidate) => candidate.name),
        );
        const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
        this.#problems.push({ path: inner, message: `unknown field ${key}${hint}` });
      } else {
        entries.push([key, this.#field(item, field, inner)]);
      }
    }
    return Object.fromEntries(entries);
  }

  #field(value: JsonValue, field: DescField, path: string): JsonValue {
    if (field.fieldKind === "list" && Array.isArray(value)) {
      return value.map((item, index) => this.#single(item, field, `${path}[${index}]`));
    }
    if (field.fieldKind === "map" && isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, this.#single(item, field, `${path}[${JSON.stringify(key)}]`)]),
      );
    }
    return this.#single(value, field, path);
  }

  #single(value: JsonValue, field: DescField, path: string): JsonValue {
    if (field.message !== undefined) return this.message(value, field.message, path);
    if (field.enum !== undefined) {
      if (typeof value !== "string") return value;
      const upper = value.toUpperCase();
      return field.enum.values.find((candidate) => candidate.name.toUpperCase() === upper)?.name ?? value;
    }
    const wide = field.scalar === ScalarType.INT64 || field.scalar === ScalarType.UINT64;
    if (wide && typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#problems.push({ path, message: `${value} is too large for a JSON number; write it as a string` });
    }
    return value;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
