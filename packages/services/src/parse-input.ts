import { NereidError } from "@nereid/errors";
import type { z } from "zod";

/** Checks a verb's input; a mistake becomes INVALID_ARGUMENT with every field named. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidInput(result.error.issues);
}

/** The INVALID_ARGUMENT for what a schema found wrong: one sentence, field by field. */
export function invalidInput(found: readonly z.core.$ZodIssue[]): NereidError {
  const issues = found.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const text = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  return new NereidError("INVALID_ARGUMENT", text, { details: { issues } });
}
