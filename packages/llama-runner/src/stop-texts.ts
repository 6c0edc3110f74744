/** What of a text can be sent on. */
export interface Passed {
  readonly text: string;
  /** A stop text was found: nothing follows. */
  readonly stopped: boolean;
}

/** Holds back what may be the beginning of a stop text, and ends the text before the first one that comes. */
export class StopTexts {
  readonly #stops: readonly string[];
  #held = "";

  /** Empty texts stop nothing. */
  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== "");
  }

  push(text: string): Passed {
    const whole = this.#held + text;
    const found = this.#stops.map((stop) => whole.indexOf(stop)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.#held = "";
      return { text: whole.slice(0, Math.min(...found)), stopped: true };
    }
    const keep = Math.max(0, ...this.#stops.map((stop) => overlap(whole, stop)));
    this.#held = whole.slice(whole.length - keep);
    return { text: whole.slice(0, whole.length - keep), stopped: false };
  }

  /** The text is over: what was held back was no stop text. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** Length of the longest end of `text` that `stop` begins with. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--)
    if (stop.startsWith(text.slice(text.length - length))) return length;
  return 0;
}
