import { FLAG, FRAME, type Frame } from "./frames.ts";

/** What is told of a call. After `onEnd` nothing more. */
export interface StreamEvents {
  /** Headers of the answer, and trailers. */
  onHeaders(headers: ReadonlyMap<string, string>): void;
  onData(chunk: Buffer): void;
  /** Why it broke off; undefined = the server ended it in order. */
  onEnd(error: string | undefined): void;
}

/** What a stream needs of its connection. */
export interface StreamWriter {
  readonly frameBytes: number;
  /** Bytes that may still be sent on the connection; taken by who sends them. */
  windowBytes: number;
  send(frame: Frame): void;
}

/** The sending side of a call: bytes wait until the server's windows have room. */
export class Http2Stream {
  readonly id: number;
  readonly events: StreamEvents;
  /** Bytes that came and were not yet given back to the server's window. */
  takenBytes = 0;
  windowBytes: number;
  readonly #writer: StreamWriter;
  readonly #waiting: Buffer[] = [];
  #endsHere = false;
  #ended = false;

  constructor(id: number, options: { writer: StreamWriter; events: StreamEvents; windowBytes: number }) {
    this.id = id;
    this.events = options.events;
    this.windowBytes = options.windowBytes;
    this.#writer = options.writer;
  }

  /** Whether the whole request is on its way. */
  get isSent(): boolean {
    return this.#ended;
  }

  write(bytes: Uint8Array, { last }: { readonly last: boolean }): void {
    this.#waiting.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#endsHere ||= last;
    this.flush();
  }

  /** Sends what there is room for. */
  flush(): void {
    while (!this.#ended) {
      const next = this.#waiting[0];
      if (next === undefined) return;
      const room = Math.min(next.byteLength, this.#writer.frameBytes, this.windowBytes, this.#writer.windowBytes);
      if (room <= 0 && next.byteLength > 0) return;
      const rest = next.subarray(room);
      if (rest.byteLength > 0) this.#waiting[0] = rest;
      else this.#waiting.shift();
      this.#ended = this.#endsHere && this.#waiting.length === 0;
      this.windowBytes -= room;
      this.#writer.windowBytes -= room;
      const flags = this.#ended ? FLAG.endStream : 0;
      this.#writer.send({ type: FRAME.data, flags, stream: this.id, payload: next.subarray(0, room) });
    }
  }
}
