import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from "node:http2";
import { NereidError } from "@nereid/errors";
import { type EncodedFrame, FrameParser, formatGrpcTimeout } from "@nereid/grpc";
import { checkMetadata } from "./check-metadata.ts";
import type { Connection, OpenStream } from "./connection.ts";
import { errorOfTrailers, one } from "./grpc-error.ts";
import { unpackMessage } from "./message-packing.ts";

export interface CallSetup {
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** 0 = no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly maxMessageBytes: number;
  /** `grpc-encoding` of what is sent, where it is compressed. */
  readonly sent?: string;
  /** `grpc-accept-encoding`. */
  readonly accepted?: string;
}

export interface CallEvents {
  /** In the order of the stream; the bytes stay valid. */
  readonly onMessage: (bytes: Uint8Array) => void;
  /** Once, at the end: undefined = the status was OK. */
  readonly onEnd: (error: NereidError | undefined) => void;
}

/** One call on one stream, from the client's side. */
export class CallStream {
  readonly #opened: OpenStream;
  readonly #stream: ClientHttp2Stream;
  readonly #setup: CallSetup;
  readonly #events: CallEvents;
  readonly #parser: FrameParser;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #abort = () => this.cancel();
  #responseEncoding: string | undefined;
  /** Messages behind a compressed one wait for it. */
  #before: Promise<void> = Promise.resolve();
  #waiting = 0;
  #failure: NereidError | undefined;
  #status: Readonly<Record<string, string | string[] | undefined>> = {};
  #httpStatus: number | undefined;
  #ended = false;
  #room: Promise<void> | undefined;

  /** Opens the stream and sends the headers. Rejects with UNAVAILABLE (not reachable), CANCELLED and INVALID_ARGUMENT. */
  static async open(connection: Connection, setup: CallSetup, events: CallEvents): Promise<CallStream> {
    checkMetadata(setup.metadata);
    const headers: OutgoingHttpHeaders = {
      ":method": "POST",
      ":path": setup.path,
      te: "trailers",
      "content-type": "application/grpc",
      "user-agent": "nereid-client",
      "grpc-accept-encoding": setup.accepted ?? "identity",
      ...(setup.sent !== undefined && { "grpc-encoding": setup.sent }),
      ...(setup.timeoutMs > 0 && { "grpc-timeout": formatGrpcTimeout(setup.timeoutMs) }),
      ...setup.metadata,
    };
    throwIfAborted(setup.signal);
    return new CallStream(await within(connection.open(headers), setup), setup, events);
  }

  private constructor(opened: OpenStream, setup: CallSetup, events: CallEvents) {
    const { stream } = opened;
    this.#opened = opened;
    this.#stream = stream;
    this.#setup = setup;
    this.#events = events;
    this.#parser = new FrameParser({
      maxMessageBytes: setup.maxMessageBytes,
      onMessage: ({ bytes, compressed }) => this.#message(bytes, compressed),
    });
    if (setup.timeoutMs > 0)
      this.#timer = setTimeout(() => this.#fail(tooLate(setup.timeoutMs)), timerMs(setup.timeoutMs));
    setup.signal?.addEventListener("abort", this.#abort, { once: true });
    stream.on("response", (headers) => {
      this.#httpStatus = headers[":status"];
      this.#responseEncoding = one(headers["grpc-encoding"]);
      // A status with nothing before it comes as headers.
      if (headers["grpc-status"] !== undefined) this.#status = headers;
    });
    stream.on("trailers", (trailers) => {
      this.#status = trailers;
    });
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("error", (error) => this.#fail(this.#lost(error)));
    stream.once("close", () => this.#close());
    if (setup.signal?.aborted === true) this.cancel();
  }

  /** Sends a message; resolves when there is room for the next. */
  async send({ pieces }: EncodedFrame): Promise<void> {
    const stream = this.#stream;
    if (!stream.writable) return;
    stream.cork();
    for (const piece of pieces) stream.write(piece);
    stream.uncork();
    if (!stream.writableNeedDrain) return;
    // One for all who wait: a caller may send much without waiting.
    this.#room ??= new Promise<void>((resolve) => {
      const settle = () => {
        stream.off("drain", settle);
        stream.off("close", settle);
        this.#room = undefined;
        resolve();
      };
      stream.on("drain", settle);
      stream.on("close", settle);
    });
    await this.#room;
  }

  /** Nothing more is sent. */
  end(): void {
    if (this.#stream.writable) this.#stream.end();
  }

  /** Ends the call at once; the server drops what it has not begun. */
  cancel(): void {
    this.#fail(new NereidError("CANCELLED", "call cancelled by the caller"));
  }

  #take(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      this.#parser.push(chunk);
    } catch (error) {
      this.#fail(NereidError.from(error));
    }
  }

  #message(bytes: Uint8Array, compressed: boolean): void {
    if (!compressed && this.#waiting === 0) {
      this.#events.onMessage(bytes);
      return;
    }
    this.#waiting += 1;
    const limit = this.#setup.maxMessageBytes;
    this.#before = this.#before.then(async () => {
      try {
        const plain = compressed ? await unpackMessage(bytes, this.#responseEncoding, limit) : bytes;
        if (this.#failure === undefined) this.#events.onMessage(plain);
      } catch (error) {
        this.#fail(NereidError.from(error));
      }
      this.#waiting -= 1;
    });
  }

  #lost(error: Error): NereidError {
    // The server says that it has not looked at the request; then it may go to another connection.
    const refused = this.#opened.unprocessed() || this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    return new NereidError("UNAVAILABLE", `the connection to the server broke: ${error.message}`, {
      details: { unprocessed: refused },
      cause: error,
    });
  }

  #fail(error: NereidError): void {
    if (this.#failure !== undefined || this.#ended) return;
    this.#failure = error;
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#setup.signal?.removeEventListener("abort", this.#abort);
    void this.#before.then(() => {
      this.#ended = true;
      this.#events.onEnd(this.#failure ?? this.#ending());
    });
  }

  #ending(): NereidError | undefined {
    if (this.#status["grpc-status"] !== undefined) return errorOfTrailers(this.#status);
    if (this.#httpStatus !== undefined && this.#httpStatus !== 200)
      return new NereidError("UNAVAILABLE", `the server answered with HTTP status ${this.#httpStatus}`, {
        fix: "check that the address is a gRPC port",
      });
    return this.#lost(new Error("it was closed before the status came"));
  }
}

/** Waits for a stream for as long as the call may take; one that comes too late is closed. */
function within(opening: Promise<OpenStream>, { timeoutMs, signal }: CallSetup): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const timer = timeoutMs > 0 ? setTimeout(() => leave(tooLate(timeoutMs)), timerMs(timeoutMs)) : undefined;
    const abort = () => leave(new NereidError("CANCELLED", "call cancelled by the caller"));
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const leave = (error: NereidError) => {
      settle();
      reject(error);
      opening.then(
        ({ stream }) => stream.close(constants.NGHTTP2_CANCEL),
        () => undefined,
      );
    };
    signal?.addEventListener("abort", abort, { once: true });
    opening.then(resolve, reject).finally(settle);
  });
}

function tooLate(timeoutMs: number): NereidError {
  return new NereidError("UNAVAILABLE", `no answer within ${timeoutMs} ms`, {
    fix: "raise timeoutMs, or look at the server's load",
    details: { grpcStatus: "DEADLINE_EXCEEDED" },
  });
}

/** Timers cannot wait longer. */
function timerMs(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new NereidError("CANCELLED", "call cancelled by the caller");
}
