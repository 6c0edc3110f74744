import type { DescEnum } from "@bufbuild/protobuf";
import { lookup } from "../lookup.ts";
import { closest } from "./closest.ts";
import { type Problem, replaceFix } from "./problems.ts";
import { integerOf, stringOf } from "./scalar-value.ts";
import type { ScalarNode } from "./tree.ts";

export type EnumResult =
  | { readonly ok: true; readonly value: number; readonly problem?: Problem }
  | { readonly ok: false; readonly problem: Problem };

/** Names people use for data types in other tools. */
const DATA_TYPE_ALIASES: Readonly<Record<string, string>> = {
  BYTES: "STRING",
  STR: "STRING",
  OBJECT: "STRING",
  FLOAT: "FP32",
  FLOAT16: "FP16",
  HALF: "FP16",
  FLOAT32: "FP32",
  FLOAT64: "FP64",
  DOUBLE: "FP64",
  BFLOAT16: "BF16",
  BOOLEAN: "BOOL",
  INT: "INT32",
  LONG: "INT64",
  BYTE: "UINT8",
};

/** Reads an enum value: a bare name, or a number (unknown numbers are kept and warned about: proto3 enums are open). */
export function readEnum(node: ScalarNode, type: DescEnum): EnumResult {
  const { kind, text } = node.first;
  if (kind === "word" && node.sign === undefined) {
    const value = type.values.find((candidate) => candidate.name === text);
    if (value !== undefined) return { ok: true, value: value.number };
    return { ok: false, problem: unknownName(node, text, type) };
  }
  const number = integerOf(node);
  if (number !== undefined && number >= -(2n ** 31n) && number < 2n ** 31n) {
    const value = Number(number);
    if (type.value[value] !== undefined) return { ok: true, value };
    const message = `${type.name} has no value ${value}; use one of ${names(type)}`;
    return { ok: true, value, problem: { severity: "warning", code: "unknown-enum", message } };
  }
  const quoted = stringOf(node);
  if (quoted === undefined) {
    return {
      ok: false,
      problem: { code: "unknown-enum", message: `expected a ${type.name} name; use one of ${names(type)}` },
    };
  }
  const meant = meantName(quoted, type);
  return {
    ok: false,
    problem: {
      code: "quoted-enum",
      message: `an enum value is not quoted; write ${meant ?? `one of ${names(type)}`} without quotes`,
      ...(meant === undefined ? {} : { fix: replaceFix(`Write ${meant}`, node, meant) }),
    },
  };
}

function unknownName(node: ScalarNode, text: string, type: DescEnum): Problem {
  const meant = meantName(text, type);
  return {
    code: "unknown-enum",
    message: `unknown ${type.name} ${text}; ${meant === undefined ? `use one of ${names(type)}` : `write ${meant}`}`,
    ...(meant === undefined ? {} : { fix: replaceFix(`Write ${meant}`, node, meant) }),
  };
}

/** The value of the enum a word means: other case, missing prefix, a name of another tool, or a typing mistake. */
function meantName(text: string, type: DescEnum): string | undefined {
  const known = type.values.map((value) => value.name);
  const wanted = text.toUpperCase().replaceAll("-", "_");
  const alias = type.name === "DataType" ? lookup(DATA_TYPE_ALIASES, wanted.replace(/^TYPE_/, "")) : undefined;
  return (
    known.find((name) => name === wanted) ??
    known.find((name) => name.endsWith(`_${wanted}`)) ??
    known.find((name) => alias !== undefined && name === `TYPE_${alias}`) ??
    closest(wanted, known) ??
    closest(`${known[0]?.split("_")[0] ?? ""}_${wanted}`, known)
  );
}

function names(type: DescEnum): string {
  return type.values.map((value) => value.name).join(", ");
}
