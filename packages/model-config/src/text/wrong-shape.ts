import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { type Problem, replaceFix } from "./problems.ts";
import { quote } from "./string-literal.ts";
import type { FieldNode, ListNode, MessageNode, ScalarNode, ValueNode } from "./tree.ts";

interface Shape {
  readonly node: FieldNode;
  readonly text: string;
}

/** A message is wanted, a scalar or list stands there. */
export function messageExpected(value: ScalarNode | ListNode, wanted: DescMessage, { node, text }: Shape): Problem {
  const wrapped = wrap(value, wanted, text);
  return {
    code: "message-expected",
    message: `${node.label} takes a message; write ${shorten(wrapped ?? "{ ... }")}`,
    ...(wanted.fields.length > 0
      ? { help: `Fields of ${wanted.name}: ${wanted.fields.map((field) => field.name).join(", ")}` }
      : {}),
    ...(wrapped === undefined ? {} : { fix: replaceFix(`Write ${shorten(wrapped)}`, value, wrapped) }),
  };
}

function wrap(value: ScalarNode | ListNode, wanted: DescMessage, text: string): string | undefined {
  const only = wanted.fields.length === 1 ? wanted.fields[0] : undefined;
  const written = text.slice(value.offset, value.endOffset);
  if (only !== undefined && only.fieldKind !== "map") {
    if (value.kind === "list" && only.fieldKind !== "list") return undefined;
    const bare = value.kind === "scalar" && only.scalar === ScalarType.STRING && value.first.kind !== "string";
    return `{ ${only.name}: ${bare ? quote(written) : written} }`;
  }
  return /^(?:true|True|t|1)$/.test(written) ? "{ }" : undefined;
}

/** A scalar is wanted, `{ ... }` stands there. */
export function scalarExpected(value: MessageNode, { node, text }: Shape): Problem {
  const only = value.fields.length === 1 ? value.fields[0] : undefined;
  const inner = only?.value.kind === "scalar" ? text.slice(only.value.offset, only.value.endOffset) : undefined;
  const behindName = { offset: node.name.endOffset, endOffset: node.value.endOffset };
  return {
    code: "scalar-expected",
    message: `${node.label} is a plain value here, not a message; write ${node.label}: ${shorten(inner ?? "...")}`,
    ...(inner === undefined || node.value !== value
      ? {}
      : { fix: replaceFix(`Write ${node.label}: ${shorten(inner)}`, behindName, `: ${inner}`) }),
  };
}

/** One value is wanted, a list stands there. */
export function listForSingle(value: ListNode, { node, text }: Shape): Problem {
  const only = value.items.length === 1 ? value.items[0] : undefined;
  const inner = only === undefined ? undefined : text.slice(only.offset, only.endOffset);
  return {
    code: "list-for-single",
    message: `${node.label} takes a single value, not a list; remove the brackets`,
    ...(inner === undefined ? {} : { fix: replaceFix("Remove the brackets", value, inner) }),
  };
}

/** `[[...]]`: lists do not nest. */
export function nestedList(value: ListNode): Problem {
  const edits = [value.open, ...(value.close === undefined ? [] : [value.close])].map((token) => ({
    offset: token.offset,
    endOffset: token.endOffset,
    text: "",
  }));
  return {
    code: "nested-list",
    message: "a list cannot stand in a list; remove the inner brackets",
    ...(value.items.length > 0 ? { fix: { title: "Remove the inner brackets", edits } } : {}),
  };
}

/** A field name without a value. */
export function missingValue(node: FieldNode, field: DescField): Problem {
  const block = field.message !== undefined && field.fieldKind === "message";
  return {
    code: "missing-value",
    message: `${node.label} has no value; write ${node.label}${block ? " { }" : ": ..."}`,
    ...(block
      ? {
          fix: replaceFix(
            `Write ${node.label} { }`,
            { offset: node.name.endOffset, endOffset: node.value.endOffset },
            " { }",
          ),
        }
      : {}),
  };
}

/** `{ NAME: "x" }` where `{ key: "NAME" value: "x" }` is meant. */
export function mapEntryExpected(
  entry: MessageNode,
  wrong: FieldNode,
  { text, valueMessage }: { readonly text: string; readonly valueMessage: DescMessage | undefined },
): Problem {
  const value = entry.fields.length === 1 && wrong.value.kind === "scalar" ? wrong.value : undefined;
  const inner = value === undefined ? undefined : valueText(value, valueMessage, text);
  const rewritten = inner === undefined ? undefined : `key: ${quote(wrong.label)} value: ${inner}`;
  return {
    code: "map-entry",
    message: `a map entry has only key and value, not ${wrong.label}; write { ${rewritten ?? 'key: "..." value: ...'} }`,
    ...(rewritten === undefined ? {} : { fix: replaceFix("Write key and value", wrong, rewritten) }),
  };
}

function valueText(value: ValueNode, wanted: DescMessage | undefined, text: string): string | undefined {
  if (value.kind !== "scalar") return undefined;
  return wanted === undefined ? text.slice(value.offset, value.endOffset) : wrap(value, wanted, text);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
