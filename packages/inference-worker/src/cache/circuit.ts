export interface CircuitOptions {
  /** Failures in a row after which nothing is asked for a while. */
  readonly failures: number;
  /** How long, at first and at most; it doubles each time the service is still not there. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** Milliseconds that only go forward. */
  readonly nowMs: () => number;
}

type State =
  | { readonly kind: "closed"; readonly failures: number }
  | { readonly kind: "open"; readonly untilMs: number; readonly pauseMs: number }
  /** One is let through, to see. */
  | { readonly kind: "probing"; readonly pauseMs: number };

/** Keeps callers from waiting for a service that does not answer. */
export class Circuit {
  readonly #options: CircuitOptions;
  #state: State = { kind: "closed", failures: 0 };

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Nothing is known to be wrong. */
  get closed(): boolean {
    return this.#state.kind === "closed";
  }

  /** Whether the service may be asked now. Whoever is told so says afterwards how it went. */
  allows(): boolean {
    const state = this.#state;
    if (state.kind === "closed") return true;
    if (state.kind === "probing" || this.#options.nowMs() < state.untilMs) return false;
    this.#state = { kind: "probing", pauseMs: state.pauseMs };
    return true;
  }

  succeeded(): void {
    this.#state = { kind: "closed", failures: 0 };
  }

  failed(): void {
    const state = this.#state;
    const { failures, pauseMs, longestPauseMs, nowMs } = this.#options;
    if (state.kind === "open") return;
    if (state.kind === "closed" && state.failures + 1 < failures) {
      this.#state = { kind: "closed", failures: state.failures + 1 };
      return;
    }
    const pause = state.kind === "probing" ? Math.min(longestPauseMs, state.pauseMs * 2) : pauseMs;
    this.#state = { kind: "open", untilMs: nowMs() + pause, pauseMs: pause };
  }
}
