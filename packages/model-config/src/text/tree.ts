import type { LineIndex } from "./line-index.ts";
import type { Span } from "./problems.ts";
import type { Token } from "./token.ts";

/** `name value`, `name: value` with an optional separator behind it. */
export interface FieldNode extends Span {
  readonly kind: "field";
  readonly name: Token;
  /** The field name without quotes. */
  readonly label: string;
  readonly colon: Token | undefined;
  readonly value: ValueNode;
  readonly separator: Token | undefined;
}

/** A number, word, or one or more adjacent string literals, with an optional minus sign. */
export interface ScalarNode extends Span {
  readonly kind: "scalar";
  readonly sign: Token | undefined;
  readonly first: Token;
  readonly tokens: readonly Token[];
}

/** `{ ... }` or `< ... >`. `open` or `close` is undefined where the text lacks it (already reported). */
export interface MessageNode extends Span {
  readonly kind: "message";
  readonly open: Token | undefined;
  readonly fields: readonly FieldNode[];
  readonly close: Token | undefined;
}

/** `[ ... ]`. `commas[i]` stands behind `items[i]`. */
export interface ListNode extends Span {
  readonly kind: "list";
  readonly open: Token;
  readonly items: readonly ValueNode[];
  readonly commas: readonly Token[];
  readonly close: Token | undefined;
}

/** Nothing stands where a value should; an empty span behind the name or colon. */
export interface MissingNode extends Span {
  readonly kind: "missing";
}

export type ValueNode = ScalarNode | MessageNode | ListNode | MissingNode;

/** The lossless tree of one config text. */
export interface ConfigDocument {
  readonly text: string;
  readonly file: string | undefined;
  readonly lines: LineIndex;
  readonly fields: readonly FieldNode[];
  /** Carries the comments at the end of the file. */
  readonly eof: Token;
  /** False when the text breaks the grammar (not when only names or types are wrong). */
  readonly wellFormed: boolean;
}
