import type { TextEdit } from "../diagnostic.ts";
import type { FieldNode, ListNode, MessageNode, ValueNode } from "../text/tree.ts";

/** Where a field is inserted: behind the last of `fields`, inside `block` (undefined for the file itself). */
export interface Container {
  readonly fields: readonly FieldNode[];
  readonly block: MessageNode | undefined;
}

/** The white space the line of an offset starts with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** Inserts a field behind the last one, on a line of its own unless the block stands on one line. */
export function insertField(text: string, container: Container, render: (indent: string) => string): TextEdit {
  const { fields, block } = container;
  const last = fields.at(-1);
  if (last === undefined) return block === undefined ? atEnd(text, render("")) : intoEmpty(text, block, render);
  const end = last.separator?.endOffset ?? last.endOffset;
  const rest = restOfLine(text, end);
  if (rest === undefined) return { offset: end, endOffset: end, text: ` ${render(indentAt(text, last.offset))}` };
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : inner(text, block);
  return { offset: rest, endOffset: rest, text: `\n${indent}${render(indent)}` };
}

function inner(text: string, block: MessageNode | undefined): string {
  return block === undefined ? "" : `${indentAt(text, block.offset)}  `;
}

function atEnd(text: string, field: string): TextEdit {
  const lead = text === "" || text.endsWith("\n") ? "" : "\n";
  return { offset: text.length, endOffset: text.length, text: `${lead}${field}\n` };
}

function intoEmpty(text: string, block: MessageNode, render: (indent: string) => string): TextEdit {
  const outer = indentAt(text, block.offset);
  const open = block.open?.endOffset ?? block.offset;
  const close = block.close?.offset ?? block.endOffset;
  const between = text.slice(open, close);
  const field = `\n${outer}  ${render(`${outer}  `)}`;
  if (between.trim() === "") return { offset: open, endOffset: close, text: `${field}\n${outer}` };
  return { offset: open, endOffset: open, text: field };
}

/** Removes a field, with its whole line and the comment behind it when it stands alone there. */
export function removeField(text: string, field: FieldNode): TextEdit {
  const end = field.separator?.endOffset ?? field.endOffset;
  const rest = restOfLine(text, end);
  if (rest !== undefined && startsLine(text, field.offset)) {
    const start = text.lastIndexOf("\n", field.offset - 1) + 1;
    return { offset: start, endOffset: text[rest] === "\n" ? rest + 1 : rest, text: "" };
  }
  const space = /[ \t]*$/.exec(text.slice(0, field.offset).slice(-200))?.[0].length ?? 0;
  return { offset: field.offset - space, endOffset: end, text: gap(text, field.offset - space, end) };
}

/** A space where cutting [start, end) would join two words or numbers into one. */
function gap(text: string, start: number, end: number): string {
  return /[\w.'"-]/.test(text[start - 1] ?? "") && /[\w.'"-]/.test(text[end] ?? "") ? " " : "";
}

/** Removes an element together with the comma that separates it. */
export function removeItem(list: ListNode, item: ValueNode): TextEdit {
  const index = list.items.indexOf(item);
  const next = list.items[index + 1];
  if (next !== undefined) return { offset: item.offset, endOffset: next.offset, text: "" };
  const previous = list.items[index - 1];
  const offset = previous === undefined ? item.offset : previous.endOffset;
  return { offset, endOffset: item.endOffset, text: "" };
}

/** Appends an element to a bracketed list in the list's own layout. */
export function appendToList(text: string, list: ListNode, render: (indent: string) => string): TextEdit[] {
  const last = list.items.at(-1);
  if (last === undefined) {
    const end = list.close?.offset ?? list.endOffset;
    const element = render(indentAt(text, list.offset));
    const blank = text.slice(list.open.endOffset, end).trim() === "";
    const offset = blank ? list.open.endOffset : end;
    return [{ offset, endOffset: end, text: ` ${element} ` }];
  }
  const rest = restOfLine(text, last.endOffset);
  const comma = { offset: last.endOffset, endOffset: last.endOffset, text: "," };
  const indent = indentAt(text, last.offset);
  const ownLine = startsLine(text, last.offset) || text.slice(last.offset, last.endOffset).includes("\n");
  if (rest !== undefined && ownLine)
    return [comma, { offset: rest, endOffset: rest, text: `\n${indent}${render(indent)}` }];
  return [{ ...comma, text: `, ${render(indent)}` }];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}

/** End of the line when only white space and a comment follow the offset on it; else undefined. */
function restOfLine(text: string, offset: number): number | undefined {
  const newline = text.indexOf("\n", offset);
  const end = newline === -1 ? text.length : newline;
  return /^\s*(?:#.*)?$/.test(text.slice(offset, end)) ? end : undefined;
}
