import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";
import { fieldNamed } from "../text/schema-index.ts";

/** A field of the config language, for completion and documentation. */
export interface SchemaField {
  readonly name: string;
  /** Schema path without indices and map steps: `input.dims`, `parameters.string_value`. */
  readonly path: string;
  /** `scalar` and `enum` take `name: value`, `message` and `map` take `name { … }`. */
  readonly kind: "scalar" | "enum" | "message" | "map";
  /** As the documentation prints it: `int64`, `DataType`, `map<string, string>`. */
  readonly type: string;
  readonly repeated: boolean;
  /** Values that may be written; empty for free ones. */
  readonly values: readonly string[];
  /** Fields that exclude this one. */
  readonly rivals: readonly string[];
}

/**
 * Fields that may stand in the block reached by these field names from the top of the file; undefined when there is no
 * such block. The entry of a map is a block of `key` and `value`.
 */
export function schemaFields(blocks: readonly string[]): readonly SchemaField[] | undefined {
  const at = blockAt(blocks);
  if (at === undefined) return undefined;
  if (at.entryOf !== undefined) return entryFields(at.entryOf, at.path);
  return at.message.fields.map((field) => describe(field, joined(at.path, field.name)));
}

/** One field by the names of its blocks and its own. */
export function schemaField(blocks: readonly string[], name: string): SchemaField | undefined {
  return schemaFields(blocks)?.find((field) => field.name === name);
}

type MapField = DescField & { fieldKind: "map" };

type Block =
  | { readonly path: string; readonly message: DescMessage; readonly entryOf?: undefined }
  | { readonly path: string; readonly entryOf: MapField };

function blockAt(blocks: readonly string[]): Block | undefined {
  let at: Block = { path: "", message: ModelConfigSchema };
  for (const name of blocks) {
    const next = step(at, name);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

function step(at: Block, name: string): Block | undefined {
  if (at.entryOf !== undefined) {
    const inner = name === "value" ? at.entryOf.message : undefined;
    return inner === undefined ? undefined : { path: at.path, message: inner };
  }
  const field = fieldNamed(at.message, name);
  if (field === undefined) return undefined;
  const path = joined(at.path, name);
  if (field.fieldKind === "map") return { path, entryOf: field };
  return field.message === undefined ? undefined : { path, message: field.message };
}

function entryFields(field: MapField, path: string): readonly SchemaField[] {
  const plain = { path, repeated: false, values: [], rivals: [] } as const;
  return [
    { ...plain, name: "key", kind: "scalar", type: scalarName(field.mapKey) },
    field.message === undefined
      ? { ...plain, name: "value", kind: "scalar", type: valueName(field) }
      : { ...plain, name: "value", kind: "message", type: field.message.name },
  ];
}

function describe(field: DescField, path: string): SchemaField {
  return {
    name: field.name,
    path,
    kind: field.fieldKind === "map" ? "map" : field.message !== undefined ? "message" : field.enum ? "enum" : "scalar",
    type: field.fieldKind === "map" ? `map<${scalarName(field.mapKey)}, ${valueName(field)}>` : valueName(field),
    repeated: field.fieldKind === "list" || field.fieldKind === "map",
    values: valuesOf(field),
    rivals:
      field.fieldKind === "list" || field.fieldKind === "map"
        ? []
        : (field.oneof?.fields ?? []).filter((other) => other !== field).map((other) => other.name),
  };
}

function valuesOf(field: DescField): readonly string[] {
  if (field.enum !== undefined) return field.enum.values.map((value) => value.name);
  return field.fieldKind !== "map" && field.scalar === ScalarType.BOOL ? ["true", "false"] : [];
}

function valueName(field: DescField): string {
  if (field.message !== undefined) return field.message.name;
  return field.enum === undefined ? scalarName(field.scalar) : field.enum.name;
}

function scalarName(type: ScalarType | undefined): string {
  return (type === undefined ? "string" : ScalarType[type]).toLowerCase();
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
