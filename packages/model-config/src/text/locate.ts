import { NOWHERE, type SourceRange } from "../diagnostic.ts";
import { type PathSegment, parentPath, parsePath } from "./path.ts";
import { integerOf, stringOf } from "./scalar-value.ts";
import type { ConfigDocument, FieldNode, ListNode, MessageNode, ValueNode } from "./tree.ts";

/** A value found by its path, with what is needed to edit around it. */
export interface Located {
  /** The field the value is written in. */
  readonly field: FieldNode;
  readonly value: ValueNode;
  /** Every occurrence of the field in its message. */
  readonly occurrences: readonly FieldNode[];
  /** The list the value is an element of, if it is one. */
  readonly list: ListNode | undefined;
  /** The map entry the value belongs to, if the last step chose a key. */
  readonly entry: MessageNode | undefined;
}

/** Finds the value at a path in the text; undefined when the text does not give it. */
export function findPath(document: ConfigDocument, path: string): Located | undefined {
  const segments = parsePath(path);
  if (segments === undefined) return undefined;
  let fields = document.fields;
  let found: Located | undefined;
  for (const segment of segments) {
    found = step(fields, segment);
    if (found === undefined) return undefined;
    fields = found.value.kind === "message" ? found.value.fields : [];
  }
  return found;
}

function step(fields: readonly FieldNode[], segment: PathSegment): Located | undefined {
  const occurrences = fields.filter((field) => field.label === segment.name);
  const [field] = occurrences;
  if (field === undefined) return undefined;
  const none = { occurrences, list: undefined, entry: undefined };
  if (segment.key !== undefined) return stepIntoMap(occurrences, segment.key);
  if (segment.index === undefined) return { field, value: field.value, ...none };
  let index = segment.index;
  for (const occurrence of occurrences) {
    const list = occurrence.value.kind === "list" ? occurrence.value : undefined;
    const values = list?.items ?? [occurrence.value];
    const value = values[index];
    if (value !== undefined) return { field: occurrence, value, occurrences, list, entry: undefined };
    index -= values.length;
  }
  return undefined;
}

function stepIntoMap(occurrences: readonly FieldNode[], key: string): Located | undefined {
  let found: Located | undefined;
  for (const field of occurrences) {
    const list = field.value.kind === "list" ? field.value : undefined;
    for (const entry of list?.items ?? [field.value]) {
      if (entry.kind !== "message" || keyOf(entry) !== key) continue;
      const inner = entry.fields.find((part) => part.label === "value");
      // The later of two equal keys wins, as in the reader.
      found = { field, value: inner?.value ?? entry, occurrences, list, entry };
    }
  }
  return found;
}

/** The key of a map entry as text; integers in decimal. */
export function keyOf(entry: MessageNode): string | undefined {
  const key = entry.fields.find((part) => part.label === "key")?.value;
  if (key === undefined) return "";
  if (key.kind !== "scalar") return undefined;
  return stringOf(key) ?? integerOf(key)?.toString();
}

/**
 * Where a path stands in the text: its value, else the name of the nearest field around it that is written, else line 1
 * column 1.
 */
export function locate(document: ConfigDocument | undefined, path: string): SourceRange {
  if (document === undefined) return NOWHERE;
  const exact = findPath(document, path);
  if (exact !== undefined) {
    if (exact.value.kind !== "message") return document.lines.range(exact.value.offset, exact.value.endOffset);
    const anchor = exact.list === undefined ? exact.field.name : (exact.value.open ?? exact.field.name);
    return document.lines.range(anchor.offset, anchor.endOffset);
  }
  const parent = parentPath(path);
  return parent === "" ? NOWHERE : locate(document, parent);
}
