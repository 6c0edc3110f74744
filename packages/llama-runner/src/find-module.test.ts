import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLlamaModule } from "./find-module.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nereid-llama-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function install(below: string): string {
  const directory = join(root, below, "node_modules/node-llama-cpp");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{ "name": "node-llama-cpp" }');
  return directory;
}

describe("where node-llama-cpp is looked for", () => {
  it("in node_modules above the program", () => {
    const place = install(".");
    expect(findLlamaModule({ from: join(root, "app/dist/runner.js"), directory: undefined })).toBe(place);
  });

  it("where the operator says: a directory with node_modules, or the package itself", () => {
    const place = install("elsewhere");
    const from = join(root, "app/runner.js");
    expect(findLlamaModule({ from, directory: join(root, "elsewhere") })).toBe(place);
    expect(findLlamaModule({ from, directory: place })).toBe(place);
  });

  it("and nowhere else then: the error has the line that installs it", () => {
    install(".");
    const search = { from: join(root, "app/runner.js"), directory: join(root, "empty") };
    expect(() => findLlamaModule(search)).toThrow(/which is not in '.*empty'; install it with: npm install --no-save/);
  });
});
