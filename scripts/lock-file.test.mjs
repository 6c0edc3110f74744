import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));

describe("package-lock.json", () => {
  it("names every platform package, so that `npm ci` works on other systems too", () => {
    const have = new Set(Object.keys(packages).map((key) => key.split("node_modules/").pop()));
    const missing = Object.entries(packages).flatMap(([key, value]) =>
      Object.keys(value.optionalDependencies ?? {})
        .filter((name) => !have.has(name))
        .map((name) => `${key} -> ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("records no download addresses other than the public registry", () => {
    const odd = Object.values(packages).flatMap(({ resolved }) =>
      resolved === undefined || resolved.startsWith("https://registry.npmjs.org/") || !resolved.startsWith("http")
        ? []
        : [resolved],
    );
    expect(odd).toEqual([]);
  });
});
