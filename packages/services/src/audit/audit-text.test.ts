import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./audit-chain.ts";
import { csvCell } from "./export-audit.ts";
import { redact } from "./redact.ts";

it("canonicalJson does not depend on the order of fields, and says the same as JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      const turned = (inner: unknown): unknown =>
        Array.isArray(inner)
          ? inner.map(turned)
          : typeof inner === "object" && inner !== null
            ? Object.fromEntries(
                Object.entries(inner)
                  .reverse()
                  .map(([key, one]) => [key, turned(one)]),
              )
            : inner;
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
    }),
  );
});

describe("csvCell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+49", "'+49"],
    ["-x", "'-x"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ['say "no", please', '"say ""no"", please"'],
    ["two\nlines", '"two\nlines"'],
    ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
    [-5, "-5"],
    [null, ""],
    [{ a: 1 }, '"{""a"":1}"'],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("%j is %s", (value, expected) => {
    expect(csvCell(value)).toBe(expected);
  });
});

it("redact keeps what is no secret, and can be stored", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(redact(value) ?? null)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    }),
  );
  expect(redact({ email: "a@b.org", tokens: 3, nested: [{ Password: "x" }], gone: undefined })).toEqual({
    email: "a@b.org",
    tokens: "[removed]",
    nested: [{ Password: "[removed]" }],
  });
  expect(redact(undefined)).toBeUndefined();
});
