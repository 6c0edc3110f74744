import type { Diagnostic, TextEdit } from "../diagnostic.ts";
import { LineIndex } from "../text/line-index.ts";

interface Line {
  readonly offset: number;
  readonly endOffset: number;
  /** With the line break. */
  readonly next: number;
}

const HELP = "Keep one side of it, or something of both, and remove the three marker lines.";

/**
 * Findings about the marker lines that a merge leaves where both sides changed the same lines. The text is none to be read
 * before they are gone, so nothing else is worth saying. Empty for a text without them.
 */
export function diagnoseConflictMarkers(text: string): Diagnostic[] {
  if (!/^(?:<{7}|>{7})/m.test(text)) return [];
  const lines = new LineIndex(text);
  const found: Diagnostic[] = [];
  let start: Line | undefined;
  let middle: Line | undefined;
  const add = (line: Line, fix?: { title: string; drop: readonly [number, number][] }) => {
    const edits: TextEdit[] = (fix?.drop ?? []).map(([offset, endOffset]) => ({ offset, endOffset, text: "" }));
    found.push({
      ...lines.range(line.offset, line.endOffset),
      severity: "error",
      code: "unexpected-token",
      message: "two changes contradict each other here; the line is a mark of the merge, not configuration",
      help: HELP,
      ...(fix === undefined ? {} : { fix: { title: fix.title, edits } }),
    });
  };
  for (const match of text.matchAll(/^(<{7}|={7}|>{7})[^\n]*\n?/gm)) {
    const [whole, mark] = match;
    const line: Line = {
      offset: match.index,
      endOffset: match.index + whole.trimEnd().length,
      next: match.index + whole.length,
    };
    if (mark === "<<<<<<<") {
      if (start !== undefined) add(start);
      start = line;
      middle = undefined;
    } else if (mark === "=======" && start !== undefined && middle === undefined) middle = line;
    else if (mark === ">>>>>>>" && start !== undefined && middle !== undefined) {
      add(start, {
        title: "Keep the first side",
        drop: [
          [start.offset, start.next],
          [middle.offset, line.next],
        ],
      });
      add(line, {
        title: "Keep the second side",
        drop: [
          [start.offset, middle.next],
          [line.offset, line.next],
        ],
      });
      start = undefined;
      middle = undefined;
    } else add(line);
  }
  if (start !== undefined) add(start);
  return found;
}
