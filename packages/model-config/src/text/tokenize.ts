import { type Problems, replaceFix } from "./problems.ts";
import { skipTrivia } from "./skip-trivia.ts";
import type { PunctuationKind, Token, TokenKind } from "./token.ts";

const PUNCTUATION: ReadonlyMap<string, PunctuationKind> = new Map(
  (["{", "}", "<", ">", "[", "]", ":", ",", ";", "-", "="] as const).map((kind) => [kind, kind]),
);
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const HEX_NUMBER = /0[xX][A-Za-z0-9_.]*/y;
const NUMBER = /\.?[0-9](?:[eE][+-]|[A-Za-z0-9_.])*/y;
const JUNK = /[^\s{}<>[\]:,;\-="'#A-Za-z0-9_]+/y;
const CURLY_QUOTES = "\u201c\u201d\u201e\u2018\u2019";

/**
 * Splits a config into tokens; the last one is always `eof`. Never throws and runs in linear time: what is not a token
 * becomes `junk`, `//` and block comments are reported and kept as comments.
 */
export function tokenize(text: string, problems: Problems): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    const trivia = skipTrivia(text, at, { afterToken: tokens.length > 0, problems });
    at = trivia.endOffset;
    const scanned = scan(text, at, problems);
    tokens.push({
      kind: scanned.kind,
      text: text.slice(at, scanned.endOffset),
      offset: at,
      endOffset: scanned.endOffset,
      comments: trivia.comments,
      blankBefore: trivia.blankBefore,
      startsLine: trivia.brokeLine || tokens.length === 0,
    });
    at = scanned.endOffset;
    if (scanned.kind === "eof") return tokens;
  }
}

interface Scanned {
  readonly kind: TokenKind;
  readonly endOffset: number;
}

function scan(text: string, at: number, problems: Problems): Scanned {
  const char = text[at];
  if (char === undefined) return { kind: "eof", endOffset: at };
  const punctuation = PUNCTUATION.get(char);
  if (punctuation !== undefined) return { kind: punctuation, endOffset: at + 1 };
  if (char === '"' || char === "'") return scanString(text, at, problems);
  if (CURLY_QUOTES.includes(char)) return scanCurlyString(text, at, problems);
  const word = matchAt(WORD, text, at);
  if (word !== undefined) return { kind: "word", endOffset: word };
  const number = matchAt(HEX_NUMBER, text, at) ?? matchAt(NUMBER, text, at);
  if (number !== undefined) return { kind: "number", endOffset: number };
  return { kind: "junk", endOffset: matchAt(JUNK, text, at) ?? at + 1 };
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function scanString(text: string, start: number, problems: Problems): Scanned {
  const quote = text[start] ?? '"';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === quote) return { kind: "string", endOffset: at + 1 };
    if (char === "\n" || char === "\r") return unterminated({ text, start, end: at, quote }, problems);
    if (char === "\\" && text[at + 1] !== "\n" && text[at + 1] !== "\r") at += 1;
  }
  return unterminated({ text, start, end: text.length, quote }, problems);
}

function unterminated(
  literal: { text: string; start: number; end: number; quote: string },
  problems: Problems,
): Scanned {
  const { start, end, quote } = literal;
  const written = literal.text.slice(start, end);
  const kept = written.replace(/\\?[\s,;]*$/, "");
  problems.add(
    { offset: start, endOffset: end },
    {
      code: "unterminated-string",
      message: `string is not closed on its line; add ${quote} at its end`,
      help: 'A string cannot contain a raw line break: write \\n, or close it and continue with a second literal ("a" "b").',
      fix: replaceFix(
        `Add the closing ${quote}`,
        { offset: start, endOffset: end },
        `${kept}${quote}${written.slice(kept.length).replaceAll("\\", "")}`,
      ),
    },
  );
  return { kind: "string", endOffset: end };
}

function scanCurlyString(text: string, start: number, problems: Problems): Scanned {
  let end = start + 1;
  while (end < text.length && text[end] !== "\n" && text[end] !== '"' && !CURLY_QUOTES.includes(text[end] ?? ""))
    end += 1;
  const inner = text.slice(start + 1, end);
  if (text[end] !== undefined && text[end] !== "\n") end += 1;
  const span = { offset: start, endOffset: end };
  problems.add(span, {
    code: "curly-quote",
    message: 'typographic quotes do not delimit a string; write "..." with straight quotes',
    fix: replaceFix("Use straight quotes", span, `"${inner}"`),
  });
  return { kind: "string", endOffset: end };
}
