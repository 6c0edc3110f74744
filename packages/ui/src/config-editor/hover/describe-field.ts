import { schemaField } from "@nereid/model-config";
import { scanConfig } from "../language/scan-config.ts";
import { FIELD_DOCS } from "./field-docs.ts";

export interface FieldDescription {
  /** Span of the name that is described. */
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  /** What the field means; empty where nobody wrote it down. */
  readonly text: string;
  readonly unset: string | undefined;
  /** Values that may be written, where they are few. */
  readonly values: readonly string[];
}

/** The documentation of the field whose name is at a position; null elsewhere. */
export function describeField(text: string, position: number): FieldDescription | null {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const from = position - (/\w*$/.exec(line)?.[0].length ?? 0);
  const word = /^[A-Za-z_]\w*/.exec(text.slice(from))?.[0];
  if (word === undefined) return null;
  const { at, blocks } = scanConfig(text, from + word.length);
  if (at.kind !== "field") return null;
  const field = schemaField(blocks, word);
  if (field === undefined) return null;
  const docs = FIELD_DOCS[field.path];
  return {
    from,
    to: from + word.length,
    name: word,
    path: field.path,
    type: `${field.repeated && field.kind !== "map" ? "repeated " : ""}${field.type}`,
    text: docs?.text ?? "",
    unset: docs?.unset,
    values: field.values,
  };
}
