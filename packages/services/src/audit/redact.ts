const SECRET_NAME = /passw|secret|token|authorization|cookie|credential|backupcode|^hash$/i;
const SECRET_VALUE = /\bnrd_[A-Za-z0-9_-]{8,}/g;

/**
 * What of a value may stand in the audit trail: plain JSON without secrets, and without the characters that PostgreSQL does not
 * take. Undefined fields and functions are dropped.
 */
export function redact(value: unknown): unknown {
  if (value === undefined) return undefined;
  return clean(JSON.parse(JSON.stringify(value) ?? "null"));
}

/** A text without NUL, half surrogates and keys. */
export function cleanText(text: string): string {
  return text
    .replaceAll("\0", "")
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replace(SECRET_VALUE, "nrd_…");
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      cleanText(name),
      SECRET_NAME.test(name) ? "[removed]" : clean(inner),
    ]),
  );
}
