const SKIPPED = /#[^\n]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g;

/** The text with comments and strings blanked, so that brackets in them do not count; offsets stay as they are. */
function bare(text: string): string {
  return text.replace(SKIPPED, (part) => " ".repeat(part.length));
}

/** Columns a line is indented by: one unit for each bracket that is open before it, one less when it begins by closing. */
export function indentOf(before: string, line: string, unit: number): number {
  let depth = 0;
  for (const mark of bare(before)) {
    if ("{[<".includes(mark)) depth += 1;
    else if ("}]>".includes(mark)) depth = Math.max(0, depth - 1);
  }
  const closing = /^\s*[}\]>]/.test(line) ? 1 : 0;
  return Math.max(0, depth - closing) * unit;
}

/** What folds away at the line that begins at `from`: from behind its last bracket that stays open to the one that closes it. */
export function foldRange(text: string, from: number): { from: number; to: number } | null {
  const marks = bare(text);
  const lineEnd = marks.indexOf("\n", from);
  if (lineEnd === -1) return null;
  const open: number[] = [];
  for (let at = from; at < lineEnd; at += 1) {
    const mark = marks[at] ?? "";
    if ("{[<".includes(mark)) open.push(at);
    else if ("}]>".includes(mark)) open.pop();
  }
  const start = open.at(-1);
  if (start === undefined) return null;
  let depth = 1;
  for (let at = start + 1; at < marks.length; at += 1) {
    const mark = marks[at] ?? "";
    if ("{[<".includes(mark)) depth += 1;
    else if ("}]>".includes(mark)) depth -= 1;
    if (depth === 0) return at > lineEnd ? { from: start + 1, to: at } : null;
  }
  return null;
}
