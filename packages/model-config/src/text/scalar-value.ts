import { ScalarType } from "@bufbuild/protobuf";
import { insertFix, type Problem, replaceFix, type Span } from "./problems.ts";
import { concat, decodeLiteral, quote } from "./string-literal.ts";
import type { ScalarNode } from "./tree.ts";

export type ScalarResult =
  | { readonly ok: true; readonly value: string | number | bigint | boolean }
  | { readonly ok: false; readonly problem: Problem; readonly span: Span };

/** No 64-bit value needs more; keeps the reading of a long literal linear. */
const MAX_DIGITS = 100;
const DECIMAL = /^(?:0|[1-9][0-9]*)$/;
const INTEGER = /^(?:0|[1-9][0-9]*|0[0-7]+|0[xX][0-9a-fA-F]+)$/;
const FLOAT = /^(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fF]?$/;
const FLOAT_WORD = /^(?:inf|infinity|nan)$/i;

const INT_RANGES: ReadonlyMap<ScalarType, readonly [low: bigint, high: bigint, name: string]> = new Map([
  [ScalarType.INT32, [-(2n ** 31n), 2n ** 31n - 1n, "int32"]],
  [ScalarType.UINT32, [0n, 2n ** 32n - 1n, "uint32"]],
  [ScalarType.INT64, [-(2n ** 63n), 2n ** 63n - 1n, "int64"]],
  [ScalarType.UINT64, [0n, 2n ** 64n - 1n, "uint64"]],
] as const);

/** Reads a scalar of the given protobuf type. 64-bit integers come back as bigint. */
export function readScalar(node: ScalarNode, type: ScalarType): ScalarResult {
  switch (type) {
    case ScalarType.STRING:
      return readString(node);
    case ScalarType.BOOL:
      return readBool(node);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return readFloat(node, type);
    default:
      return readInteger(node, type);
  }
}

/** The integer a node spells, or undefined when it is none. */
export function integerOf(node: ScalarNode): bigint | undefined {
  const { kind, text } = node.first;
  if (kind !== "number" || text.length > MAX_DIGITS || !INTEGER.test(text)) return undefined;
  const magnitude = /^0[0-7]+$/.test(text) ? BigInt(`0o${text.slice(1)}`) : BigInt(text);
  return node.sign === undefined ? magnitude : -magnitude;
}

/** The decoded text of a string node; undefined when it is no string or holds a bad escape. */
export function stringOf(node: ScalarNode): string | undefined {
  const result = readString(node);
  return result.ok ? String(result.value) : undefined;
}

function fail(span: Span, problem: Problem): ScalarResult {
  return { ok: false, problem, span };
}

function written(node: ScalarNode): string {
  const text = node.tokens.map((token) => token.text).join(" ");
  return `${node.sign === undefined || node.sign === node.first ? "" : "-"}${text}`.slice(0, 60);
}

function readString(node: ScalarNode): ScalarResult {
  if (node.first.kind !== "string" || node.sign !== undefined) {
    const text = written(node);
    return fail(node, {
      code: "unquoted-string",
      message: `expected a string; write ${quote(text)} in quotes`,
      fix: replaceFix("Add quotes", node, quote(text)),
    });
  }
  const chunks: Uint8Array[] = [];
  for (const token of node.tokens) {
    const decoded = decodeLiteral(token.text);
    if (!decoded.ok) {
      const offset = token.offset + decoded.at;
      return fail(
        { offset, endOffset: offset + decoded.length },
        {
          code: "bad-escape",
          message: decoded.message,
          fix: insertFix("Write a backslash", offset, "\\"),
        },
      );
    }
    chunks.push(decoded.bytes);
  }
  try {
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(concat(chunks)) };
  } catch {
    return fail(node, { code: "invalid-utf8", message: "the escapes of this string do not make valid UTF-8" });
  }
}

function readBool(node: ScalarNode): ScalarResult {
  const text = written(node);
  if (node.first.kind === "word" && node.sign === undefined) {
    if (/^(?:true|True|t)$/.test(text)) return { ok: true, value: true };
    if (/^(?:false|False|f)$/.test(text)) return { ok: true, value: false };
  }
  const number = node.sign === undefined ? integerOf(node) : undefined;
  if (number === 0n || number === 1n) return { ok: true, value: number === 1n };
  const bare = (stringOf(node) ?? text).toLowerCase();
  const meant = ["true", "yes", "on", "1"].includes(bare)
    ? "true"
    : ["false", "no", "off", "0"].includes(bare)
      ? "false"
      : undefined;
  return fail(node, {
    code: "bad-bool",
    message: `${text} is not a bool; write ${meant ?? "true or false"}`,
    ...(meant === undefined ? {} : { fix: replaceFix(`Write ${meant}`, node, meant) }),
  });
}

function readFloat(node: ScalarNode, type: ScalarType): ScalarResult {
  const { kind, text } = node.first;
  let value: number | undefined;
  if (kind === "word" && FLOAT_WORD.test(text)) value = /^nan$/i.test(text) ? Number.NaN : Number.POSITIVE_INFINITY;
  else if (kind === "number" && FLOAT.test(text)) value = Number(text.replace(/[fF]$/, ""));
  if (value !== undefined) {
    const signed = node.sign === undefined ? value : -value;
    return { ok: true, value: type === ScalarType.FLOAT ? Math.fround(signed) : signed };
  }
  return notANumber(node, "a number", (bare) => FLOAT.test(bare.replace(/^-/, "")));
}

function readInteger(node: ScalarNode, type: ScalarType): ScalarResult {
  const [low, high, name] = INT_RANGES.get(type) ?? [0n, 0n, "integer"];
  const value = integerOf(node);
  if (value === undefined) return notANumber(node, "an integer", (bare) => DECIMAL.test(bare.replace(/^-/, "")));
  if (value < low || value > high) {
    return fail(node, {
      code: "number-range",
      message: `${value} does not fit ${name}; use a value from ${low} to ${high}`,
    });
  }
  const wide = type === ScalarType.INT64 || type === ScalarType.UINT64;
  return { ok: true, value: wide ? value : Number(value) };
}

function notANumber(node: ScalarNode, wanted: string, accepts: (bare: string) => boolean): ScalarResult {
  const text = written(node);
  if (node.first.kind === "string") {
    const bare = (stringOf(node) ?? "").trim();
    return fail(node, {
      code: "quoted-number",
      message: `expected ${wanted}, not a string; write ${accepts(bare) ? bare : "it"} without quotes`,
      ...(accepts(bare) ? { fix: replaceFix("Remove the quotes", node, bare) } : {}),
    });
  }
  if (node.first.kind === "number" && wanted === "an integer" && FLOAT.test(node.first.text)) {
    const number = Number(node.first.text.replace(/[fF]$/, ""));
    const whole = Number.isSafeInteger(number) ? `${node.sign === undefined ? "" : "-"}${number}` : undefined;
    return fail(node, {
      code: "bad-number",
      message: `expected an integer; ${text} is a float${whole === undefined ? "" : `, write ${whole}`}`,
      ...(whole === undefined ? {} : { fix: replaceFix(`Write ${whole}`, node, whole) }),
    });
  }
  if (node.first.kind === "number" && /^0[0-9]+$/.test(node.first.text)) {
    const decimal = node.first.text.replace(/^0+(?=.)/, "");
    return fail(node, {
      code: "bad-number",
      message: `${text} starts with 0 and so reads as octal, which has no 8 or 9; write ${decimal}`,
      fix: replaceFix(`Write ${decimal}`, node.first, decimal),
    });
  }
  return fail(node, { code: "bad-number", message: `expected ${wanted}, found ${text}; write ${wanted} here` });
}
