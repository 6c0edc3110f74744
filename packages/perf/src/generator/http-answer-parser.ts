export interface HttpAnswerEvents {
  readonly onHead: (status: number) => void;
  readonly onBody: (chunk: Buffer) => void;
  /** The answer is complete; `reusable` says whether the connection takes another request. */
  readonly onEnd: (reusable: boolean) => void;
}

type State =
  | { kind: "head" }
  | { kind: "length"; left: number }
  | { kind: "chunk-size" }
  | { kind: "chunk"; left: number }
  | { kind: "trailer" }
  | { kind: "until-close" };

/** Cuts the bytes of a connection into HTTP/1.1 answers, one at a time. Answers of 1xx are skipped. */
export class HttpAnswerParser {
  readonly #events: HttpAnswerEvents;
  #state: State = { kind: "head" };
  #pending: Buffer = Buffer.alloc(0);
  #reusable = true;

  constructor(events: HttpAnswerEvents) {
    this.#events = events;
  }

  /** Whether the answer in progress ends with the connection. */
  get endsWithConnection(): boolean {
    return this.#state.kind === "until-close";
  }

  /** Takes the next bytes. Throws for what is no HTTP/1.x. */
  push(chunk: Buffer): void {
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = Buffer.alloc(0);
    while (rest.length > 0) {
      const next = this.#step(rest);
      if (next === undefined) {
        this.#pending = rest;
        return;
      }
      rest = next;
    }
  }

  /** What follows the part that was read; undefined = more bytes are needed. */
  #step(bytes: Buffer): Buffer | undefined {
    const state = this.#state;
    switch (state.kind) {
      case "head":
        return this.#head(bytes);
      case "length":
      case "chunk":
        return this.#body(bytes, state);
      case "until-close":
        this.#events.onBody(bytes);
        return Buffer.alloc(0);
      case "chunk-size": {
        const end = bytes.indexOf("\r\n");
        if (end === -1) return undefined;
        const left = Number.parseInt(bytes.toString("latin1", 0, end), 16);
        if (Number.isNaN(left)) throw new Error("the answer's chunks cannot be read");
        this.#state = left === 0 ? { kind: "trailer" } : { kind: "chunk", left };
        return bytes.subarray(end + 2);
      }
      case "trailer": {
        const end = bytes.indexOf("\r\n");
        if (end === -1) return undefined;
        if (end === 0) this.#end();
        return bytes.subarray(end + 2);
      }
    }
  }

  #head(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const head = bytes.toString("latin1", 0, end);
    const [, minor, digits] = /^HTTP\/1\.([01]) (\d{3})/.exec(head) ?? [];
    if (digits === undefined) throw new Error("the answer is no HTTP/1.1");
    const status = Number(digits);
    const rest = bytes.subarray(end + 4);
    if (status >= 100 && status < 200) return rest;
    this.#reusable = minor === "1" && !/\r\nconnection: *close/i.test(head);
    this.#events.onHead(status);
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#state = { kind: "chunk-size" };
    else if (status === 204 || status === 304 || Number(length) === 0) this.#end();
    else if (length !== undefined) this.#state = { kind: "length", left: Number(length) };
    else this.#state = { kind: "until-close" };
    return rest;
  }

  #body(bytes: Buffer, state: { readonly kind: "length" | "chunk"; readonly left: number }): Buffer | undefined {
    const part = bytes.length <= state.left ? bytes : bytes.subarray(0, state.left);
    const left = state.left - part.length;
    if (left > 0) {
      this.#events.onBody(part);
      this.#state = { kind: state.kind, left };
      return Buffer.alloc(0);
    }
    if (state.kind === "length") {
      this.#events.onBody(part);
      this.#end();
      return bytes.subarray(part.length);
    }
    // The line break behind a chunk is read with it.
    if (bytes.length < part.length + 2) return undefined;
    this.#events.onBody(part);
    this.#state = { kind: "chunk-size" };
    return bytes.subarray(part.length + 2);
  }

  #end(): void {
    this.#state = { kind: "head" };
    this.#events.onEnd(this.#reusable);
  }
}
