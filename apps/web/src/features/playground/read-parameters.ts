import type { TryRequest } from "@nereid/services";

export type ReadParameters =
  | { readonly kind: "read"; readonly parameters: TryRequest["parameters"] }
  | { readonly kind: "wrong"; readonly problem: string };

/** Parameters of a request from a JSON object; none from an empty text. Pure. */
export function readParameters(text: string): ReadParameters {
  if (text.trim() === "") return { kind: "read", parameters: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "wrong", problem: 'write a JSON object, as in {"temperature": 0.2}' };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "wrong", problem: 'write a JSON object, as in {"temperature": 0.2}' };
  const parameters: TryRequest["parameters"] = {};
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== "string" && typeof one !== "number" && typeof one !== "boolean")
      return { kind: "wrong", problem: `'${name}' must be a text, a number, true or false` };
    parameters[name] = one;
  }
  return { kind: "read", parameters };
}
