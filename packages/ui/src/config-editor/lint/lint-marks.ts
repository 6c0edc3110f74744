import type { Diagnostic } from "@nereid/model-config";

/** A finding as the editor marks it: a span that is never empty, words, and the fix. */
export interface LintMark {
  readonly from: number;
  readonly to: number;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly code: string;
  readonly fix: Diagnostic["fix"];
}

/** What the editor needs of a finding; the ones of the wire have it too. */
export type EditorFinding = Pick<Diagnostic, "offset" | "endOffset" | "severity" | "message" | "help" | "fix"> & {
  readonly code: string;
};

/** Findings as marks on a text of this length. Findings about an older text are cut to what is there. */
export function lintMarks(diagnostics: readonly EditorFinding[], length: number): LintMark[] {
  return diagnostics.map(({ offset, endOffset, severity, message, help, code, fix }) => {
    const from = Math.min(offset, length);
    const to = Math.min(Math.max(endOffset, from), length);
    return {
      from: from === to && from > 0 && from === length ? from - 1 : from,
      to: from === to && from < length ? from + 1 : to,
      severity,
      message: help === undefined ? message : `${message}\n${help}`,
      code,
      // A fix is made for one text; on a shorter one it would tear something apart.
      fix: fix?.edits.every((edit) => edit.endOffset <= length) === true ? fix : undefined,
    };
  });
}
