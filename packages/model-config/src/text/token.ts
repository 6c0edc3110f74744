import type { Span } from "./problems.ts";

export type PunctuationKind = "{" | "}" | "<" | ">" | "[" | "]" | ":" | "," | ";" | "-" | "=";

export type TokenKind = PunctuationKind | "word" | "number" | "string" | "junk" | "eof";

/** A comment, from its marker up to (not including) the line break. */
export interface Comment extends Span {
  readonly text: string;
  /** On the same line as the token before it. */
  readonly trailing: boolean;
  /** An empty line stands between it and what precedes it. */
  readonly blankBefore: boolean;
}

/** A token with everything that stands before it; nothing of the text is lost between two tokens. */
export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
  /** Comments between the previous token and this one. */
  readonly comments: readonly Comment[];
  /** An empty line stands directly before the token (after its comments). */
  readonly blankBefore: boolean;
  /** The token is the first one on its line. */
  readonly startsLine: boolean;
}
