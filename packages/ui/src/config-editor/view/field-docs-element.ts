import type { FieldDescription } from "../hover/describe-field.ts";

/** The documentation of a field as an element; text only, nothing of it is read as markup. */
export function fieldDocsElement({ name, type, text, unset, values }: FieldDescription): HTMLElement {
  const root = document.createElement("div");
  root.className = "cm-field-docs";
  const head = document.createElement("p");
  const code = document.createElement("code");
  code.textContent = name;
  const kind = document.createElement("span");
  kind.className = "cm-soft";
  kind.textContent = `  ${type}`;
  head.append(code, kind);
  root.append(head);
  const lines = [
    { words: text, soft: false },
    { words: unset === undefined ? "" : `When it is not there: ${unset}.`, soft: true },
    { words: values.length === 0 ? "" : `One of ${values.join(", ")}.`, soft: true },
  ];
  for (const { words, soft } of lines) {
    if (words === "") continue;
    const line = document.createElement("p");
    line.textContent = words;
    if (soft) line.className = "cm-soft";
    root.append(line);
  }
  return root;
}
