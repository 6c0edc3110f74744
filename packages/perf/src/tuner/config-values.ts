import type { TuningJson } from "./tuning-types.ts";

/** The object that stands there; an empty one where there is something else. */
export function configObject(value: TuningJson | undefined): { readonly [name: string]: TuningJson } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: TuningJson }) // Array.isArray does not narrow readonly arrays away.
    : {};
}

/** The text that stands there; empty where there is something else. */
export function configText(value: TuningJson | undefined): string {
  return typeof value === "string" ? value : "";
}
