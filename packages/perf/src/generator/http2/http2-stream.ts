import { FLAG, FRAME, type Frame } from "./frames.ts";

/** Why a call broke off. */
export interface StreamFailure {
  readonly why: string;
  /** The server says that it did nothing for it, or was never told of it: it may be made again. */
  readonly isUntouched: boolean;
}

/** What is told of a call. After `onEnd` nothing more. */
export interface StreamEvents {
  /** All that was written so far is on its way. */
  onSent(): void;
  /** Headers of the answer, and trailers. */
  onHeaders(headers: ReadonlyMap<string, string>): void;
  onData(chunk: Buffer): void;
  /** Undefined = the server ended it in order. */
  onEnd(failure: StreamFailure | undefined): void;
}

/** What a stream needs of its connection. */
export interface StreamWriter {
  readonly frameBytes: number;
  /** Bytes that may still be sent on the connection; taken by who sends them. */
  windowBytes: number;
  send(frame: Frame): void;
}

/** The sending side of a call: bytes wait until it has begun and the server's windows have room. */
export class Http2Stream {
  readonly events: StreamEvents;
  /** Bytes that came and were not yet given back to the server's window. */
  takenBytes = 0;
  windowBytes = 0;
  #id = 0;
  readonly #writer: StreamWriter;
  readonly #waiting: Buffer[] = [];
  #endsHere = false;
  #ended = false;

  constructor(writer: StreamWriter, events: StreamEvents) {
    this.#writer = writer;
    this.events = events;
  }

  /** 0 = it waits until the server takes one more. */
  get id(): number {
    return this.#id;
  }

  /** Whether the whole request is on its way. */
  get isSent(): boolean {
    return this.#ended;
  }

  /** Its headers were sent under this number. */
  begin(id: number, windowBytes: number): void {
    this.#id = id;
    this.windowBytes = windowBytes;
    this.flush();
  }

  write(bytes: Uint8Array, { last }: { readonly last: boolean }): void {
    this.#waiting.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#endsHere ||= last;
    this.flush();
  }

  /** Sends what there is room for. */
  flush(): void {
    if (this.#id === 0) return;
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
      this.#writer.send({ type: FRAME.data, flags, stream: this.#id, payload: next.subarray(0, room) });
      if (this.#waiting.length === 0) this.events.onSent();
    }
  }
}
