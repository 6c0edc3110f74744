export interface CloseStep {
  readonly name: string;
  close(): Promise<void> | void;
}

/**
 * Shuts the process down once: the steps in order, at most until the deadline, then exit. A second signal exits at once.
 * Exit codes: 0 after everything was closed, 1 when the deadline passed or a step failed, 130 for the second signal.
 */
export class Closer {
  readonly #steps: CloseStep[] = [];
  readonly #deadlineMs: number;
  readonly #exit: (code: number) => void;
  readonly #log: (text: string) => void;
  #closing = false;

  constructor(options: {
    readonly deadlineMs: number;
    readonly exit: (code: number) => void;
    readonly log: (text: string) => void;
  }) {
    this.#deadlineMs = options.deadlineMs;
    this.#exit = options.exit;
    this.#log = options.log;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Steps run in the order they were added. */
  add(step: CloseStep): void {
    this.#steps.push(step);
  }

  async close(reason: string): Promise<void> {
    if (this.#closing) {
      this.#log(`${reason} again: exiting at once`);
      this.#exit(130);
      return;
    }
    this.#closing = true;
    this.#log(`${reason}: shutting down`);
    const timer = setTimeout(() => {
      this.#log("Exit timeout expired. Exiting immediately.");
      this.#exit(1);
    }, this.#deadlineMs);
    let code = 0;
    for (const step of this.#steps) {
      try {
        await step.close();
      } catch (error) {
        code = 1;
        this.#log(`closing ${step.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    clearTimeout(timer);
    this.#exit(code);
  }
}
