import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import { plainText } from "../plain-text.ts";

/** Where a command writes and asks. */
export interface Output {
  line(text: string): void;
  /** Replaces the progress line; nothing where the output is no terminal. */
  progress(text: string): void;
  endProgress(): void;
  /** Asks a person; INVALID_ARGUMENT where there is none. */
  confirm(question: string): Promise<boolean>;
  pause(ms: number): Promise<void>;
  nowMs(): number;
}

/** Results on standard output; progress and questions on standard error, so that a pipe gets results alone. */
export function terminalOutput(options: { readonly quiet: boolean }): Output {
  const { stdin, stdout, stderr } = process;
  const live = stderr.isTTY === true && !options.quiet;
  return {
    line: (text) => {
      if (!options.quiet) stdout.write(`${plainText(text)}\n`);
    },
    progress: (text) => {
      if (live) stderr.write(`\r\u001b[2K${plainText(text)}`);
    },
    endProgress: () => {
      if (live) stderr.write("\n");
    },
    confirm: async (question) => {
      if (!stdin.isTTY) {
        throw new NereidError("INVALID_ARGUMENT", "there is nobody to ask", {
          fix: "add --yes to publish without asking",
        });
      }
      const readline = createInterface({ input: stdin, output: stderr });
      try {
        return /^y(es)?$/i.test((await readline.question(`${plainText(question)} [y/N] `)).trim());
      } finally {
        readline.close();
      }
    },
    pause: (ms) => sleep(ms),
    nowMs: () => performance.now(),
  };
}
