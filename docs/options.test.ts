import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { LAUNCHER_OPTIONS } from "../apps/cli/src/up/launcher-options.ts";
import { parseUpOptions } from "../apps/cli/src/up/up-options.ts";
import { FLAGS } from "../apps/server/src/options/flag-table.ts";
import { optionsPage, VARIABLES } from "./options-page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/options.md"), "utf8");

/** Variables of ours that product code names, tests left out. */
function variablesInSources(): Set<string> {
  const found = new Set<string>();
  for (const folder of [
    "apps/cli/src",
    "apps/server/src",
    "apps/web/src",
    "packages/inference-worker/src",
    "packages/db/src",
  ]) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(entry) || /\.test\.tsx?$|(^|\/)(testing|integration)\//.test(entry)) continue;
      const text = readFileSync(join(root, folder, entry), "utf8");
      for (const [name] of text.matchAll(/\b(?:NEREID_[A-Z]+(?:_[A-Z]+)*|DATABASE_URL)\b/g)) found.add(name);
    }
  }
  return found;
}

describe("docs/options.md", () => {
  it("is what the tables say; npx vitest run --project unit docs -u writes it anew", async () => {
    await expect(optionsPage()).toMatchFileSnapshot("./options.md");
  });

  it.each(Object.keys(FLAGS))("names --%s", (name) => {
    expect(page).toContain(`\`--${name}\``);
  });

  it.each(LAUNCHER_OPTIONS.map(([name]) => name))("is right that npm start takes --%s itself", (name) => {
    expect(parseUpOptions([`--${name}=1`], {}, root).passedOn).toEqual([]);
  });

  it("names every variable that the code reads, and no other", () => {
    const named = new Set(VARIABLES.map(([name]) => name));
    const read = variablesInSources();
    expect([...read].filter((name) => !named.has(name))).toEqual([]);
    // Those of the launcher are made from the names of its options.
    const made = LAUNCHER_OPTIONS.map(([name]) => `NEREID_${name.toUpperCase().replaceAll("-", "_")}`);
    expect([...named].filter((name) => !read.has(name) && !made.includes(name))).toEqual([]);
  });
});
