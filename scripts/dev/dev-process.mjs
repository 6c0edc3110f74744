import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** After this long a child that was asked to end is killed. */
const GRACE_MS = 12_000;

/** A child in a process group of its own, so that Ctrl-C reaches this script alone, and stopping reaches its children too. */
export class DevProcess {
  #plan;
  #child;
  #exited = Promise.resolve();
  #stopping = false;

  /** @param plan {{ name: string, args: string[], cwd: string, env: object, show: (line: string) => string | undefined }} */
  constructor(plan) {
    this.#plan = plan;
  }

  start() {
    const { name, args, cwd, env, show } = this.#plan;
    this.#stopping = false;
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        const shown = show(line);
        if (shown !== undefined) console.log(shown);
      });
    }
    this.#exited = new Promise((resolve) => {
      child.once("error", (error) => {
        console.error(`dev: ${name} could not be started: ${error.message}`);
        resolve();
      });
      child.once("exit", (code, signal) => {
        if (!this.#stopping) console.error(`dev: ${name} ended (${signal ?? `exit code ${code}`})`);
        resolve();
      });
    });
  }

  async stop() {
    this.#stopping = true;
    this.#signal("SIGTERM");
    const timer = setTimeout(() => this.#signal("SIGKILL"), GRACE_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  async restart() {
    await this.stop();
    this.start();
  }

  kill() {
    this.#signal("SIGKILL");
  }

  #signal(signal) {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It ended meanwhile.
    }
  }
}
