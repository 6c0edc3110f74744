import type { Diagnostic, DiagnosticCode, Fix, Severity } from "../diagnostic.ts";
import type { LineIndex } from "./line-index.ts";

export interface Span {
  readonly offset: number;
  readonly endOffset: number;
}

export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly severity?: Severity;
  readonly path?: string;
  readonly help?: string;
  readonly fix?: Fix;
}

const MAX_DIAGNOSTICS = 200;

/** Collects the reader's findings and stops listening after 200, so that a garbage file stays cheap. */
export class Problems {
  readonly list: Diagnostic[] = [];
  #errors = 0;
  readonly #lines: LineIndex;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  get errorCount(): number {
    return this.#errors;
  }

  /** Whether further findings are counted and no longer listed; then nobody reads an explanation. */
  get full(): boolean {
    return this.list.length > MAX_DIAGNOSTICS;
  }

  /** The 1-based line of an offset. */
  lineOf(offset: number): number {
    return this.#lines.position(offset).line;
  }

  /** Adds a finding at a span; severity defaults to error. */
  add(span: Span, problem: Problem): void {
    const severity = problem.severity ?? "error";
    if (severity === "error") this.#errors += 1;
    if (this.list.length > MAX_DIAGNOSTICS) return;
    if (this.list.length === MAX_DIAGNOSTICS) {
      this.list.push({
        ...this.#lines.range(span.offset, span.endOffset),
        severity: "error",
        code: "too-many-errors",
        message: `more than ${MAX_DIAGNOSTICS} problems; the rest is not listed`,
      });
      this.#errors += 1;
      return;
    }
    this.list.push({ ...this.#lines.range(span.offset, span.endOffset), ...problem, severity });
  }
}

/** A fix that replaces one span. */
export function replaceFix(title: string, span: Span, text: string): Fix {
  return { title, edits: [{ offset: span.offset, endOffset: span.endOffset, text }] };
}

/** A fix that inserts text at an offset. */
export function insertFix(title: string, offset: number, text: string): Fix {
  return { title, edits: [{ offset, endOffset: offset, text }] };
}
