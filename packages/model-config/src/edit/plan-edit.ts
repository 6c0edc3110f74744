import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { NereidError } from "@nereid/errors";
import type { TextEdit } from "../diagnostic.ts";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";
import { findPath } from "../text/locate.ts";
import { type PathSegment, parsePath } from "../text/path.ts";
import { fieldNamed } from "../text/schema-index.ts";
import type { ConfigDocument, FieldNode, MessageNode } from "../text/tree.ts";
import { type EditValue, renderElement, renderEntry, renderField } from "./render-value.ts";
import { appendToList, type Container, indentAt, insertField, removeField, removeItem } from "./splice.ts";

/** One change of a config text. Paths look like `input[0].dims` or `parameters["key"].string_value`. */
export type ConfigEdit =
  | { readonly op: "set"; readonly path: string; readonly value: EditValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "append"; readonly path: string; readonly value: EditValue };

interface Target {
  readonly path: string;
  readonly field: DescField;
  readonly last: PathSegment;
  /** Path of the message the field belongs to; empty at the top level. */
  readonly parent: string;
}

/** The text edits that carry out one change; throws NereidError INVALID_ARGUMENT when the path or value is wrong. */
export function planEdit(document: ConfigDocument, edit: ConfigEdit): TextEdit[] {
  const target = resolve(edit.path);
  switch (edit.op) {
    case "set":
      return planSet(document, target, edit.value);
    case "remove":
      return planRemove(document, target);
    case "append":
      return planAppend(document, target, edit.value);
  }
}

function resolve(path: string): Target {
  const segments = parsePath(path);
  let desc: DescMessage | undefined = ModelConfigSchema;
  let target: Target | undefined;
  for (const last of segments ?? []) {
    const field: DescField | undefined = desc === undefined ? undefined : fieldNamed(desc, last.name);
    if (field === undefined || !suits(field, last)) throw invalid(`there is no field ${path} in a model config`);
    const parent = target?.path ?? "";
    target = { path: `${parent === "" ? "" : `${parent}.`}${textOf(last)}`, field, last, parent };
    desc = field.message;
  }
  if (target === undefined) throw invalid(`${JSON.stringify(path)} is not a field path`);
  return target;
}

function suits(field: DescField, segment: PathSegment): boolean {
  if (segment.key !== undefined) return field.fieldKind === "map";
  return segment.index === undefined || field.fieldKind === "list" || field.fieldKind === "map";
}

function textOf(segment: PathSegment): string {
  if (segment.key !== undefined) return `${segment.name}[${JSON.stringify(segment.key)}]`;
  return segment.index === undefined ? segment.name : `${segment.name}[${segment.index}]`;
}

function planSet(document: ConfigDocument, target: Target, value: EditValue): TextEdit[] {
  const { field, last } = target;
  const found = findPath(document, target.path);
  if (found === undefined) return planNew(document, target, value);
  const indent = indentAt(document.text, found.value.offset);
  const whole = last.index === undefined && last.key === undefined;
  if (whole && (field.fieldKind === "list" || field.fieldKind === "map")) {
    const { field: first, occurrences } = found;
    const text = renderField(field, value, indentAt(document.text, first.offset));
    const others = occurrences.filter((other) => other !== first).map((other) => removeField(document.text, other));
    return [{ offset: first.offset, endOffset: first.value.endOffset, text }, ...others];
  }
  const span = { offset: found.value.offset, endOffset: found.value.endOffset };
  if (field.fieldKind === "map" && found.entry === found.value && last.key !== undefined) {
    return [{ ...span, text: renderEntry(field, { key: last.key, value }, indent) }];
  }
  return [{ ...span, text: renderElement(field, value, indent) }];
}

function planNew(document: ConfigDocument, target: Target, value: EditValue): TextEdit[] {
  const { field, last } = target;
  if (last.index !== undefined) throw invalid(`${target.path} does not exist; append to ${last.name} instead`);
  const wanted: EditValue = last.key === undefined ? value : { [last.key]: value };
  const container = containerOf(document, target.parent);
  if (container === undefined) {
    // The block around the field is missing as well: write it with the field in it.
    return planSet(document, resolve(target.parent), { [field.name]: wanted });
  }
  const rivals = container.fields.filter((other) => excludes(field, other));
  return [
    insertField(document.text, container, (indent) => renderField(field, wanted, indent)),
    ...rivals.map((rival) => removeField(document.text, rival)),
  ];
}

/** True when writing `field` must remove the other member of its oneof. */
function excludes(field: DescField, other: FieldNode): boolean {
  const members = field.fieldKind === "list" || field.fieldKind === "map" ? undefined : field.oneof?.fields;
  return members?.some((member) => member !== field && member.name === other.label) ?? false;
}

function containerOf(document: ConfigDocument, path: string): Container | undefined {
  if (path === "") return { fields: document.fields, block: undefined };
  const found = findPath(document, path);
  if (found === undefined) return undefined;
  if (found.value.kind !== "message") throw invalid(`${path} is not a block`);
  const block: MessageNode = found.value;
  return { fields: block.fields, block };
}

function planRemove(document: ConfigDocument, target: Target): TextEdit[] {
  const found = findPath(document, target.path);
  if (found === undefined) return [];
  if (target.last.index === undefined && target.last.key === undefined) {
    return found.occurrences.map((field) => removeField(document.text, field));
  }
  const item = found.entry ?? found.value;
  return [found.list === undefined ? removeField(document.text, found.field) : removeItem(found.list, item)];
}

function planAppend(document: ConfigDocument, target: Target, value: EditValue): TextEdit[] {
  const { field } = target;
  if (field.fieldKind !== "list") throw invalid(`${target.path} is not a repeated field; use set`);
  const last = findPath(document, target.path)?.occurrences.at(-1);
  if (last === undefined) return planNew(document, target, [value]);
  if (last.value.kind === "list") {
    return appendToList(document.text, last.value, (indent) => renderElement(field, value, indent));
  }
  const single = (indent: string) =>
    field.listKind === "message"
      ? `${field.name} ${renderElement(field, value, indent)}`
      : `${field.name}: ${renderElement(field, value, indent)}`;
  return [insertField(document.text, { fields: [last], block: undefined }, single)];
}

function invalid(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
