import { z } from "zod";

export type JsonSchema = { readonly [key: string]: unknown };

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 uses; `io` says which side of transforms and defaults is meant. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const found = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
      // The pattern says what the format says, in half a page.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      // Later releases may add fields to answers.
      if (io === "output") delete jsonSchema.additionalProperties;
    },
  });
  const { $schema: _, "~standard": __, ...rest } = found as JsonSchema;
  return simplify(rest) as JsonSchema;
}

/** Alternatives that have become the same are one. */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, simplify(inner)]));
  const { anyOf, ...others } = fields;
  if (!Array.isArray(anyOf)) return fields;
  const distinct = [...new Map(anyOf.map((one) => [JSON.stringify(one), one])).values()];
  return distinct.length === 1 ? { ...others, ...(distinct[0] as object) } : { ...others, anyOf: distinct };
}

/** The properties of an object schema by name; none for other schemas. */
export function propertiesOf(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  const found = schema?.["properties"];
  return typeof found === "object" && found !== null ? (found as Record<string, JsonSchema>) : {};
}
