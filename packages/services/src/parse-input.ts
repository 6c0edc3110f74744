import { NereidError } from "@nereid/errors";
import type { z } from "zod";

/** Checks a verb's input; a mistake becomes INVALID_ARGUMENT with every field named. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const text = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  throw new NereidError("INVALID_ARGUMENT", text, { details: { issues } });
}
