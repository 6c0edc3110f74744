import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface DirectResult {
  readonly runs: number;
  readonly perSecond: number;
  readonly p50Us: number;
}

export interface DirectOrder {
  readonly file: string;
  readonly input: string;
  readonly shape: readonly number[];
  readonly durationMs: number;
}

/** The engine without a server, in a process of its own with the settings a runner has. */
export class DirectEngine {
  readonly #process: ChildProcess;
  readonly #waiting: ((result: DirectResult) => void)[] = [];

  constructor(entry: string) {
    this.#process = spawn(process.execPath, [entry], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { MALLOC_MMAP_THRESHOLD_: "1048576" },
    });
    if (this.#process.stdout === null) throw new Error("the direct engine has no output");
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift()?.(JSON.parse(line)));
  }

  run(order: DirectOrder): Promise<DirectResult> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin?.write(`${JSON.stringify(order)}\n`);
    });
  }

  stop(): void {
    this.#process.stdin?.end();
  }
}
