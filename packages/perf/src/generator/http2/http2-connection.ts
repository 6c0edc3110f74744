import { connect, type Socket } from "node:net";
import {
  contentOf,
  DEFAULT_FRAME_BYTES,
  encodeFrame,
  FLAG,
  FRAME,
  type Frame,
  FrameReader,
  SETTING,
} from "./frames.ts";
import { HpackDecoder } from "./hpack-decoder.ts";
import { Http2Stream, type StreamEvents, type StreamWriter } from "./http2-stream.ts";
import { RequestHeaders } from "./request-headers.ts";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
const NOTHING = Buffer.alloc(0);
/** What may come unasked, on each stream and on the connection. */
const WINDOW = 16 << 20;
/** The window before anybody said anything (RFC 9113, 6.9.2). */
const FIRST_WINDOW = 65_535;
const LAST_STREAM = 0x7fffffff;
const CANCEL = 8;

export interface Http2Target {
  readonly host: string;
  readonly port: number;
  /** Of every request, in this order; pseudo-headers first. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A client's HTTP/2 connection without TLS (RFC 9113) whose requests all have the same headers: as little client as possible, since whatever the
 * generator takes of a processor is missing where the server shares it, and counts as the server's time where it does not.
 */
export class Http2Connection implements StreamWriter {
  readonly #headers: RequestHeaders;
  readonly #streams = new Map<number, Http2Stream>();
  readonly #decoder = new HpackDecoder();
  readonly #opening: Promise<void>;
  #opened: (failure?: Error) => void = () => undefined;
  readonly #socket: Socket;
  readonly #frames = new FrameReader((frame) => this.#frame(frame));
  windowBytes = FIRST_WINDOW;
  frameBytes = DEFAULT_FRAME_BYTES;
  #streamWindow = FIRST_WINDOW;
  #nextId = 1;
  #takenBytes = 0;
  /** A header block whose end has not come: the stream, the flags of its first frame, and its pieces. */
  #block: { readonly stream: number; readonly flags: number; readonly pieces: Buffer[] } | undefined;
  #goesAway = false;
  #over: string | undefined;

  constructor(target: Http2Target) {
    this.#headers = new RequestHeaders(target.headers);
    const { host, port } = target;
    this.#socket = connect({ host, port, noDelay: true });
    this.#opening = new Promise((resolve, reject) => {
      this.#opened = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    // Who opens it is told; who only sends on it has the call's own answer.
    this.#opening.catch(() => undefined);
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#end(error.message));
    this.#socket.on("close", () => this.#end("the server closed the connection"));
    this.#socket.write(PREFACE);
    this.send(settings());
    this.send(windowUpdate(0, WINDOW - FIRST_WINDOW));
  }

  /** Resolves when the server has said how it wants to be talked to. Rejects when it is not reached. */
  open(): Promise<void> {
    return this.#opening;
  }

  /** Whether calls may begin on it. */
  get isUsable(): boolean {
    return this.#over === undefined && !this.#goesAway && this.#nextId <= LAST_STREAM;
  }

  /** Begins a call: its headers go at once, or when the connection is there. */
  begin(events: StreamEvents): Http2Stream {
    const stream = new Http2Stream(this.#nextId, { writer: this, events, windowBytes: this.#streamWindow });
    this.#nextId += 2;
    if (this.#over !== undefined) {
      const why = this.#over;
      queueMicrotask(() => events.onEnd(why));
      return stream;
    }
    this.#streams.set(stream.id, stream);
    this.#sendHeaders(stream.id);
    return stream;
  }

  /** Takes back a call that nobody waits for. Its events are told nothing more. */
  cancel(stream: Http2Stream): void {
    if (this.#streams.delete(stream.id)) this.#reset(stream.id);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** What one moment sends goes in one piece. */
  send(frame: Frame): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(encodeFrame(frame));
  }

  #sendHeaders(stream: number): void {
    const block = this.#headers.block();
    let type: number = FRAME.headers;
    let at = 0;
    do {
      const payload = block.subarray(at, at + this.frameBytes);
      at += payload.byteLength;
      this.send({ type, flags: at === block.byteLength ? FLAG.endHeaders : 0, stream, payload });
      type = FRAME.continuation;
    } while (at < block.byteLength);
  }

  #reset(stream: number): void {
    this.send({ type: FRAME.reset, flags: 0, stream, payload: uint32(CANCEL) });
  }

  #read(chunk: Buffer): void {
    try {
      this.#frames.push(chunk);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
      this.#socket.destroy();
    }
  }

  #frame(frame: Frame): void {
    if (this.#block !== undefined && frame.type !== FRAME.continuation) {
      throw new Error("the server broke off a header block");
    }
    switch (frame.type) {
      case FRAME.data:
        this.#data(frame);
        break;
      case FRAME.headers:
        this.#block = { stream: frame.stream, flags: frame.flags, pieces: [] };
        this.#headerPiece(frame.flags, contentOf(frame));
        break;
      case FRAME.continuation:
        this.#headerPiece(frame.flags, frame.payload);
        break;
      case FRAME.reset:
        this.#finish(frame.stream, `the server reset the call with code ${frame.payload.readUInt32BE()}`);
        break;
      case FRAME.settings:
        if ((frame.flags & FLAG.ack) === 0) this.#settings(frame.payload);
        break;
      case FRAME.ping:
        if ((frame.flags & FLAG.ack) === 0) this.send({ ...frame, flags: FLAG.ack });
        break;
      case FRAME.goAway:
        this.#goAway(frame.payload.readUInt32BE() & LAST_STREAM);
        break;
      case FRAME.windowUpdate:
        this.#room(frame.stream, frame.payload.readUInt32BE() & LAST_STREAM);
        break;
    }
  }

  #data(frame: Frame): void {
    const { stream: id, flags, payload } = frame;
    const stream = this.#streams.get(id);
    this.#takenBytes = this.#giveBack(0, this.#takenBytes + payload.byteLength);
    if (stream === undefined) return;
    stream.takenBytes = this.#giveBack(id, stream.takenBytes + payload.byteLength);
    const content = contentOf(frame);
    if (content.byteLength > 0) stream.events.onData(content);
    if ((flags & FLAG.endStream) !== 0) this.#finish(id, undefined);
  }

  /** Gives the server room again once half of it is taken; answers what is still taken. */
  #giveBack(stream: number, taken: number): number {
    if (taken < WINDOW / 2) return taken;
    this.send(windowUpdate(stream, taken));
    return 0;
  }

  #headerPiece(flags: number, piece: Buffer): void {
    const block = this.#block;
    if (block === undefined) throw new Error("the server went on with a header block that it had not begun");
    block.pieces.push(piece);
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#block = undefined;
    // Also of a call that was taken back: later blocks refer to it.
    const headers = this.#decoder.decode(Buffer.concat(block.pieces));
    this.#streams.get(block.stream)?.events.onHeaders(headers);
    if ((block.flags & FLAG.endStream) !== 0) this.#finish(block.stream, undefined);
  }

  #settings(payload: Buffer): void {
    for (let at = 0; at + 6 <= payload.byteLength; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      switch (payload.readUInt16BE(at)) {
        case SETTING.headerTableBytes:
          this.#headers.remembersBytes(value);
          break;
        case SETTING.frameBytes:
          this.frameBytes = value;
          break;
        case SETTING.windowBytes:
          for (const stream of this.#streams.values()) stream.windowBytes += value - this.#streamWindow;
          this.#streamWindow = value;
          break;
      }
    }
    this.send({ type: FRAME.settings, flags: FLAG.ack, stream: 0, payload: NOTHING });
    this.#flush();
    this.#opened();
  }

  #room(id: number, bytes: number): void {
    if (id === 0) {
      this.windowBytes += bytes;
      this.#flush();
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.windowBytes += bytes;
    stream.flush();
  }

  #flush(): void {
    for (const stream of this.#streams.values()) stream.flush();
  }

  #goAway(last: number): void {
    this.#goesAway = true;
    for (const id of [...this.#streams.keys()]) if (id > last) this.#finish(id, "the server is going away");
  }

  #finish(id: number, error: string | undefined): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    // An answer that came before its request was sent whole: the rest is not wanted.
    if (error === undefined && !stream.isSent) this.#reset(id);
    stream.events.onEnd(error);
  }

  #end(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#opened(new Error(why));
    for (const id of [...this.#streams.keys()]) this.#finish(id, why);
  }
}

function settings(): Frame {
  const wanted = [
    [SETTING.enablePush, 0],
    [SETTING.windowBytes, WINDOW],
  ] as const;
  const payload = Buffer.concat(wanted.map(([id, value]) => Buffer.concat([Buffer.of(0, id), uint32(value)])));
  return { type: FRAME.settings, flags: 0, stream: 0, payload };
}

function windowUpdate(stream: number, bytes: number): Frame {
  return { type: FRAME.windowUpdate, flags: 0, stream, payload: uint32(bytes) };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
