import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";
import { quote } from "../text/string-literal.ts";

/** Random valid config texts that use every liberty of the text format (spec §9), comments included. */
export function arbitraryConfigText(): fc.Arbitrary<string> {
  return messageBody(ModelConfigSchema, 0);
}

const SPACES = [" ", "\n", "\t", "  \n  ", ' # note: { [ " \n', "\n# own line\n\n"];
const space = fc.constantFrom(...SPACES);
const maybeSpace = fc.constantFrom("", ...SPACES);
const separator = fc.constantFrom(" ", "\n", ",", ";", " , ", "# c\n", " ;\n\n");

function messageBody(desc: DescMessage, depth: number): fc.Arbitrary<string> {
  return fc
    .shuffledSubarray([...desc.fields], { maxLength: Math.min(desc.fields.length, depth > 2 ? 3 : 7) })
    .map(withoutOneofRivals)
    .chain((fields) => fc.tuple(...fields.map((field) => fieldText(field, depth))))
    .map((parts) => parts.join(""));
}

function withoutOneofRivals(fields: readonly DescField[]): DescField[] {
  const seen = new Set<string>();
  return fields.filter((field) => {
    if (field.oneof === undefined) return true;
    const first = !seen.has(field.oneof.name);
    seen.add(field.oneof.name);
    return first;
  });
}

function fieldText(field: DescField, depth: number): fc.Arbitrary<string> {
  const isMessage = field.fieldKind === "map" || field.message !== undefined;
  const colon = isMessage ? fc.constantFrom("", ":", " : ") : fc.constantFrom(":", " :", ": ", ":\n");
  const value = elementText(field, depth);
  const once = fc
    .tuple(colon, maybeSpace, value, separator)
    .map(([mark, gap, text, end]) => `${field.name}${mark}${gap}${text}${end}`);
  if (field.fieldKind !== "list" && field.fieldKind !== "map") return once;
  const list = fc
    .tuple(colon, fc.array(fc.tuple(maybeSpace, value, maybeSpace), { maxLength: 4 }), separator)
    .map(([mark, items, end]) => `${field.name}${mark}[${items.map((item) => item.join("")).join(",")}]${end}`);
  return fc.array(fc.oneof(once, list), { maxLength: 3 }).map((parts) => parts.join(""));
}

function elementText(field: DescField, depth: number): fc.Arbitrary<string> {
  if (field.fieldKind === "map") return entryText(field, depth);
  if (field.message !== undefined) return braces(messageBody(field.message, depth + 1));
  return leafText(field);
}

function entryText(field: DescField & { fieldKind: "map" }, depth: number): fc.Arbitrary<string> {
  const key = leafText({ scalar: field.mapKey }).map((text) => `key: ${text}`);
  const value =
    field.mapKind === "message"
      ? fc
          .tuple(fc.constantFrom("", ":"), braces(messageBody(field.message, depth + 1)))
          .map(([mark, text]) => `value${mark} ${text}`)
      : leafText(field).map((text) => `value: ${text}`);
  return braces(
    fc.tuple(key, value, separator, fc.constantFrom("both", "swapped", "key", "value")).map(([k, v, end, which]) => {
      if (which === "key") return k;
      if (which === "value") return v;
      return which === "both" ? `${k}${end}${v}` : `${v}${end}${k}`;
    }),
  );
}

function braces(body: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.boolean(), maybeSpace, body, maybeSpace)
    .map(([curly, before, text, after]) => (curly ? `{${before}${text}${after}}` : `<${before}${text}${after}>`));
}

function leafText(type: {
  scalar?: ScalarType | undefined;
  enum?: DescField["enum"] | undefined;
}): fc.Arbitrary<string> {
  if (type.enum !== undefined) {
    const values = type.enum.values.map((value) => value.name);
    const numbers = type.enum.values.map((value) => String(value.number));
    return fc.constantFrom(...values, ...numbers);
  }
  switch (type.scalar) {
    case ScalarType.STRING:
      return stringText();
    case ScalarType.BOOL:
      return fc.constantFrom("true", "false", "True", "False", "t", "f", "1", "0");
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return fc.oneof(
        fc.constantFrom("1", "1.0", "1e3", "1.5f", "inf", "-inf", "nan", ".5", "-2", "- 7.25", "3.F", "1E-3"),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => String(Math.abs(value))),
      );
    case ScalarType.INT32:
      return integerText(-(2n ** 31n), 2n ** 31n - 1n);
    case ScalarType.UINT32:
      return integerText(0n, 2n ** 32n - 1n);
    case ScalarType.INT64:
      return integerText(-(2n ** 63n), 2n ** 63n - 1n);
    default:
      return integerText(0n, 2n ** 64n - 1n);
  }
}

function integerText(min: bigint, max: bigint): fc.Arbitrary<string> {
  return fc
    .tuple(fc.oneof(fc.bigInt({ min: -9n, max: 300n }), fc.bigInt({ min, max })), fc.constantFrom(10, 16, 8), space)
    .map(([wanted, base, gap]) => {
      const value = wanted < min ? -wanted : wanted;
      const magnitude = value < 0n ? -value : value;
      const digits = base === 10 || magnitude === 0n ? String(magnitude) : spell(magnitude, base);
      return value < 0n ? `-${gap.length % 2 === 0 ? "" : gap}${digits}` : digits;
    });
}

function spell(magnitude: bigint, base: number): string {
  return base === 16 ? `0x${magnitude.toString(16)}` : `0${magnitude.toString(8)}`;
}

function stringText(): fc.Arbitrary<string> {
  const escapes = fc.constantFrom(
    "\\n",
    "\\t",
    "\\\\",
    "\\'",
    '\\"',
    "\\101",
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    "\\?",
    "\\0",
  );
  const plain = fc.string({ maxLength: 6 }).map((text) => quote(text).slice(1, -1).replaceAll("'", "\\'"));
  const piece = fc.tuple(
    fc.constantFrom('"', "'"),
    fc.array(fc.oneof(plain, escapes, fc.constantFrom("é", "日本", "x1", "model")), { maxLength: 3 }),
  );
  return fc
    .array(piece, { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.map(([mark, texts]) => `${mark}${texts.join("")}${mark}`).join(" "));
}
