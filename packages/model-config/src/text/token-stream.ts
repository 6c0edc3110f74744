import type { Token, TokenKind } from "./token.ts";

/** A cursor over tokens; reading past the end keeps answering `eof`. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #eof: Token;
  #at = 0;

  constructor(tokens: readonly Token[], eof: Token) {
    this.#tokens = tokens;
    this.#eof = eof;
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? this.#eof;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "eof") this.#at += 1;
    return token;
  }

  /** Consumes the next token when it is of the kind. */
  take(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.next() : undefined;
  }

  /** End offset of the token consumed last. */
  get lastEnd(): number {
    return this.#tokens[this.#at - 1]?.endOffset ?? 0;
  }
}
