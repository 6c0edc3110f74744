import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { NereidError } from "@nereid/errors";
import { fieldNamed } from "../text/schema-index.ts";
import { quote } from "../text/string-literal.ts";

/**
 * A value to write into a config: messages and maps as objects, repeated fields as arrays, enums by name or number,
 * 64-bit integers as number or bigint.
 */
export type EditValue =
  | string
  | number
  | bigint
  | boolean
  | readonly EditValue[]
  | { readonly [name: string]: EditValue };

interface LeafType {
  readonly scalar?: ScalarType | undefined;
  readonly enum?: DescEnum | undefined;
}

/**
 * Canonical text of one field; the first line is not indented, the others are by `indent`. Throws NereidError
 * INVALID_ARGUMENT when the value does not suit the field.
 */
export function renderField(field: DescField, value: EditValue, indent: string): string {
  switch (field.fieldKind) {
    case "map":
      return renderMap(field, value, indent);
    case "list":
      return renderList(field, value, indent);
    case "message":
      return `${field.name} ${renderMessage(field.message, value, indent)}`;
    default:
      return `${field.name}: ${renderLeaf(field, value, field.name)}`;
  }
}

/** Canonical text of one element of a repeated field, or of a singular field's value. */
export function renderElement(field: DescField, value: EditValue, indent: string): string {
  if (field.message !== undefined) return renderMessage(field.message, value, indent);
  return renderLeaf(field, value, field.name);
}

/** One map entry, `{ ... }`. */
export function renderEntry(
  field: DescField & { fieldKind: "map" },
  entry: { readonly key: string; readonly value: EditValue },
  indent: string,
): string {
  const inner = `${indent}  `;
  const key = `key: ${field.mapKey === ScalarType.STRING ? quote(entry.key) : numberKey(field.name, entry.key)}`;
  const value =
    field.mapKind === "message"
      ? `value ${renderMessage(field.message, entry.value, inner)}`
      : `value: ${renderLeaf(field, entry.value, field.name)}`;
  return `{\n${inner}${key}\n${inner}${value}\n${indent}}`;
}

function numberKey(name: string, key: string): string {
  if (/^-?[0-9]+$/.test(key)) return key;
  throw unsuitable(name, `key ${quote(key)} is not an integer`);
}

function renderMap(field: DescField & { fieldKind: "map" }, value: EditValue, indent: string): string {
  const entries = Object.entries(objectOf(value, field.name));
  if (entries.length === 0) return `${field.name}: [ ]`;
  return entries
    .map(([key, item]) => `${field.name} ${renderEntry(field, { key, value: item }, indent)}`)
    .join(`\n${indent}`);
}

function renderList(field: DescField & { fieldKind: "list" }, value: EditValue, indent: string): string {
  const items = arrayOf(value, field.name);
  if (items.length === 0) return `${field.name}: [ ]`;
  if (field.listKind !== "message") {
    return `${field.name}: [ ${items.map((item) => renderLeaf(field, item, field.name)).join(", ")} ]`;
  }
  const inner = `${indent}  `;
  const rendered = items.map((item) => `${inner}${renderMessage(field.message, item, inner)}`);
  return `${field.name} [\n${rendered.join(",\n")}\n${indent}]`;
}

function renderMessage(desc: DescMessage, value: EditValue, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(objectOf(value, desc.name)).map(([name, item]) => {
    const field = fieldNamed(desc, name);
    if (field === undefined) throw unsuitable(desc.name, `it has no field ${name}`);
    return `${inner}${renderField(field, item, inner)}`;
  });
  return lines.length === 0 ? "{ }" : `{\n${lines.join("\n")}\n${indent}}`;
}

function renderLeaf(type: LeafType, value: EditValue, name: string): string {
  if (type.enum !== undefined) return renderEnum(type.enum, value, name);
  switch (type.scalar) {
    case ScalarType.STRING:
      if (typeof value === "string") return quote(value);
      throw unsuitable(name, "it takes a string");
    case ScalarType.BOOL:
      if (typeof value === "boolean") return String(value);
      throw unsuitable(name, "it takes true or false");
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      if (typeof value === "number") return renderFloat(value, type.scalar);
      throw unsuitable(name, "it takes a number");
    default:
      if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) {
        return Object.is(value, -0) ? "0" : String(value);
      }
      throw unsuitable(name, "it takes an integer");
  }
}

function renderEnum(type: DescEnum, value: EditValue, name: string): string {
  const known = type.values.find((candidate) => candidate.name === value || candidate.number === value);
  if (known !== undefined) return known.name;
  if (typeof value === "number" && Number.isInteger(value)) return String(value);
  throw unsuitable(name, `it takes one of ${type.values.map((candidate) => candidate.name).join(", ")}`);
}

function renderFloat(value: number, type: ScalarType): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0";
  if (type === ScalarType.DOUBLE) return String(value);
  // The shortest decimal that reads back as the same 32-bit float.
  for (let digits = 1; digits <= 9; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === Math.fround(value)) return String(candidate);
  }
  return String(value);
}

/** The value as a list; throws NereidError INVALID_ARGUMENT otherwise. */
export function arrayOf(value: EditValue, name: string): readonly EditValue[] {
  if (isArray(value)) return value;
  throw unsuitable(name, "it takes a list");
}

function objectOf(value: EditValue, name: string): { readonly [name: string]: EditValue } {
  if (typeof value === "object" && !isArray(value)) return value;
  throw unsuitable(name, "it takes an object");
}

function isArray(value: EditValue): value is readonly EditValue[] {
  return Array.isArray(value);
}

function unsuitable(name: string, why: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `cannot write ${name}: ${why}`);
}
