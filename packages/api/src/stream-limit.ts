import { NereidError } from "@nereid/errors";

const MOST_STREAMS = 16;

/** Counts the open streams of each session. A page needs one; a session that opens them without end gets no more. */
export class StreamLimit {
  readonly #open = new Map<string, number>();

  /** Takes a place and answers how to give it back. Throws TOO_MANY_REQUESTS when there is none. */
  enter(session: string): () => void {
    const open = this.#open.get(session) ?? 0;
    if (open >= MOST_STREAMS) {
      throw new NereidError("TOO_MANY_REQUESTS", `this session has ${MOST_STREAMS} live streams open already`, {
        fix: "close some of the dashboard's tabs and reload the page",
      });
    }
    this.#open.set(session, open + 1);
    return () => this.#leave(session);
  }

  #leave(session: string): void {
    const open = (this.#open.get(session) ?? 0) - 1;
    if (open > 0) this.#open.set(session, open);
    else this.#open.delete(session);
  }
}
