import {
  type ConfigDocument,
  type ConfigEdit,
  editModelConfig,
  type FieldNode,
  parseModelConfig,
} from "@nereid/model-config";
import {
  acceleratorsSection,
  batchingSection,
  instancesSection,
  ioSection,
  POLICY,
  SCHEDULER,
  versionsSection,
  warmupSection,
} from "./form-sections.ts";
import type { ConfigForm, FormField, FormList, FormNames, FormRest } from "./form-types.ts";
import { Values } from "./read-values.ts";

/** The form of a configuration text. A text with mistakes has none: what it means is not known. */
export function readForm(text: string, names: FormNames): ConfigForm {
  const { config, document, diagnostics } = parseModelConfig(text);
  if (config === undefined) {
    return { kind: "broken", mistakes: diagnostics.filter(({ severity }) => severity === "error").length };
  }
  const values = new Values(config);
  const sections = [
    ioSection(values, names),
    batchingSection(values),
    instancesSection(values),
    versionsSection(values),
    warmupSection(values),
    acceleratorsSection(values),
  ];
  const covered = new Set(
    sections.flatMap(({ fields, lists }) => [
      ...fields.map(({ path }) => schemaPath(path)),
      ...lists.flatMap((list) => list.items.flatMap((item) => item.fields.map(({ path }) => schemaPath(path)))),
    ]),
  );
  for (const one of [
    "name",
    "backend",
    "platform",
    "dynamic_batching",
    "version_policy.all",
    "version_policy.latest",
  ]) {
    covered.add(one);
  }
  return { kind: "form", sections, rest: restOf(document, covered) };
}

function schemaPath(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "");
}

/** Written fields that no control stands for, each at its outermost block. */
function restOf(document: ConfigDocument, covered: ReadonlySet<string>): FormRest[] {
  const rest: FormRest[] = [];
  const visit = (fields: readonly FieldNode[], outer: string) => {
    for (const field of fields) {
      const path = outer === "" ? field.label : `${outer}.${field.label}`;
      const below = [...covered].some((one) => one.startsWith(`${path}.`));
      const inner = below ? blocksOf(field) : [];
      for (const block of inner) visit(block, path);
      if (inner.length > 0 || (covered.has(path) && !below)) continue;
      if (covered.has(path) || (below && isEmpty(field))) continue;
      rest.push({ path, offset: field.offset, line: document.lines.range(field.offset, field.offset).line });
    }
  };
  visit(document.fields, "");
  return rest;
}

function blocksOf({ value }: FieldNode): readonly (readonly FieldNode[])[] {
  if (value.kind === "message") return [value.fields];
  if (value.kind !== "list") return [];
  return value.items.flatMap((item) => (item.kind === "message" ? [item.fields] : []));
}

function isEmpty({ value }: FieldNode): boolean {
  return value.kind === "list" && value.items.length === 0;
}

export type FormChange =
  | { readonly op: "set"; readonly field: FormField; readonly value: string | boolean }
  | { readonly op: "add"; readonly list: FormList }
  | { readonly op: "remove"; readonly path: string };

export type FormResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** The text after a change of the form. Comments and layout elsewhere stay as they are. */
export function changeForm(text: string, change: FormChange): FormResult {
  const edits = editsOf(change);
  if (typeof edits === "string") return { ok: false, message: edits };
  try {
    return { ok: true, text: editModelConfig(parseModelConfig(text).document, edits) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : "the text could not be changed" };
  }
}

function editsOf(change: FormChange): ConfigEdit[] | string {
  switch (change.op) {
    case "add":
      return [{ op: "append", path: change.list.path, value: change.list.blank }];
    case "remove":
      return [{ op: "remove", path: change.path }];
    case "set":
      return setEdits(change.field, change.value);
  }
}

function setEdits({ path, kind }: FormField, value: string | boolean): ConfigEdit[] | string {
  if (typeof value === "boolean") return value ? [{ op: "set", path, value }] : [{ op: "remove", path }];
  if (path === SCHEDULER) return schedulerEdits(value);
  if (path === POLICY) return policyEdits(value);
  const trimmed = value.trim();
  if (trimmed === "") return [{ op: "remove", path }];
  if (kind === "integer") {
    return /^-?\d{1,18}$/.test(trimmed) ? [{ op: "set", path, value: BigInt(trimmed) }] : "Write a whole number.";
  }
  if (kind === "integers") {
    const parts = trimmed
      .replaceAll(/[[\]]/g, " ")
      .trim()
      .split(/[\s,]+/);
    const whole = parts.every((part) => /^-?\d{1,18}$/.test(part));
    return whole ? [{ op: "set", path, value: parts.map(BigInt) }] : "Write whole numbers with commas between them.";
  }
  return [{ op: "set", path, value: kind === "text" ? value : trimmed }];
}

function schedulerEdits(value: string): ConfigEdit[] {
  if (value === "dynamic") return [{ op: "set", path: "dynamic_batching", value: {} }];
  if (value !== "") return [];
  return ["dynamic_batching", "sequence_batching", "ensemble_scheduling"].map((path) => ({ op: "remove", path }));
}

function policyEdits(value: string): ConfigEdit[] {
  switch (value) {
    case "latest":
      return [{ op: "set", path: "version_policy", value: { latest: { num_versions: 1 } } }];
    case "all":
      return [{ op: "set", path: "version_policy", value: { all: {} } }];
    case "specific":
      return [{ op: "set", path: "version_policy", value: { specific: { versions: [1] } } }];
    default:
      return [{ op: "remove", path: "version_policy" }];
  }
}
