/**
 * The closed set of diagnostic codes. The first block is the reader's, the second the validator's, the third the
 * loader's. A code never changes its meaning: editors and the documentation link to it.
 */
export const DIAGNOSTIC_CODES = [
  "too-large",
  "too-deep",
  "too-many-errors",
  "byte-order-mark",
  "invalid-utf8",
  "slash-comment",
  "curly-quote",
  "unterminated-string",
  "bad-escape",
  "unexpected-token",
  "stray-separator",
  "unclosed-block",
  "unclosed-list",
  "unmatched-closer",
  "trailing-comma",
  "missing-comma",
  "missing-braces",
  "missing-colon",
  "missing-value",
  "equals-sign",
  "quoted-field-name",
  "nested-list",
  "unknown-field",
  "duplicate-field",
  "oneof-conflict",
  "wrong-type",
  "bad-number",
  "number-range",
  "bad-bool",
  "unknown-enum",
  "quoted-enum",
  "quoted-number",
  "unquoted-string",
  "list-for-single",
  "message-expected",
  "scalar-expected",
  "map-entry",
  "unknown-backend",
  "unknown-platform",
  "unknown-parameter",
  "name",
  "directory-name",
  "platform-backend",
  "max-batch-size",
  "version-policy",
  "dynamic-batching",
  "preferred-batch-size",
  "priority-levels",
  "sequence-batching",
  "response-cache",
  "model-metrics",
  "input",
  "output",
  "batch-dimension",
  "reshape",
  "batch-input",
  "batch-output",
  "instance-group",
  "ensemble",
  "ensemble-version",
  "label-file",
  "model-filename",
  "backend-undetermined",
  "autofill-failed",
  "model-mismatch",
  "not-honoured",
  "json-syntax",
  "json-value",
] as const;

export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];

export type Severity = "error" | "warning" | "info";

/** Replaces the characters [offset, endOffset) of the text by `text`; offsets count UTF-16 code units. */
export interface TextEdit {
  readonly offset: number;
  readonly endOffset: number;
  readonly text: string;
}

/** A mechanical correction: applying all edits (they never overlap) makes the mistake go away. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** A place in a config text. Lines and columns are 1-based; columns and offsets count UTF-16 code units. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly offset: number;
  readonly endOffset: number;
}

/** One finding about a config. `message` is Triton's text where Triton has one; `help` says what to do about it. */
export interface Diagnostic extends SourceRange {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Field path, for example `input[0].dims`. */
  readonly path?: string;
  readonly help?: string;
  readonly fix?: Fix;
}

/** The range used when the text is not known: line 1, column 1. */
export const NOWHERE: SourceRange = { line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, endOffset: 0 };

/** True when at least one diagnostic is an error, i.e. the model must not be loaded. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Applies edits to a text. Edits must not overlap; their order does not matter. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.offset - b.edit.offset || a.edit.endOffset - b.edit.endOffset || a.index - b.index);
  const parts: string[] = [];
  let position = 0;
  for (const { edit } of ordered) {
    parts.push(text.slice(position, edit.offset), edit.text);
    position = Math.max(position, edit.endOffset);
  }
  parts.push(text.slice(position));
  return parts.join("");
}
