import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";

/** Files of a load test while it runs. */
export interface LoadTestFiles extends Disposable {
  readonly inputFile: string;
  readonly arrivalsFile: string;
  /** A text without the place of these files, which nobody else can look into. */
  plain(text: string): string;
}

/** Writes what is sent, and when, for the code that reads files of people. */
export function loadTestFiles({ input }: Pick<LoadTestSpec, "input">, arrivalsMs: readonly number[]): LoadTestFiles {
  const directory = mkdtempSync(join(tmpdir(), "nereid-load-test-"));
  const inputFile = join(directory, "requests.json");
  const arrivalsFile = join(directory, "arrivals.txt");
  const text = input.kind === "json" ? input.text : input.kind === "fixture" ? input.data : undefined;
  if (text !== undefined) writeFileSync(inputFile, text);
  writeFileSync(arrivalsFile, `${arrivalsMs.join("\n")}\n`);
  return {
    inputFile,
    arrivalsFile,
    plain: (text) => text.replaceAll(`${directory}/`, ""),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
