import { BATCHING_DOCS } from "./field-docs-batching.ts";
import { MODEL_DOCS } from "./field-docs-model.ts";
import { RUNTIME_DOCS } from "./field-docs-runtime.ts";

export interface FieldDoc {
  /** One sentence in our own words, with the unit. */
  readonly text: string;
  /** What holds when the field is not there. */
  readonly unset?: string;
}

/** What the fields mean, by schema path. */
export const FIELD_DOCS: Readonly<Record<string, FieldDoc>> = { ...MODEL_DOCS, ...BATCHING_DOCS, ...RUNTIME_DOCS };
