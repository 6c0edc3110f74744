import { insertFix, type Problems, replaceFix, type Span } from "./problems.ts";
import type { Token, TokenKind } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";
import type { FieldNode, ListNode, MessageNode, ScalarNode, ValueNode } from "./tree.ts";

/** Deepest nesting of `{`, `<` and `[` that is read; protobuf parsers stop at 100 too. */
const MAX_DEPTH = 100;

const CLOSER: Readonly<Record<"{" | "<" | "[", "}" | ">" | "]">> = { "{": "}", "<": ">", "[": "]" };
type Closer = "}" | ">" | "]";

/** Recursive descent over the text format grammar, with recovery at fields, closers and list items. */
export class TreeParser {
  readonly #tokens: TokenStream;
  readonly #problems: Problems;
  /** Closers that enclosing blocks wait for, innermost last. */
  readonly #awaited: Closer[] = [];

  constructor(tokens: TokenStream, problems: Problems) {
    this.#tokens = tokens;
    this.#problems = problems;
  }

  parseFile(): FieldNode[] {
    return this.#fields();
  }

  /** Reads fields until a closer somebody waits for, or the end. */
  #fields(): FieldNode[] {
    const fields: FieldNode[] = [];
    for (;;) {
      const token = this.#tokens.peek();
      if (token.kind === "eof") return fields;
      if (isCloser(token.kind)) {
        if (this.#awaited.includes(token.kind)) return fields;
        this.#tokens.next();
        this.#problems.add(token, {
          code: "unmatched-closer",
          message: `\`${token.text}\` closes nothing; remove it`,
          fix: replaceFix("Remove it", token, ""),
        });
      } else if (startsField(this.#tokens)) {
        fields.push(this.#field());
      } else {
        this.#skipUnexpected();
      }
    }
  }

  #field(): FieldNode {
    const name = this.#tokens.next();
    const label = name.kind === "string" ? name.text.slice(1, -1) : name.text;
    if (name.kind === "string") {
      this.#problems.add(name, {
        code: "quoted-field-name",
        message: `field names are not quoted; write ${label}`,
        fix: replaceFix("Remove the quotes", name, label),
      });
    }
    const colon = this.#tokens.take(":") ?? this.#takeEquals();
    const value = this.#fieldValue(colon);
    const separator = this.#tokens.take(",") ?? this.#tokens.take(";");
    return {
      kind: "field",
      name,
      label,
      colon,
      value,
      separator,
      offset: name.offset,
      endOffset: Math.max(value.endOffset, name.endOffset, colon?.endOffset ?? 0),
    };
  }

  #takeEquals(): Token | undefined {
    const equals = this.#tokens.take("=");
    if (equals === undefined) return undefined;
    this.#problems.add(equals, {
      code: "equals-sign",
      message: "a field is written `name: value`; replace `=` with `:`",
      fix: replaceFix("Replace = with :", equals, ":"),
    });
    return equals;
  }

  #fieldValue(colon: Token | undefined): ValueNode {
    const token = this.#tokens.peek();
    const nextField = startsNamedField(this.#tokens) && (colon === undefined || token.startsLine);
    if (nextField || !startsValue(token.kind)) {
      const end = this.#tokens.lastEnd;
      return { kind: "missing", offset: end, endOffset: end };
    }
    return this.#value();
  }

  /** Reads a value; the next token must start one. */
  #value(): ValueNode {
    const token = this.#tokens.peek();
    if (token.kind !== "{" && token.kind !== "<" && token.kind !== "[") return this.#scalar();
    if (this.#awaited.length >= MAX_DEPTH) return this.#skipTooDeep();
    return token.kind === "[" ? this.#list() : this.#message(token.kind);
  }

  #scalar(): ScalarNode {
    const sign = this.#tokens.take("-");
    const first = this.#tokens.peek();
    const tokens: Token[] = [];
    if (first.kind === "string") {
      for (let at = this.#tokens.peek(); at.kind === "string"; at = this.#tokens.peek()) {
        // A quoted name of the next field is a mistake of its own, not a second literal.
        if (tokens.length > 0 && this.#tokens.peek(1).kind === ":") break;
        tokens.push(this.#tokens.next());
      }
    } else if (first.kind === "word" || first.kind === "number") {
      tokens.push(this.#tokens.next());
    } else if (sign !== undefined) {
      this.#problems.add(sign, {
        code: "unexpected-token",
        message: "`-` is not followed by a number; remove it or add the number",
      });
    }
    const start = sign ?? first;
    return {
      kind: "scalar",
      sign,
      first: tokens[0] ?? start,
      tokens: tokens.length === 0 ? [start] : tokens,
      offset: start.offset,
      endOffset: this.#tokens.lastEnd,
    };
  }

  #message(kind: "{" | "<"): MessageNode {
    const open = this.#tokens.next();
    const closer = CLOSER[kind];
    this.#awaited.push(closer);
    const fields = this.#fields();
    this.#awaited.pop();
    const close = this.#tokens.take(closer) ?? this.#reportUnclosed(open, closer);
    return { kind: "message", open, fields, close, offset: open.offset, endOffset: this.#tokens.lastEnd };
  }

  #reportUnclosed(open: Token, closer: Closer): undefined {
    const end = this.#tokens.lastEnd;
    this.#problems.add(open, {
      code: open.kind === "[" ? "unclosed-list" : "unclosed-block",
      message: `\`${open.text}\` is never closed; add \`${closer}\``,
      fix: insertFix(`Add the missing ${closer}`, end, open.kind === "[" ? ` ${closer}` : `\n${closer}`),
    });
    return undefined;
  }

  #list(): ListNode {
    const open = this.#tokens.next();
    this.#awaited.push("]");
    const items: ValueNode[] = [];
    const commas: Token[] = [];
    while (this.#listItem(items, commas)) {}
    this.#awaited.pop();
    const close = this.#tokens.take("]") ?? this.#reportUnclosed(open, "]");
    return { kind: "list", open, items, commas, close, offset: open.offset, endOffset: this.#tokens.lastEnd };
  }

  /** Reads one step of a list: an item with its comma, or a mistake. False at the end of the list. */
  #listItem(items: ValueNode[], commas: Token[]): boolean {
    const token = this.#tokens.peek();
    if (token.kind === "eof" || (isCloser(token.kind) && this.#awaited.includes(token.kind))) return false;
    if (startsNamedField(this.#tokens)) {
      if (items.length > 0) return false;
      items.push(this.#bracelessMessage());
      return true;
    }
    if (token.kind === "," || token.kind === ";") {
      this.#tokens.next();
      this.#reportStray(token);
      return true;
    }
    if (!startsValue(token.kind)) {
      this.#skipUnexpected();
      return true;
    }
    const item = this.#value();
    items.push(item);
    this.#listComma(item, commas);
    return true;
  }

  #listComma(item: ValueNode, commas: Token[]): void {
    const token = this.#tokens.peek();
    if (token.kind === ";") {
      this.#problems.add(token, {
        code: "missing-comma",
        message: "list elements are separated by `,`, not `;`",
        fix: replaceFix("Replace ; with ,", token, ","),
      });
      commas.push(this.#tokens.next());
      return;
    }
    const comma = this.#tokens.take(",");
    if (comma !== undefined) {
      commas.push(comma);
      if (this.#tokens.peek().kind === "]") {
        this.#problems.add(comma, {
          code: "trailing-comma",
          message: "a list must not end with a comma; remove the `,` before `]`",
          fix: replaceFix("Remove the comma", comma, ""),
        });
      }
      return;
    }
    if (startsValue(token.kind) && !startsNamedField(this.#tokens)) {
      this.#problems.add(
        { offset: item.endOffset, endOffset: token.offset },
        {
          code: "missing-comma",
          message: "list elements are separated by commas; add `,` here",
          fix: insertFix("Add the comma", item.endOffset, ","),
        },
      );
    }
  }

  #bracelessMessage(): MessageNode {
    const start = this.#tokens.peek();
    const fields = this.#fields();
    const end = this.#tokens.lastEnd;
    this.#problems.add(start, {
      code: "missing-braces",
      message: "the elements of a list of messages stand in braces; write `[ { ... } ]`",
      fix: {
        title: "Add the braces",
        edits: [
          { offset: start.offset, endOffset: start.offset, text: "{ " },
          { offset: end, endOffset: end, text: " }" },
        ],
      },
    });
    return { kind: "message", open: undefined, fields, close: undefined, offset: start.offset, endOffset: end };
  }

  #reportStray(token: Token): void {
    this.#problems.add(token, {
      code: "stray-separator",
      message: `\`${token.text}\` separates nothing here; remove it`,
      fix: replaceFix("Remove it", token, ""),
    });
  }

  /** Reports a run of tokens that start neither a field nor a value, as one finding. */
  #skipUnexpected(): void {
    const first = this.#tokens.next();
    if (first.kind === "," || first.kind === ";") {
      this.#reportStray(first);
      return;
    }
    for (let token = this.#tokens.peek(); !token.startsLine; token = this.#tokens.peek()) {
      if (token.kind === "eof" || isCloser(token.kind) || startsNamedField(this.#tokens)) break;
      this.#tokens.next();
    }
    const span: Span = { offset: first.offset, endOffset: this.#tokens.lastEnd };
    this.#problems.add(span, {
      code: "unexpected-token",
      message: `unexpected \`${first.text.slice(0, 40)}\`; a field is written \`name: value\` or \`name { ... }\``,
      ...(first.kind === "number" ? { help: "Fields cannot be addressed by their number." } : {}),
    });
  }

  #skipTooDeep(): ValueNode {
    const open = this.#tokens.next();
    let depth = 1;
    while (depth > 0 && this.#tokens.peek().kind !== "eof") {
      const { kind } = this.#tokens.next();
      if (kind === "{" || kind === "<" || kind === "[") depth += 1;
      else if (isCloser(kind)) depth -= 1;
    }
    this.#problems.add(open, { code: "too-deep", message: `blocks are nested more than ${MAX_DEPTH} deep` });
    return { kind: "missing", offset: open.offset, endOffset: this.#tokens.lastEnd };
  }
}

function isCloser(kind: TokenKind): kind is Closer {
  return kind === "}" || kind === ">" || kind === "]";
}

function startsValue(kind: TokenKind): boolean {
  return (
    kind === "word" ||
    kind === "number" ||
    kind === "string" ||
    kind === "-" ||
    kind === "{" ||
    kind === "<" ||
    kind === "["
  );
}

/** A name followed by something only a field name is followed by. */
function startsNamedField(tokens: TokenStream): boolean {
  const kind = tokens.peek().kind;
  if (kind !== "word" && kind !== "string") return false;
  const after = tokens.peek(1).kind;
  return after === ":" || after === "=" || (kind === "word" && (after === "{" || after === "<" || after === "["));
}

function startsField(tokens: TokenStream): boolean {
  return tokens.peek().kind === "word" || startsNamedField(tokens);
}
