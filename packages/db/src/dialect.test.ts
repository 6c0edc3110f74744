import { describe, expect, it } from "vitest";
import { dialectOf, sqlitePath } from "./dialect.ts";

describe("dialectOf", () => {
  it.each([
    ["file:./state/nereid.db", "sqlite"],
    ["postgres://u@h/db", "postgresql"],
    ["postgresql://u:p@h:5432/db?sslmode=require", "postgresql"],
  ])("%s is %s", (url, dialect) => {
    expect(dialectOf(url)).toBe(dialect);
  });

  it.each(["mysql://h/db", "libsql://host", "", "nereid.db"])("refuses %j", (url) => {
    expect(() => dialectOf(url)).toThrow(/must start with/);
  });
});

it("sqlitePath drops the scheme and parameters", () => {
  expect(sqlitePath("file:/var/lib/nereid.db?cache=shared")).toBe("/var/lib/nereid.db");
});
