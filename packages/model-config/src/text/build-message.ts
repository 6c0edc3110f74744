import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { removeField } from "../edit/splice.ts";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";
import { readEnum } from "./enum-value.ts";
import { explainForeignRoot, innerConfigs } from "./foreign-root.ts";
import { insertFix, type Problem, type Problems, type Span } from "./problems.ts";
import { readScalar } from "./scalar-value.ts";
import { fieldNamed } from "./schema-index.ts";
import type { FieldNode, MessageNode, ScalarNode, ValueNode } from "./tree.ts";
import { explainUnknownField } from "./unknown-field.ts";
import { adviseAcceleratorParameter, adviseRootValue } from "./value-advice.ts";
import {
  listForSingle,
  mapEntryExpected,
  messageExpected,
  missingValue,
  nestedList,
  scalarExpected,
} from "./wrong-shape.ts";

type Scalar = string | number | bigint | boolean;
type ListField = DescField & { fieldKind: "list" };
type MapField = DescField & { fieldKind: "map" };

/** What a value sits in: the field as written, its schema path, and the text for fixes. */
interface Place {
  readonly node: FieldNode;
  readonly path: string;
}

/** Fills a protobuf message from the tree, following the descriptors; every mistake becomes a finding. */
export class MessageBuilder {
  readonly #text: string;
  readonly #problems: Problems;

  constructor(text: string, problems: Problems) {
    this.#text = text;
    this.#problems = problems;
  }

  /** Reads the fields of one message. `path` is empty for the file itself. */
  build(fields: readonly FieldNode[], desc: DescMessage, path: string): ReflectMessage {
    const message = reflect(desc);
    const seen = new Map<string, FieldNode>();
    const counts = new Map<string, number>();
    for (const node of fields) {
      const field = this.#resolve(node, desc, path);
      if (field === undefined || this.#isRepeatedTooOften(node, field, seen)) continue;
      const place: Place = { node, path: path === "" ? field.name : `${path}.${field.name}` };
      if (node.value.kind === "missing") {
        // A value with a width was skipped for its depth and is reported already.
        if (node.value.offset === node.value.endOffset) this.#report(node.name, place, missingValue(node, field));
        continue;
      }
      this.#checkColon(place, field);
      if (field.fieldKind === "list" || field.fieldKind === "map") {
        const index = counts.get(field.name) ?? 0;
        counts.set(field.name, index + this.#readRepeated(message, field, { ...place, index }));
      } else {
        this.#readSingular(message, field, place);
      }
    }
    return message;
  }

  #report(span: Span, place: { readonly path: string }, problem: Problem): void {
    this.#problems.add(span, { path: place.path, ...problem });
  }

  #resolve(node: FieldNode, desc: DescMessage, path: string): DescField | undefined {
    const field = fieldNamed(desc, node.label);
    if (field !== undefined) return field;
    const place = { path: path === "" ? node.label : `${path}.${node.label}` };
    if (this.#problems.full) {
      // A search for the name that was meant, for each of 200 000 wrong ones, would hold up the server for seconds.
      this.#report(node.name, place, { code: "unknown-field", message: `unknown field ${node.label}` });
      return undefined;
    }
    const foreign = desc === ModelConfigSchema ? explainForeignRoot(node, this.#text) : undefined;
    if (foreign !== undefined) {
      this.#report(node.name, place, foreign);
      if (node.label !== "model_config_list") return undefined;
      for (const inner of innerConfigs(node)) this.build(inner.fields, ModelConfigSchema, "");
      return undefined;
    }
    const unknown = explainUnknownField(node, desc);
    this.#report(node.name, place, unknown.problem);
    return unknown.meant;
  }

  #isRepeatedTooOften(node: FieldNode, field: DescField, seen: Map<string, FieldNode>): boolean {
    if (field.fieldKind === "list" || field.fieldKind === "map") return false;
    const line = (earlier: FieldNode) => this.#problems.lineOf(earlier.offset);
    const same = seen.get(field.name);
    if (same !== undefined) {
      const message = field.fieldKind === "message" ? "merge the two blocks" : "keep one of them";
      this.#problems.add(node.name, {
        code: "duplicate-field",
        message: `${field.name} is already given on line ${line(same)}; ${message}`,
        // Which of two blocks is the right one nobody can tell; of two values the reader would take the last.
        ...(field.fieldKind === "message"
          ? {}
          : { fix: { title: `Remove the one on line ${line(same)}`, edits: [removeField(this.#text, same)] } }),
      });
      return true;
    }
    seen.set(field.name, node);
    if (field.oneof === undefined) return false;
    const key = `oneof ${field.oneof.name}`;
    const rival = seen.get(key);
    seen.set(key, node);
    if (rival === undefined) return false;
    this.#problems.add(node.name, {
      code: "oneof-conflict",
      message: `${field.name} excludes ${rival.label}, given on line ${line(rival)}; remove one of the two`,
      help: `Only one of ${field.oneof.fields.map((member) => member.name).join(", ")} may be given.`,
      fix: { title: `Remove ${field.name}`, edits: [removeField(this.#text, node)] },
    });
    return false;
  }

  #checkColon(place: Place, field: DescField): void {
    if (place.node.colon !== undefined || field.message !== undefined || field.fieldKind === "map") return;
    if (place.node.value.kind === "message") return;
    this.#report(place.node, place, {
      code: "missing-colon",
      message: `${place.node.label} needs a colon; write ${place.node.label}: ...`,
      fix: insertFix("Add the colon", place.node.name.endOffset, ":"),
    });
  }

  #readSingular(message: ReflectMessage, field: DescField, place: Place): void {
    if (field.fieldKind === "list" || field.fieldKind === "map") return;
    const value = this.#single(place);
    if (value === undefined) return;
    if (field.fieldKind === "message") {
      const inner = this.#readMessage(value, field.message, place);
      if (inner !== undefined) message.set(field, inner);
      return;
    }
    const scalar = this.#readLeaf(value, field, place);
    if (scalar === undefined) return;
    message.set(field, scalar);
    if (field.parent === ModelConfigSchema && typeof scalar === "string") {
      const advice = adviseRootValue(place.node, scalar);
      if (advice !== undefined) this.#report(value, place, advice);
    }
  }

  /** The value of a singular field; a list is an error, yet its first element is read. */
  #single(place: Place): ValueNode | undefined {
    const { value } = place.node;
    if (value.kind !== "list") return value;
    const only = value.items[0];
    const wrapsLists = only?.kind !== "message" && place.node.colon !== undefined;
    if (wrapsLists && fieldTakesList(place.path)) return value;
    this.#report(value, place, listForSingle(value, { node: place.node, text: this.#text }));
    return only;
  }

  #readMessage(value: ValueNode, desc: DescMessage, place: Place): ReflectMessage | undefined {
    if (value.kind === "message") return this.build(value.fields, desc, place.path);
    if (value.kind === "missing") return undefined;
    this.#report(value, place, messageExpected(value, desc, { node: place.node, text: this.#text }));
    return undefined;
  }

  #readLeaf(
    value: ValueNode,
    type: { readonly scalar?: ScalarType | undefined; readonly enum?: DescEnum | undefined },
    place: Place,
  ): Scalar | undefined {
    if (value.kind === "message") {
      this.#report(value, place, scalarExpected(value, { node: place.node, text: this.#text }));
      return undefined;
    }
    if (value.kind !== "scalar") return undefined;
    return type.enum === undefined
      ? this.#readScalar(value, type.scalar ?? ScalarType.STRING, place)
      : this.#readEnum(value, type.enum, place);
  }

  #readScalar(value: ScalarNode, type: ScalarType, place: Place): Scalar | undefined {
    const result = readScalar(value, type);
    if (!result.ok) {
      this.#report(result.span, place, result.problem);
      return undefined;
    }
    if (typeof result.value === "string" && value.tokens.some((token) => token.text.includes("\ufffd"))) {
      this.#report(value, place, {
        severity: "warning",
        code: "invalid-utf8",
        message: "the string holds a replacement character: the file is probably not UTF-8; save it as UTF-8",
      });
    }
    return result.value;
  }

  #readEnum(value: ScalarNode, type: DescEnum, place: Place): number | undefined {
    const result = readEnum(value, type);
    if (result.problem !== undefined) this.#report(value, place, result.problem);
    return result.ok ? result.value : undefined;
  }

  /** Reads the element or elements of one occurrence and answers how many there were. */
  #readRepeated(
    message: ReflectMessage,
    field: ListField | MapField,
    place: Place & { readonly index: number },
  ): number {
    const { value } = place.node;
    const items = value.kind === "list" ? value.items.flatMap((item) => this.#flatten(item, place)) : [value];
    for (const [offset, item] of items.entries()) {
      const inner: Place = { node: place.node, path: `${place.path}[${place.index + offset}]` };
      if (field.fieldKind === "map") this.#readMapEntry(message, field, { ...inner, item });
      else this.#readElement(message, field, { ...inner, item });
    }
    return items.length;
  }

  #flatten(item: ValueNode, place: Place): readonly ValueNode[] {
    if (item.kind !== "list") return [item];
    this.#report(item, place, nestedList(item));
    return item.items.filter((inner) => inner.kind !== "list");
  }

  #readElement(message: ReflectMessage, field: ListField, place: Place & { readonly item: ValueNode }): void {
    const list = message.get(field);
    if (field.listKind === "message") {
      const inner = this.#readMessage(place.item, field.message, place);
      if (inner !== undefined) list.add(inner);
      return;
    }
    const leaf = this.#readLeaf(place.item, field, place);
    if (leaf !== undefined) list.add(leaf);
  }

  #readMapEntry(message: ReflectMessage, field: MapField, place: Place & { readonly item: ValueNode }): void {
    const { item } = place;
    if (item.kind !== "message") {
      this.#report(item, place, {
        code: "map-entry",
        message: `${place.node.label} is a map; write ${place.node.label} { key: ... value: ... }`,
      });
      return;
    }
    const parts = this.#entryParts(item, field, place);
    if (parts === undefined) return;
    const key = this.#entryKey(parts.key, field, place);
    const value = this.#entryValue(parts.value, field, place);
    if (key !== undefined && value !== undefined) message.get(field).set(key, value);
  }

  #entryParts(
    entry: MessageNode,
    field: MapField,
    place: Place,
  ): { key: FieldNode | undefined; value: FieldNode | undefined } | undefined {
    const parts: { key: FieldNode | undefined; value: FieldNode | undefined } = { key: undefined, value: undefined };
    let complete = true;
    for (const node of entry.fields) {
      if (node.label !== "key" && node.label !== "value") {
        const shape = { text: this.#text, valueMessage: field.message };
        this.#report(node.name, place, mapEntryExpected(entry, node, shape));
        complete = false;
      } else if (parts[node.label] === undefined) {
        parts[node.label] = node;
      } else {
        const message = `the map entry has ${node.label} twice; keep one of them`;
        this.#report(node.name, place, { code: "duplicate-field", message });
      }
    }
    return complete ? parts : undefined;
  }

  #entryKey(
    node: FieldNode | undefined,
    field: MapField,
    place: Place,
  ): string | number | bigint | boolean | undefined {
    if (node === undefined) return zeroOf(field.mapKey);
    const key = this.#entryLeaf(node, { scalar: field.mapKey }, place);
    const isAccelerator = field.parent.name === "Accelerator" && node.value.kind === "scalar";
    if (isAccelerator && typeof key === "string" && node.value.kind === "scalar") {
      const advice = adviseAcceleratorParameter(node.value, key);
      if (advice !== undefined) this.#report(node.value, place, advice);
    }
    return key;
  }

  #entryValue(node: FieldNode | undefined, field: MapField, place: Place): Scalar | ReflectMessage | undefined {
    if (field.mapKind === "message") {
      if (node === undefined) return reflect(field.message);
      const inner: Place = { node, path: `${place.path}.value` };
      const value = node.value.kind === "missing" ? this.#entryMissing(inner) : this.#single(inner);
      return value === undefined ? undefined : this.#readMessage(value, field.message, inner);
    }
    if (node !== undefined) return this.#entryLeaf(node, field, place);
    return field.mapKind === "enum" ? (field.enum.values[0]?.number ?? 0) : zeroOf(field.scalar);
  }

  #entryLeaf(
    node: FieldNode,
    type: { readonly scalar?: ScalarType | undefined; readonly enum?: DescEnum | undefined },
    place: Place,
  ): Scalar | undefined {
    const inner: Place = { node, path: `${place.path}.${node.label}` };
    if (node.value.kind === "missing") return this.#entryMissing(inner);
    if (node.colon === undefined && node.value.kind !== "message") {
      this.#report(node, inner, {
        code: "missing-colon",
        message: `${node.label} needs a colon; write ${node.label}: ...`,
        fix: insertFix("Add the colon", node.name.endOffset, ":"),
      });
    }
    const value = this.#single(inner);
    return value === undefined ? undefined : this.#readLeaf(value, type, inner);
  }

  #entryMissing(place: Place): undefined {
    this.#report(place.node.name, place, {
      code: "missing-value",
      message: `${place.node.label} has no value; write ${place.node.label}: ...`,
    });
    return undefined;
  }
}

/** Fields whose message wraps one list, so that `reshape: [1, 2]` is explained as a missing wrapper. */
function fieldTakesList(path: string): boolean {
  return /(?:^|\.)(?:reshape|specific|model_operations|histogram_options)$/.test(path);
}

function zeroOf(type: ScalarType): Scalar {
  switch (type) {
    case ScalarType.STRING:
      return "";
    case ScalarType.BOOL:
      return false;
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return 0n;
    default:
      return 0;
  }
}
