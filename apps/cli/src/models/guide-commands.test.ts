import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRequestsCommand } from "../requests/requests-options.ts";
import { parseModelsCommand } from "./models-options.ts";

const guide = readFileSync(new URL("../../../../docs/guide.md", import.meta.url), "utf8");
const linesOf = (verb: RegExp) => [...guide.matchAll(verb)].map(([, words = ""]) => words);
const commands = linesOf(/^npx nereid models (.+)$/gm);
const searches = linesOf(/^npx nereid requests(.*)$/gm);
const ENV = { NEREID_API_KEY: "nrd_x" };

/** Words of a shell line with double quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"]+|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
}

describe("the guide's commands", () => {
  it("are there", () => {
    expect(commands.length).toBeGreaterThan(8);
    expect(searches.length).toBeGreaterThan(0);
  });

  it.each(commands)("%s", (line) => {
    expect(() => parseModelsCommand(wordsOf(line), ENV)).not.toThrow();
  });

  it.each(searches)("requests%s", (line) => {
    expect(() => parseRequestsCommand(wordsOf(line), ENV)).not.toThrow();
  });
});
