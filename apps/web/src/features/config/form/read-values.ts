import { type ModelConfig, modelConfigToJson } from "@nereid/model-config";
import type { FormField, FormOption } from "./form-types.ts";

type Json = ReturnType<typeof modelConfigToJson>;

/** Reads values of a configuration by their paths, as texts for controls. Unset values are empty. */
export class Values {
  readonly #json: Json;

  constructor(config: ModelConfig) {
    this.#json = modelConfigToJson(config);
  }

  #at(path: string): Json | undefined {
    let at: Json | undefined = this.#json;
    for (const step of path.split(/[.[\]]+/).filter((part) => part !== "")) {
      if (typeof at !== "object" || at === null) return undefined;
      at = Array.isArray(at) ? at[Number(step)] : Object.hasOwn(at, step) ? at[step] : undefined;
    }
    return at;
  }

  has(path: string): boolean {
    return this.#at(path) !== undefined;
  }

  /** Number of elements of a repeated field. */
  count(path: string): number {
    const list = this.#at(path);
    return Array.isArray(list) ? list.length : 0;
  }

  text(path: string): string {
    const value = this.#at(path);
    return typeof value === "string" ? value : "";
  }

  integer(path: string): string {
    const value = this.#at(path);
    // Zero is how the format spells "not set".
    return value === undefined || value === null || Number(value) === 0 ? "" : String(value);
  }

  integers(path: string): string {
    const list = this.#at(path);
    return Array.isArray(list) ? list.map(String).join(", ") : "";
  }

  flag(path: string): boolean {
    return this.#at(path) === true;
  }
}

type Words = Pick<FormField, "label" | "hint" | "placeholder">;

/** Controls for values at paths. */
export function controlsOf(values: Values) {
  return {
    integer: (path: string, words: Words): FormField => ({
      path,
      kind: "integer",
      value: values.integer(path),
      ...words,
    }),
    integers: (path: string, words: Words): FormField => ({
      path,
      kind: "integers",
      value: values.integers(path),
      ...words,
    }),
    text: (path: string, words: Words & { suggestions?: readonly string[] }): FormField => ({
      path,
      kind: "text",
      value: values.text(path),
      ...words,
    }),
    flag: (path: string, words: Words): FormField => ({ path, kind: "flag", value: values.flag(path), ...words }),
    select: (path: string, words: Words & { options: readonly FormOption[]; empty?: string }): FormField => {
      const { empty, options, ...rest } = words;
      const value = values.text(path);
      return { path, kind: "select", value: value === empty ? "" : value, options, ...rest };
    },
  };
}
