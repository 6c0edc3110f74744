/** What a reader wants of a document; everything else is checked and passed over, never built. */
export type JsonSchema =
  | "scalar"
  /** An array that is converted later: only its place is kept. */
  | "span"
  | { readonly members: readonly JsonMember[] }
  | { readonly each: JsonSchema }
  /** All members; those in `named` by a schema of their own. */
  | { readonly values: JsonSchema; readonly named?: Readonly<Record<string, JsonSchema>> };

/** A member a reader wants; `bytes` is its name as ASCII, to find it without building a string. */
export interface JsonMember {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly schema: JsonSchema;
}

/** Schema of an object of which only these members (with ASCII names) matter. */
export function objectOf(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    members: Object.entries(members).map(([name, schema]) => ({
      name,
      bytes: Uint8Array.from(Buffer.from(name)),
      schema,
    })),
  };
}
