/** A field of what may be an object; null is no value. Pure, as all here. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name] ?? undefined;
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tokens that an answer, or a piece of one, says it has made; 0 = it does not say. */
export function tokensOf(answer: unknown): number {
  const told = field(field(answer, "usage"), "completion_tokens");
  return typeof told === "number" ? told : 0;
}
