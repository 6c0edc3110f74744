import { NereidError } from "@nereid/errors";
import type { z } from "zod";

/** Checks a verb's input; a mistake becomes INVALID_ARGUMENT with every field named. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const unkept = unkeepableAt(input);
  if (unkept !== undefined) {
    throw invalidInput([
      { code: "custom", path: unkept, message: "has a character that cannot be kept: NUL, or half of a pair", input },
    ]);
  }
  return parsePassing(schema, input);
}

/** As parseInput, for what is passed on and not kept: a tensor's text may hold NUL. */
export function parsePassing<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidInput(result.error.issues);
}

const DEEPEST = 40;

/** With the flag, a surrogate is one without its other half. */
const UNKEEPABLE = /[\0\p{Surrogate}]/u;

/**
 * Where a text stands that no database keeps as it is: with NUL, which PostgreSQL refuses, or with half of a surrogate pair. Values of
 * records count, and their keys; what lies deeper than anything the verbs take is left to the schema.
 */
function unkeepableAt(value: unknown, depth = 0): string[] | undefined {
  if (typeof value === "string") return UNKEEPABLE.test(value) ? [] : undefined;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return undefined;
  if (ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    for (const [place, one] of value.entries()) {
      // Tensors are long, and of numbers.
      if (typeof one === "number") continue;
      const inside = unkeepableAt(one, depth + 1);
      if (inside !== undefined) return [String(place), ...inside];
    }
    return undefined;
  }
  for (const [key, one] of Object.entries(value)) {
    const inside = unkeepableAt(key) ?? unkeepableAt(one, depth + 1);
    if (inside !== undefined) return [key, ...inside];
  }
  return undefined;
}

/** The INVALID_ARGUMENT for what a schema found wrong: one sentence, field by field. */
export function invalidInput(found: readonly z.core.$ZodIssue[]): NereidError {
  const issues = found.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const text = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  return new NereidError("INVALID_ARGUMENT", text, { details: { issues } });
}
