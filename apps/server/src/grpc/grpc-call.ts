import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
  type ServerStreamResponseOptions,
} from "node:http2";
import { GRPC_CODES } from "@nereid/errors";
import { type EncodedFrame, encodeGrpcMessage, encodeRetryInfo } from "@nereid/grpc";
import { once } from "@nereid/inference-worker";
import type { GrpcSession } from "./grpc-session.ts";
import { type GrpcStatus, OK } from "./grpc-status.ts";

/** Node first notes how much is left and only then looks whether it got less: a stalled reader is dropped after twice this. */
const STALLED_AFTER_MS = 10_000;
/** For small answers, which hold nothing but their own bytes. */
const UNREAD_AFTER_MS = 30_000;
/** How long a message may pause in its middle, or a unary call before its message. */
const UNSENT_AFTER_MS = 120_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const HEAD: OutgoingHttpHeaders = {
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-accept-encoding": "identity,deflate,gzip",
};
type RespondOptions = ServerStreamResponseOptions & { readonly sendDate: boolean };
const WITH_TRAILERS: RespondOptions = { waitForTrailers: true, sendDate: false };
const TRAILERS_ONLY: RespondOptions = { endStream: true, sendDate: false };
const GOOD: OutgoingHttpHeaders = { "grpc-status": "0" };
const NS_PER_MS = 1e6;
const DEADLINE: GrpcStatus = { code: "DEADLINE_EXCEEDED", message: "Deadline Exceeded" };
const GONE: GrpcStatus = { code: "CANCELLED", message: "" };

/** What a finished call was, for whoever counts or logs it. */
export interface FinishedCall {
  readonly call: GrpcCall;
  readonly status: GrpcStatus;
}

/**
 * One call on one HTTP/2 stream, seen from the answering side: headers once, any number of messages, a status once. Whatever comes
 * after the status, or after the client has gone, is dropped and given back.
 */
export class GrpcCall {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly session: GrpcSession;
  readonly startedMs = performance.now();
  /** When the client last sent something, or was sent something. */
  activeMs = this.startedMs;
  /** When the client stops waiting, by the monotonic clock; undefined where it did not say. */
  deadlineNs: number | undefined;
  /** Called once when nobody waits for an answer any more: the client has gone or its deadline has passed. */
  onGone: (() => void) | undefined;
  /** Whether the client still owes a message, or the rest of one. */
  receiving: () => boolean = () => false;
  /** For the access log. */
  rpc = "unknown";
  subject: { readonly model?: string; readonly version?: string; readonly requestId?: string } = {};
  #status: GrpcStatus | undefined;
  #encoding: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #requestEnded = false;
  #sending = false;
  /** Node watches the progress of what is being sent. */
  #watched = false;
  #closed = false;
  readonly #onFinished: (finished: FinishedCall) => void;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    owner: { readonly session: GrpcSession; readonly onFinished: (finished: FinishedCall) => void },
  ) {
    this.stream = stream;
    this.headers = headers;
    this.session = owner.session;
    this.#onFinished = owner.onFinished;
    owner.session.calls.add(this);
    stream.once("close", () => this.#close());
    // A client may reset with NO_ERROR: Node then waits until what is unsent has been taken, which never happens.
    stream.once("aborted", () => setImmediate(() => stream.destroy()));
    // An error of a stream is followed by its close; without a listener it would end the process.
    stream.on("error", ignore);
  }

  /** Whether an answer would still reach somebody. */
  get open(): boolean {
    return this.#status === undefined && !this.#closed && !this.stream.destroyed && !this.stream.closed;
  }

  /** Whether the client has kept the call waiting for too long: it neither takes the end nor sends what it owes. */
  stalled(nowMs: number): boolean {
    const waited = nowMs - this.activeMs;
    if (this.#status !== undefined) return !this.#watched && waited > UNREAD_AFTER_MS;
    return this.receiving() && waited > UNSENT_AFTER_MS;
  }

  /** The client has sent everything. */
  requestEnded(): void {
    this.#requestEnded = true;
  }

  /** Ends the call with DEADLINE_EXCEEDED unless it is over by then. */
  limit(timeoutMs: number): void {
    this.deadlineNs = Number(process.hrtime.bigint()) + timeoutMs * NS_PER_MS;
    const passed = () => {
      if (!this.open) return;
      this.finish(DEADLINE);
      this.#leave();
    };
    this.#timer = setTimeout(passed, Math.min(timeoutMs, LONGEST_TIMER_MS));
  }

  /** Compression of the messages that say they are compressed; before the first message. */
  useEncoding(name: string): void {
    this.#encoding = name;
  }

  /**
   * Sends a message and the status OK behind it. `release` is called once, when the socket has taken the bytes or nobody wants them;
   * at once for copies.
   */
  answer(frame: EncodedFrame, release: () => void): void {
    if (!this.open) {
      release();
      return;
    }
    this.#head();
    this.#status = OK;
    const { stream } = this;
    this.#sending = true;
    this.session.sending += 1;
    this.activeMs = performance.now();
    if (frame.copied) {
      release();
      const [only] = frame.pieces;
      stream.end(only);
      return;
    }
    stream.once("finish", release);
    stream.once("close", release);
    this.#watch();
    stream.cork();
    for (const piece of frame.pieces) stream.write(piece);
    stream.end();
  }

  /** Sends one of many messages. `release` as with `answer`. */
  send(frame: EncodedFrame, release: () => void): void {
    if (!this.open) {
      release();
      return;
    }
    this.#head();
    this.activeMs = performance.now();
    const { stream } = this;
    const { pieces } = frame;
    this.#watch();
    if (frame.copied) {
      release();
      for (const piece of pieces) stream.write(piece);
      return;
    }
    const { session } = this;
    session.sending += 1;
    const done = once(() => {
      session.sending -= 1;
      stream.off("close", done);
      release();
    });
    stream.once("close", done);
    stream.cork();
    const last = pieces.length - 1;
    for (const [index, piece] of pieces.entries()) {
      if (index === last) stream.write(piece, done);
      else stream.write(piece);
    }
    stream.uncork();
  }

  /** Ends the call with a status; later ones are ignored. */
  finish(status: GrpcStatus): void {
    if (!this.open) return;
    this.#status = status;
    this.activeMs = performance.now();
    const { stream } = this;
    if (stream.headersSent) {
      stream.end();
      return;
    }
    this.session.sent();
    stream.respond({ ...HEAD, ...trailersOf(status) }, TRAILERS_ONLY);
    this.#stopRequest();
  }

  /** Ends a call that is no gRPC call with a plain HTTP status. */
  refuse(httpStatus: number, text: string): void {
    if (!this.open) return;
    this.#status = { code: "UNKNOWN", message: text };
    this.stream.respond({ ":status": httpStatus, "content-type": "text/plain" });
    this.stream.end(text);
    this.#stopRequest();
  }

  /** Resets the stream: its client does not read, or does not go on writing. */
  drop(): void {
    this.#status ??= GONE;
    if (this.stream.closed) this.stream.destroy();
    else this.stream.close(constants.NGHTTP2_CANCEL);
    this.#leave();
  }

  /** A client that stops reading must not hold shared memory for ever; any progress starts the time anew. */
  #watch(): void {
    if (this.#watched) return;
    this.#watched = true;
    // One for each message on its way.
    this.stream.setMaxListeners(0);
    this.stream.setTimeout(STALLED_AFTER_MS, () => {
      if (this.stream.writableLength > 0 || this.#status !== undefined) this.drop();
    });
  }

  #head(): void {
    const { stream } = this;
    this.session.sent();
    if (stream.headersSent) return;
    const head = this.#encoding === undefined ? HEAD : { ...HEAD, "grpc-encoding": this.#encoding };
    stream.respond(head, WITH_TRAILERS);
    stream.once("wantTrailers", () => {
      stream.sendTrailers(this.#status === undefined || this.#status === OK ? GOOD : trailersOf(this.#status));
      // Behind the trailers: a reset before them would be all that the client sees.
      if (!this.#requestEnded) setImmediate(() => this.#stopRequest());
    });
  }

  /** What the client still sends has nobody to read it. */
  #stopRequest(): void {
    if (this.#requestEnded || this.stream.destroyed) return;
    this.stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #leave(): void {
    const { onGone } = this;
    this.onGone = undefined;
    onGone?.();
  }

  #close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    const { session, stream } = this;
    session.calls.delete(this);
    if (this.#sending) session.sending -= 1;
    if (this.#status === undefined && stream.rstCode !== constants.NGHTTP2_NO_ERROR) session.reset();
    this.#leave();
    this.#onFinished({ call: this, status: this.#status ?? GONE });
  }
}

function trailersOf({ code, message, retryAfterMs }: GrpcStatus): OutgoingHttpHeaders {
  const number = GRPC_CODES[code];
  return {
    "grpc-status": String(number),
    ...(message !== "" && { "grpc-message": encodeGrpcMessage(message) }),
    ...(retryAfterMs !== undefined && {
      "grpc-status-details-bin": encodeRetryInfo({ code: number, message }, retryAfterMs),
      "grpc-retry-pushback-ms": String(Math.ceil(retryAfterMs)),
    }),
  };
}

function ignore(): void {}
