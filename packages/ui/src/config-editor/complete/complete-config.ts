import { type SchemaField, schemaField, schemaFields } from "@nereid/model-config";
import { FIELD_DOCS } from "../hover/field-docs.ts";
import { scanConfig } from "../language/scan-config.ts";
import { KNOWN_VALUES } from "./known-values.ts";

/** A tensor name the model's graph has, for the names of inputs and outputs. */
export interface CompletionNames {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface ConfigCompletion {
  readonly label: string;
  /** What is inserted; `#{}` are places to fill in, a tab is one step of indentation. */
  readonly template: string;
  readonly kind: "field" | "value";
  readonly detail: string;
  readonly info: string;
}

export interface ConfigCompletions {
  /** Where the replaced text begins. */
  readonly from: number;
  readonly options: readonly ConfigCompletion[];
}

const NO_NAMES: CompletionNames = { inputs: [], outputs: [] };

/** What may be written at a position: fields of the block that are not there yet, or values of the field. Null: nothing. */
export function completeConfig(text: string, position: number, names = NO_NAMES): ConfigCompletions | null {
  const { at, blocks, from, used } = scanConfig(text, position);
  if (at.kind === "field") {
    const fields = (schemaFields(blocks) ?? []).filter((field) => mayStand(field, used));
    return fields.length === 0 ? null : { from, options: fields.map(fieldCompletion) };
  }
  if (at.kind !== "value") return null;
  const field = schemaField(blocks, at.field);
  if (field === undefined) return null;
  const options = valuesOf(field, names).map(({ value, note, quoted }) => ({
    label: value,
    template: quoted && !at.quoted ? `"${value}"` : value,
    kind: "value" as const,
    detail: note,
    info: "",
  }));
  const fitting = at.quoted ? options.filter(({ template }) => isText(field) || !template.startsWith('"')) : options;
  return fitting.length === 0 || (at.quoted && !isText(field)) ? null : { from, options: fitting };
}

function mayStand(field: SchemaField, used: ReadonlySet<string>): boolean {
  return (field.repeated || !used.has(field.name)) && !field.rivals.some((rival) => used.has(rival));
}

function isText(field: SchemaField): boolean {
  return field.kind === "scalar" && field.type === "string";
}

function fieldCompletion(field: SchemaField): ConfigCompletion {
  const docs = FIELD_DOCS[field.path];
  return {
    label: field.name,
    template: templateOf(field),
    kind: "field",
    detail: `${field.repeated && field.kind !== "map" ? "repeated " : ""}${field.type}`,
    info: docs?.text ?? "",
  };
}

/** A place to fill in. */
const HOLE = "#{}";
const TEXT_HOLE = `"${HOLE}"`;

function templateOf(field: SchemaField): string {
  const { name } = field;
  if (field.kind === "map") return mapTemplate(field);
  if (field.kind === "message") {
    return field.repeated ? `${name} [\n\t{\n\t\t${HOLE}\n\t}\n]` : `${name} {\n\t${HOLE}\n}`;
  }
  const value = isText(field) ? TEXT_HOLE : HOLE;
  return field.repeated ? `${name}: [ ${value} ]` : `${name}: ${value}`;
}

function mapTemplate({ name, type }: SchemaField): string {
  const key = type.startsWith("map<string") ? TEXT_HOLE : HOLE;
  const entry = (value: string) => `${name} {\n\tkey: ${key}\n\tvalue${value}\n}`;
  if (type.endsWith(" string>")) return entry(`: ${TEXT_HOLE}`);
  return type.endsWith(" ModelParameter>") ? entry(` { string_value: ${TEXT_HOLE} }`) : entry(` {\n\t\t${HOLE}\n\t}`);
}

interface Value {
  readonly value: string;
  readonly note: string;
  readonly quoted: boolean;
}

function valuesOf(field: SchemaField, names: CompletionNames): readonly Value[] {
  const known = KNOWN_VALUES[field.path] ?? [];
  const graph = field.path === "input.name" ? names.inputs : field.path === "output.name" ? names.outputs : [];
  const isKey = field.name !== "value";
  return [
    ...field.values
      .filter((value) => value !== "TYPE_INVALID")
      .map((value) => ({ value, note: VALUE_NOTES[value] ?? "", quoted: false })),
    ...graph.map((value) => ({ value, note: "in the model's graph", quoted: true })),
    ...(isKey ? known.map((one) => ({ ...one, quoted: true })) : []),
  ];
}

const VALUE_NOTES: Readonly<Record<string, string>> = {
  KIND_AUTO: "GPU where there is one, else CPU",
  KIND_GPU: "on the GPUs of gpus, or on all",
  KIND_CPU: "on the CPU",
  KIND_MODEL: "the model decides",
  TYPE_STRING: "bytes of any length; BYTES in requests",
  FORMAT_NONE: "no layout is meant",
  FORMAT_NHWC: "height, width, channels",
  FORMAT_NCHW: "channels, height, width",
  REJECT: "answer the request with an error",
  DELAY: "let all others go first",
};
