import type { Diagnostic, Severity } from "../diagnostic.ts";

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/**
 * One list in the order of the text. Of several findings of one severity about one field the first stays, because it is
 * what the server would answer; it borrows the fix of another one when it has none. Warnings and hints about a field that
 * an error is about are left out.
 */
export function mergeDiagnostics(found: readonly Diagnostic[]): Diagnostic[] {
  const merged: Diagnostic[] = [];
  for (const diagnostic of found) {
    const at = merged.findIndex((other) => isSame(other, diagnostic));
    const same = merged[at];
    if (same === undefined) merged.push(diagnostic);
    else if (same.fix === undefined && diagnostic.fix !== undefined) {
      const help = same.help ?? diagnostic.help;
      merged[at] = { ...same, fix: diagnostic.fix, ...(help === undefined ? {} : { help }) };
    }
  }
  const refused = merged.filter(({ severity }) => severity === "error");
  return merged
    .filter((one) => one.severity === "error" || !refused.some((error) => makesObsolete(error, one)))
    .map((one) => (one.severity === "error" && one.fix === undefined ? borrowed(one, merged) : one))
    .toSorted((a, b) => a.offset - b.offset || RANK[a.severity] - RANK[b.severity] || a.endOffset - b.endOffset);
}

/** A warning about the very field an error is about, or a hint about anything in it. */
function makesObsolete(error: Diagnostic, one: Diagnostic): boolean {
  if (error.path === undefined || one.path === undefined) return false;
  return one.severity === "info" ? covers(error.path, one.path) : error.path === one.path;
}

function borrowed(error: Diagnostic, all: readonly Diagnostic[]): Diagnostic {
  const lender = all.find(({ path, fix }) => fix !== undefined && path !== undefined && path === error.path);
  return lender?.fix === undefined ? error : { ...error, fix: lender.fix };
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  if (a.severity !== b.severity) return false;
  if (a.message === b.message && a.offset === b.offset) return true;
  return a.path !== undefined && a.path === b.path && a.severity === "error" && isShape(a) && isShape(b);
}

/** Findings about what a tensor looks like, which the checks and the comparison both make. */
function isShape({ code }: Diagnostic): boolean {
  return code === "input" || code === "output" || code === "model-mismatch" || code === "batch-dimension";
}

function covers(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}[`) || inner.startsWith(`${outer}.`);
}
