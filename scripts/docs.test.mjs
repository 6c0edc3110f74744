import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./lib.mjs";

const scripts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;

function pages(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return pages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const documents = [join(root, "README.md"), ...pages(join(root, "docs"))].map((path) => [
  relative(root, path),
  path,
  readFileSync(path, "utf8"),
]);

describe.each(documents)("%s", (_name, path, text) => {
  it("links only to files that exist", () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]);
    expect(targets.filter((target) => !existsSync(join(dirname(path), target)))).toEqual([]);
  });

  it("names only npm scripts and project files that exist", () => {
    const commands = [...text.matchAll(/npm run ([a-z:-]+)(?: -w (\S+))?/g)]
      .filter((match) => match[2] === undefined)
      .map((match) => match[1]);
    expect(commands.filter((command) => scripts[command] === undefined)).toEqual([]);
    const files = [
      ...text.matchAll(/`((?:apps|packages|scripts|prisma|deploy|docs|e2e)\/[\w./-]+\.(?:ts|tsx|mjs|json|md|py))`/g),
    ].map((match) => match[1]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("tells where a batch is decided, and it is there", () => {
    const text = readFileSync(join(root, "docs/ARCHITECTURE.md"), "utf8");
    const file = /where a batch is decided\*\* \| `([^`]+)`/.exec(text)?.[1] ?? "";
    expect(readFileSync(join(root, file), "utf8")).toContain("export function decideDynamic");
  });
});
