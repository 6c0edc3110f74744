import { NereidError } from "@nereid/errors";

/** Characters of one event; a server that never ends one would fill the memory. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

export interface SseEvent {
  /** Value of the last `id` field so far; empty when there was none. */
  readonly id: string;
  /** Value of the `event` field; "message" when there was none. */
  readonly type: string;
  readonly data: string;
}

/** Incremental parser of `text/event-stream` (HTML standard §9.2.6); fed with text in pieces of any size. */
export class SseParser {
  #pending = "";
  #skipLineFeed = false;
  #started = false;
  #id = "";
  #type = "";
  #data: string[] = [];
  #dataCharacters = 0;

  /** Events completed by this piece of text. Throws UNAVAILABLE for one that has no end. */
  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    if (!this.#started && text.length > 0) {
      this.#started = true;
      if (text.charCodeAt(0) === 0xfeff) start = 1;
    }
    if (this.#skipLineFeed && start < text.length) {
      if (text[start] === "\n") start += 1;
      this.#skipLineFeed = false;
    }
    for (let at = start; at < text.length; at += 1) {
      const char = text[at];
      if (char !== "\n" && char !== "\r") continue;
      this.#line(this.#pending + text.slice(start, at), events);
      this.#pending = "";
      if (char === "\r") {
        // A CR at the end of a piece may be half of a CRLF: the LF that opens the next piece belongs to it.
        if (at + 1 === text.length) this.#skipLineFeed = true;
        else if (text[at + 1] === "\n") at += 1;
      }
      start = at + 1;
    }
    this.#pending += text.slice(start);
    if (this.#pending.length + this.#dataCharacters > MOST_CHARACTERS) {
      throw new NereidError("UNAVAILABLE", `an event of the stream has more than ${MOST_CHARACTERS} characters`, {
        fix: "check that the address is that of a Nereid server",
      });
    }
    return events;
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === "") {
      if (this.#data.length > 0) {
        events.push({ id: this.#id, type: this.#type === "" ? "message" : this.#type, data: this.#data.join("\n") });
      }
      this.#data = [];
      this.#dataCharacters = 0;
      this.#type = "";
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (field === "data") {
      this.#data.push(value);
      this.#dataCharacters += value.length;
    } else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
  }
}
