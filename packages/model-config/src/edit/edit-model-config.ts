import { NereidError } from "@nereid/errors";
import { applyEdits } from "../diagnostic.ts";
import { parseTree } from "../text/parse-tree.ts";
import type { ConfigDocument } from "../text/tree.ts";
import { type ConfigEdit, planEdit } from "./plan-edit.ts";

/**
 * Applies changes one after the other and answers the new text; comments and layout elsewhere stay as they are. Setting
 * a member of a oneof removes the other members; removing what is not there does nothing. Throws NereidError
 * INVALID_ARGUMENT for broken text, unknown paths and values that do not suit their field.
 */
export function editModelConfig(document: ConfigDocument, edits: readonly ConfigEdit[]): string {
  let current = document;
  for (const edit of edits) {
    if (!current.wellFormed) {
      throw new NereidError("INVALID_ARGUMENT", "the config text has syntax errors; correct them before editing it");
    }
    const text = applyEdits(current.text, planEdit(current, edit));
    current = parseTree(text, current.file).document;
  }
  return current.text;
}
