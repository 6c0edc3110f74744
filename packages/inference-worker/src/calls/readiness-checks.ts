import type { ReadinessReply } from "../runner-protocol/call-messages.ts";

export interface Readiness {
  readonly ready: boolean;
  readonly message?: string;
}

const WITHIN_MS = 5_000;

/** Questions to one instance whether it is ready; those asked while one is open share its answer. */
export class ReadinessChecks {
  readonly #send: (check: number) => void;
  #open:
    | { readonly check: number; readonly answer: Promise<Readiness>; readonly settle: (answer: Readiness) => void }
    | undefined;
  #next = 1;

  constructor(send: (check: number) => void) {
    this.#send = send;
  }

  ask(): Promise<Readiness> {
    if (this.#open !== undefined) return this.#open.answer;
    const check = this.#next++;
    let resolve: (answer: Readiness) => void = () => undefined;
    const answer = new Promise<Readiness>((settle) => {
      resolve = settle;
    });
    const timer = setTimeout(
      () =>
        this.#settle(check, { ready: false, message: `did not say within ${WITHIN_MS / 1000} s whether it is ready` }),
      WITHIN_MS,
    );
    timer.unref();
    this.#open = {
      check,
      answer,
      settle: (found) => {
        clearTimeout(timer);
        resolve(found);
      },
    };
    this.#send(check);
    return answer;
  }

  /** Answers that come too late are nobody's. */
  answer({ check, ready, message }: ReadinessReply): void {
    this.#settle(check, { ready: ready === true, ...(message !== undefined && { message: String(message) }) });
  }

  close(): void {
    if (this.#open !== undefined) this.#settle(this.#open.check, { ready: false, message: "its process ended" });
  }

  #settle(check: number, answer: Readiness): void {
    const open = this.#open;
    if (open === undefined || open.check !== check) return;
    this.#open = undefined;
    open.settle(answer);
  }
}
