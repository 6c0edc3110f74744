import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseModelsCommand } from "./models-options.ts";

const guide = readFileSync(new URL("../../../../docs/guide.md", import.meta.url), "utf8");
const commands = [...guide.matchAll(/^npx nereid models (.+)$/gm)].map(([, words = ""]) => words);

/** Words of a shell line with double quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"]+|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
}

describe("the guide's commands", () => {
  it("are there", () => expect(commands.length).toBeGreaterThan(8));

  it.each(commands)("%s", (line) => {
    expect(() => parseModelsCommand(wordsOf(line), { NEREID_API_KEY: "nrd_x" })).not.toThrow();
  });
});
