import { parseTree } from "../text/parse-tree.ts";
import type { Comment, Token } from "../text/token.ts";
import type { FieldNode, ListNode, MessageNode, ScalarNode, ValueNode } from "../text/tree.ts";
import { tokensOf } from "./tokens-of.ts";

const WIDTH = 100;

/**
 * Canonical layout: two spaces, one field per line, no separators, comments kept, at most one empty line in a row.
 * Idempotent, and the result means the same. Text with syntax errors is answered unchanged.
 */
export function formatModelConfig(text: string): string {
  const { document } = parseTree(text, undefined);
  if (!document.wellFormed) return text;
  const after = new Map<Token, Comment>();
  const tokens = [...document.fields.flatMap(tokensOf), document.eof];
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const [comment] = token.comments;
    if (previous !== undefined && comment?.trailing === true) after.set(previous, comment);
  }
  const lines = new Layout(after).file(document.fields, document.eof);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

class Layout {
  /** Comment behind a token on its line. */
  readonly #after: ReadonlyMap<Token, Comment>;

  constructor(after: ReadonlyMap<Token, Comment>) {
    this.#after = after;
  }

  file(fields: readonly FieldNode[], eof: Token): string[] {
    return this.#body(fields, eof, "");
  }

  /** Lines of the fields of a block, and of the comments before its end. */
  #body(fields: readonly FieldNode[], end: Token | undefined, indent: string): string[] {
    const lines: string[] = [];
    for (const field of fields) {
      this.#lead(lines, field.name, indent);
      this.#field(lines, field, indent);
    }
    if (end !== undefined) this.#ownLine(lines, end, indent);
    return lines;
  }

  /** Comments on lines of their own before a token, and the empty line before them. */
  #lead(lines: string[], token: Token, indent: string): void {
    this.#ownLine(lines, token, indent);
    if (token.blankBefore) blank(lines);
  }

  #ownLine(lines: string[], token: Token, indent: string): void {
    for (const comment of token.comments) {
      if (comment.trailing) continue;
      if (comment.blankBefore) blank(lines);
      lines.push(`${indent}${comment.text}`);
    }
  }

  /** Comments inside a construct that is written on one line, in their order. */
  #hoist(lines: string[], tokens: readonly (Token | undefined)[], indent: string): void {
    for (const [index, token] of tokens.entries()) {
      if (token === undefined) continue;
      // The comments before the first token are already written.
      if (index > 0)
        for (const comment of token.comments) if (!comment.trailing) lines.push(`${indent}${comment.text}`);
      const behind = index < tokens.length - 1 ? this.#after.get(token) : undefined;
      if (behind !== undefined) lines.push(`${indent}${behind.text}`);
    }
  }

  #behind(token: Token | undefined): string {
    const comment = token === undefined ? undefined : this.#after.get(token);
    return comment === undefined ? "" : ` ${comment.text}`;
  }

  #field(lines: string[], field: FieldNode, indent: string): void {
    const { value, name, colon, separator } = field;
    if (value.kind === "scalar") {
      const tokens = [name, ...(colon === undefined ? [] : [colon]), ...scalarTokens(value)];
      if (separator !== undefined) tokens.push(separator);
      this.#hoist(lines, tokens, indent);
      lines.push(`${indent}${name.text}: ${scalarText(value)}${this.#behind(tokens.at(-1))}`);
      return;
    }
    if (value.kind === "missing") return;
    const head = [name, ...(colon === undefined ? [] : [colon]), ...(value.open === undefined ? [] : [value.open])];
    if (value.kind === "list" && this.#isFlat(value)) {
      const tokens = [...head, ...tokensOf(field).slice(head.length)];
      const text = `${name.text}: ${flatList(value)}`;
      if (indent.length + text.length <= WIDTH) {
        this.#hoist(lines, tokens, indent);
        lines.push(`${indent}${text}${this.#behind(tokens.at(-1))}`);
        return;
      }
    }
    this.#hoist(lines, head, indent);
    const scalars = value.kind === "list" && value.items[0]?.kind === "scalar";
    this.#block(lines, value, { indent, head: `${name.text}${scalars ? ":" : ""} `, separator });
  }

  /** A list that fits on one line: only scalars, and no comment between its brackets. */
  #isFlat(list: ListNode): boolean {
    if (list.items.some((item) => item.kind !== "scalar")) return false;
    const tokens = tokensOf(list).slice(0, -1);
    const hasComment = tokens.some((token) => this.#after.has(token)) || (list.close?.comments ?? []).length > 0;
    return !hasComment && !tokens.slice(1).some((token) => token.comments.length > 0);
  }

  #block(
    lines: string[],
    value: MessageNode | ListNode,
    at: { indent: string; head: string; separator?: Token | undefined; tail?: string },
  ): void {
    const inner = `${at.indent}  `;
    const behindOpen = this.#behind(value.open);
    const body = value.kind === "message" ? this.#body(value.fields, value.close, inner) : this.#items(value, inner);
    const [open, close] = value.kind === "message" ? ["{", "}"] : ["[", "]"];
    const behindClose = value.close === undefined ? "" : this.#behind(value.close);
    const behind = `${behindClose}${this.#behind(at.separator)}`;
    const early = at.separator?.comments.filter((comment) => !comment.trailing) ?? [];
    for (const comment of early) lines.push(`${at.indent}${comment.text}`);
    if (body.length === 0 && behindOpen === "") {
      lines.push(`${at.indent}${at.head}${open} ${close}${at.tail ?? ""}${behind}`);
      return;
    }
    lines.push(
      `${at.indent}${at.head}${open}${behindOpen}`,
      ...trimBlank(body),
      `${at.indent}${close}${at.tail ?? ""}${behind}`,
    );
  }

  #items(list: ListNode, indent: string): string[] {
    const lines: string[] = [];
    for (const [index, item] of list.items.entries()) {
      const comma = list.commas[index];
      const tail = index < list.items.length - 1 ? "," : "";
      const first = tokensOf(item)[0];
      if (first !== undefined) this.#lead(lines, first, indent);
      if (item.kind === "scalar") {
        const tokens = [...scalarTokens(item), ...(comma === undefined ? [] : [comma])];
        this.#hoist(lines, tokens, indent);
        lines.push(`${indent}${scalarText(item)}${tail}${this.#behind(tokens.at(-1))}`);
      } else if (item.kind !== "missing") {
        this.#block(lines, item, { indent, head: "", separator: comma, tail });
      }
    }
    if (list.close !== undefined) this.#ownLine(lines, list.close, indent);
    return lines;
  }
}

function scalarTokens(value: ScalarNode): Token[] {
  return tokensOf(value);
}

function scalarText(value: ScalarNode): string {
  const sign = value.sign !== undefined && value.sign !== value.first ? "-" : "";
  return `${sign}${value.tokens.map((token) => token.text).join(" ")}`;
}

function flatList(list: ListNode): string {
  const items = list.items.map((item: ValueNode) => (item.kind === "scalar" ? scalarText(item) : ""));
  return items.length === 0 ? "[ ]" : `[ ${items.join(", ")} ]`;
}

function blank(lines: string[]): void {
  if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
}

function trimBlank(lines: string[]): string[] {
  return lines[0] === "" ? lines.slice(1) : lines;
}
