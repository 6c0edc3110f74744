import { type Problems, replaceFix } from "./problems.ts";
import type { Comment } from "./token.ts";

const SPACE = /[ \t\r\n\v\f]*/y;

export interface Trivia {
  readonly endOffset: number;
  readonly comments: readonly Comment[];
  readonly blankBefore: boolean;
  readonly brokeLine: boolean;
}

/** Skips white space and comments from `start`. C-style comments are an error of the format, yet read as comments. */
export function skipTrivia(
  text: string,
  start: number,
  state: { readonly afterToken: boolean; readonly problems: Problems },
): Trivia {
  const comments: Comment[] = [];
  let at = start;
  let lineBreaks = 0;
  let brokeLine = false;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    const space = text.slice(at, SPACE.lastIndex);
    at = SPACE.lastIndex;
    lineBreaks += space.split("\n").length - 1;
    if (lineBreaks > 0) brokeLine = true;
    const end = commentEnd(text, at);
    if (end === undefined) return { endOffset: at, comments, blankBefore: lineBreaks > 1, brokeLine };
    reportComment(text, { offset: at, endOffset: end }, state.problems);
    comments.push({
      text: text.slice(at, end).trimEnd(),
      offset: at,
      endOffset: end,
      trailing: state.afterToken && !brokeLine && comments.length === 0,
      blankBefore: lineBreaks > 1,
    });
    lineBreaks = 0;
    at = end;
  }
}

function commentEnd(text: string, at: number): number | undefined {
  if (text[at] === "#" || text.startsWith("//", at)) {
    const end = text.indexOf("\n", at);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith("/*", at)) return undefined;
  const end = text.indexOf("*/", at + 2);
  return end === -1 ? text.length : end + 2;
}

function reportComment(text: string, span: { offset: number; endOffset: number }, problems: Problems): void {
  const comment = text.slice(span.offset, span.endOffset);
  if (comment.includes("\ufffd")) {
    problems.add(span, {
      severity: "warning",
      code: "invalid-utf8",
      message: "comment is not valid UTF-8; save the file as UTF-8",
    });
  }
  if (comment.startsWith("//")) {
    problems.add(span, {
      code: "slash-comment",
      message: "`//` does not start a comment here; use `#`",
      fix: replaceFix("Use #", { offset: span.offset, endOffset: span.offset + 2 }, "#"),
    });
  } else if (comment.startsWith("/*")) {
    const lines = comment
      .slice(2, comment.endsWith("*/") && comment.length > 3 ? -2 : undefined)
      .split("\n")
      .map((line) => `# ${line.replace(/^\s*\*?\s*/, "").trimEnd()}`.trimEnd());
    problems.add(span, {
      code: "slash-comment",
      message: "`/* */` is not a comment here; start each line with `#`",
      fix: replaceFix("Use #", span, `${lines.join("\n")}\n`),
    });
  }
}
