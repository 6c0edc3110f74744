import type { SourceRange } from "../diagnostic.ts";

/** Turns offsets of one text into 1-based lines and columns (UTF-16 code units); O(log lines) per question. */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** Line and column of an offset; offsets outside the text are clamped to it. */
  position(offset: number): { line: number; column: number } {
    const wanted = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: wanted - (this.#starts[low] ?? 0) + 1 };
  }

  /** The full range of [offset, endOffset). */
  range(offset: number, endOffset: number): SourceRange {
    const start = this.position(offset);
    const end = this.position(endOffset);
    return {
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      offset,
      endOffset,
    };
  }
}
