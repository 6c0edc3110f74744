import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ChildPlan {
  readonly name: string;
  readonly entry: string;
  /** For Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly logDirectory: string;
  /** Shown on the console for each line of output; undefined keeps the line in the log file only. */
  readonly show: (line: string) => string | undefined;
}

/** A part of the product in its own process; all it prints goes to a log file. */
export class Child {
  readonly name: string;
  readonly logFile: string;
  readonly #process: ChildProcess;
  readonly #lines: ((line: string) => void)[] = [];
  readonly exited: Promise<string>;
  #alive = true;

  constructor(plan: ChildPlan) {
    this.name = plan.name;
    mkdirSync(plan.logDirectory, { recursive: true });
    this.logFile = join(plan.logDirectory, `${plan.name}.log`);
    const log = createWriteStream(this.logFile, { flags: "a", mode: 0o600 });
    // Its own process group: a terminal's Ctrl-C must reach the launcher alone, which stops its children in order. The
    // open stdin pipe tells a child when the launcher is gone without a word.
    this.#process = spawn(process.execPath, [...(plan.nodeArgs ?? []), plan.entry, ...plan.args], {
      cwd: plan.cwd,
      env: { ...plan.env, NEREID_EXIT_WITH_PARENT: "1" },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        log.write(`${line}\n`);
        const shown = plan.show(line);
        if (shown !== undefined) console.log(shown);
        for (const listener of this.#lines) listener(line);
      });
    }
    this.exited = new Promise((resolve) => {
      this.#process.once("error", (error) => this.#ended(`could not be started: ${error.message}`, resolve));
      this.#process.once("exit", (code, signal) =>
        this.#ended(signal === null ? `exit code ${code}` : `signal ${signal}`, resolve),
      );
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Resolves with the first line that `match` accepts; rejects when the process ends before. */
  line(match: (line: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#lines.push((line) => {
        if (match(line)) resolve(line);
      });
      void this.exited.then((how) => reject(new Error(`${this.name} ended (${how}); see ${this.logFile}`)));
    });
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#alive) this.#process.kill(signal);
  }

  #ended(how: string, resolve: (how: string) => void): void {
    this.#alive = false;
    resolve(how);
  }
}
