import { LineIndex } from "./line-index.ts";
import { Problems } from "./problems.ts";
import { TokenStream } from "./token-stream.ts";
import { tokenize } from "./tokenize.ts";
import type { ConfigDocument } from "./tree.ts";
import { TreeParser } from "./tree-parser.ts";

/** Longest config text that is read, in UTF-16 code units (1 Mi). */
export const MAX_CONFIG_LENGTH = 1024 * 1024;

/** Reads text into a tree without looking at names or types. Total; findings go to the returned collector. */
export function parseTree(text: string, file: string | undefined): { document: ConfigDocument; problems: Problems } {
  const tooLarge = text.length > MAX_CONFIG_LENGTH;
  const readable = tooLarge ? "" : text;
  const lines = new LineIndex(readable);
  const problems = new Problems(lines);
  if (tooLarge) {
    problems.add(
      { offset: 0, endOffset: 0 },
      {
        code: "too-large",
        message: `the config has ${text.length} characters; at most ${MAX_CONFIG_LENGTH} are read`,
      },
    );
  }
  const body = readable.startsWith("\ufeff") ? ` ${readable.slice(1)}` : readable;
  if (body !== readable) {
    problems.add(
      { offset: 0, endOffset: 1 },
      {
        severity: "warning",
        code: "byte-order-mark",
        message: "the file starts with a byte order mark; save it as UTF-8 without one",
        fix: { title: "Remove the byte order mark", edits: [{ offset: 0, endOffset: 1, text: "" }] },
      },
    );
  }
  const tokens = tokenize(body, problems);
  const eof = tokens.at(-1);
  if (eof === undefined) throw new RangeError("a token list always ends with eof");
  const fields = new TreeParser(new TokenStream(tokens, eof), problems).parseFile();
  return {
    document: { text: readable, file, lines, fields, eof, wellFormed: problems.errorCount === 0 },
    problems,
  };
}
