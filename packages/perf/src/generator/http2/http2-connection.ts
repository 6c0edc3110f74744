import { connect, type Socket } from "node:net";
import { errorText } from "../error-text.ts";
import {
  contentOf,
  DEFAULT_FRAME_BYTES,
  encodeFrame,
  FLAG,
  FRAME,
  type Frame,
  FrameReader,
  MOST_FRAME_BYTES,
  numberAt,
  resetFrame,
  SETTING,
  settingsFrame,
  windowUpdateFrame,
} from "./frames.ts";
import { HpackDecoder } from "./hpack-decoder.ts";
import { Http2Stream, type StreamEvents, type StreamFailure, type StreamWriter } from "./http2-stream.ts";
import { RequestHeaders } from "./request-headers.ts";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
const NOTHING = Buffer.alloc(0);
/** What may come unasked, on each stream and on the connection. */
const WINDOW = 16 << 20;
/** The window before anybody said anything (RFC 9113, 6.9.2). */
const FIRST_WINDOW = 65_535;
const LAST_STREAM = 0x7fffffff;
/** Codes of RFC 9113, 7. */
const NO_ERROR = 0;
const REFUSED = 7;
const CANCEL = 8;
/** A server that has not answered the beginning of HTTP/2 by then never will. */
const OPEN_WITHIN_MS = 10_000;
/** Of one that reads nothing no more pings are answered. */
const MOST_UNREAD = 1 << 20;

export interface Http2Target {
  readonly host: string;
  readonly port: number;
  /** Of every request, in this order; pseudo-headers first. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long the server may take to answer the beginning of HTTP/2. */
  readonly openWithinMs?: number;
}

/**
 * A client's HTTP/2 connection without TLS (RFC 9113) whose requests all have the same headers: as little client as possible, since whatever the
 * generator takes of a processor is missing where the server shares it, and counts as the server's time where it does not.
 */
export class Http2Connection implements StreamWriter {
  readonly #headers: RequestHeaders;
  readonly #streams = new Map<number, Http2Stream>();
  /** Calls that wait until the server takes one more. */
  readonly #line: Http2Stream[] = [];
  readonly #decoder = new HpackDecoder();
  readonly #opening: Promise<void>;
  #opened: (failure?: Error) => void = () => undefined;
  readonly #socket: Socket;
  readonly #frames = new FrameReader((frame) => this.#frame(frame));
  readonly #patience: NodeJS.Timeout;
  windowBytes = FIRST_WINDOW;
  frameBytes = DEFAULT_FRAME_BYTES;
  #streamWindow = FIRST_WINDOW;
  #mostStreams = Number.POSITIVE_INFINITY;
  #nextId = 1;
  #takenBytes = 0;
  /** A header block whose end has not come: the stream, the flags of its first frame, and its pieces. */
  #block: { readonly stream: number; readonly flags: number; readonly pieces: Buffer[] } | undefined;
  #goesAway = false;
  #over: string | undefined;

  constructor({ host, port, headers, openWithinMs = OPEN_WITHIN_MS }: Http2Target) {
    this.#headers = new RequestHeaders(headers);
    this.#socket = connect({ host, port, noDelay: true });
    this.#opening = new Promise((resolve, reject) => {
      this.#opened = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    // Who opens it is told; who only sends on it has the call's own answer.
    this.#opening.catch(() => undefined);
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#end(errorText(error)));
    // Also where bytes still wait to be read by it: it will answer none of them.
    this.#socket.on("end", () => this.#end("the server closed the connection"));
    this.#socket.on("close", () => this.#end("the server closed the connection"));
    const late = `the server did not answer the beginning of HTTP/2 within ${openWithinMs / 1000} s`;
    this.#patience = setTimeout(() => this.#end(late), openWithinMs);
    this.#socket.write(PREFACE);
    this.send(
      settingsFrame([
        [SETTING.enablePush, 0],
        [SETTING.windowBytes, WINDOW],
      ]),
    );
    this.send(windowUpdateFrame(0, WINDOW - FIRST_WINDOW));
  }

  /** Resolves when the server has said how it wants to be talked to. Rejects when it is not reached. */
  open(): Promise<void> {
    return this.#opening;
  }

  /** Whether calls may begin on it. */
  get isUsable(): boolean {
    return this.#over === undefined && !this.#goesAway && this.#nextId <= LAST_STREAM;
  }

  /** Whether it has ended for good. */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Begins a call: at once, or when the connection is there and the server takes one more. */
  begin(events: StreamEvents): Http2Stream {
    const stream = new Http2Stream(this, events);
    if (this.isUsable) {
      this.#line.push(stream);
      this.#advance();
    } else {
      const failure = { why: this.#over ?? "the server is going away", isUntouched: true };
      queueMicrotask(() => events.onEnd(failure));
    }
    return stream;
  }

  /** Takes back a call that nobody waits for. Its events are told nothing more. */
  cancel(stream: Http2Stream): void {
    const place = this.#line.indexOf(stream);
    if (place >= 0) this.#line.splice(place, 1);
    if (!this.#streams.delete(stream.id)) return;
    this.send(resetFrame(stream.id, CANCEL));
    this.#advance();
  }

  close(): void {
    this.#end("the connection was closed");
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

  /** Begins as many of those in line as the server takes; a connection that takes none any more ends with its last call. */
  #advance(): void {
    while (this.isUsable && this.#streams.size < this.#mostStreams) {
      const stream = this.#line.shift();
      if (stream === undefined) return;
      const id = this.#nextId;
      this.#nextId += 2;
      this.#streams.set(id, stream);
      this.#sendHeaders(id);
      stream.begin(id, this.#streamWindow);
    }
    if (this.isUsable || this.#over !== undefined) return;
    for (const stream of this.#line.splice(0))
      stream.events.onEnd({ why: "the server is going away", isUntouched: true });
    if (this.#streams.size === 0) this.#end("the server is going away");
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

  #read(chunk: Buffer): void {
    try {
      this.#frames.push(chunk);
    } catch (error) {
      this.#end(errorText(error));
    }
  }

  #frame(frame: Frame): void {
    // What was read together with the frame that ended it.
    if (this.#over !== undefined) return;
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
        this.#wasReset(frame.stream, numberAt(frame, 0));
        break;
      case FRAME.settings:
        if ((frame.flags & FLAG.ack) === 0) this.#settings(frame);
        break;
      case FRAME.ping:
        if ((frame.flags & FLAG.ack) === 0 && this.#socket.writableLength < MOST_UNREAD)
          this.send({ ...frame, flags: FLAG.ack });
        break;
      case FRAME.goAway:
        this.#goAway(frame);
        break;
      case FRAME.windowUpdate:
        this.#room(frame.stream, numberAt(frame, 0) & LAST_STREAM);
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
    this.send(windowUpdateFrame(stream, taken));
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
    // That an answer will come is no answer.
    const isInterim = headers.get(":status")?.startsWith("1") === true;
    if (!isInterim) this.#streams.get(block.stream)?.events.onHeaders(headers);
    if ((block.flags & FLAG.endStream) !== 0) this.#finish(block.stream, undefined);
  }

  #settings(frame: Frame): void {
    const { payload } = frame;
    for (let at = 0; at < payload.byteLength; at += 6) {
      const value = numberAt(frame, at + 2);
      switch (payload.readUInt16BE(at)) {
        case SETTING.headerTableBytes:
          this.#headers.remembersBytes(value);
          break;
        case SETTING.mostStreams:
          this.#mostStreams = value;
          break;
        case SETTING.frameBytes:
          if (value < DEFAULT_FRAME_BYTES || value > MOST_FRAME_BYTES)
            throw new Error(`the server asks for frames of ${value} bytes, which HTTP/2 has not`);
          this.frameBytes = value;
          break;
        case SETTING.windowBytes:
          for (const stream of this.#streams.values()) stream.windowBytes += value - this.#streamWindow;
          this.#streamWindow = value;
          break;
      }
    }
    this.send({ type: FRAME.settings, flags: FLAG.ack, stream: 0, payload: NOTHING });
    clearTimeout(this.#patience);
    this.#flush();
    this.#advance();
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

  #wasReset(id: number, code: number): void {
    this.#finish(id, { why: `the server reset the call with code ${code}`, isUntouched: code === REFUSED });
  }

  #goAway(frame: Frame): void {
    const [last, code] = [numberAt(frame, 0) & LAST_STREAM, numberAt(frame, 4)];
    const said = frame.payload.toString("latin1", 8);
    if (code !== NO_ERROR) {
      this.#end(`the server ended the connection with code ${code}${said === "" ? "" : `: ${said}`}`);
      return;
    }
    this.#goesAway = true;
    for (const id of [...this.#streams.keys()])
      if (id > last) this.#finish(id, { why: "the server is going away", isUntouched: true });
    this.#advance();
  }

  #finish(id: number, failure: StreamFailure | undefined): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    // An answer that came before its request was sent whole: the rest is not wanted.
    if (failure === undefined && !stream.isSent) this.send(resetFrame(id, CANCEL));
    this.#advance();
    stream.events.onEnd(failure);
  }

  #end(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    clearTimeout(this.#patience);
    this.#opened(new Error(why));
    const under = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of under) stream.events.onEnd({ why, isUntouched: false });
    for (const stream of this.#line.splice(0)) stream.events.onEnd({ why, isUntouched: true });
    this.#socket.destroy();
  }
}
