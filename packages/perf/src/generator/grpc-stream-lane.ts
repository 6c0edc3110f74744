import { DEFAULT_MAX_MESSAGE, decodeStreamResponse, FrameParser } from "@nereid/grpc";
import { nowMs } from "./clock.ts";
import { statusError, type Trailers } from "./grpc-call.ts";
import type { Http2Connection } from "./http2/http2-connection.ts";
import type { Http2Stream } from "./http2/http2-stream.ts";
import type { Answer, Lane } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

interface StreamCall {
  readonly resolve: (answer: Answer) => void;
  sentMs: number;
  firstMs: number;
  readonly responsesMs: number[];
}

/** One stream that carries one request at a time, with as many answers as the model gives. */
export class GrpcStreamLane implements Lane {
  readonly #target: LoadTarget;
  readonly #connection: () => Http2Connection;
  #stream: { readonly connection: Http2Connection; readonly stream: Http2Stream } | undefined;
  #call: StreamCall | undefined;

  constructor(target: LoadTarget, connection: () => Http2Connection) {
    this.#target = target;
    this.#connection = connection;
  }

  open(): Promise<void> {
    return this.#connection().open();
  }

  send(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => {
      this.#stream ??= this.#begin();
      this.#call = { resolve, sentMs: 0, firstMs: 0, responsesMs: [] };
      this.#stream.stream.write(bytes, { last: false });
      this.#call.sentMs = nowMs();
    });
  }

  close(): void {
    this.#giveUp();
  }

  #begin(): { readonly connection: Http2Connection; readonly stream: Http2Stream } {
    let trailers: Trailers = new Map();
    const parser = new FrameParser({
      maxMessageBytes: DEFAULT_MAX_MESSAGE,
      onMessage: ({ bytes }) => this.#message(bytes),
    });
    const connection = this.#connection();
    const stream = connection.begin({
      onHeaders: (headers) => {
        trailers = headers;
      },
      onData: (chunk) => {
        try {
          parser.push(chunk);
        } catch (error) {
          this.#giveUp();
          this.#answer(error instanceof Error ? error.message : String(error));
        }
      },
      onEnd: (broken) => {
        this.#stream = undefined;
        this.#answer(broken ?? statusError(trailers) ?? "the server ended the stream");
      },
    });
    return { connection, stream };
  }

  #giveUp(): void {
    this.#stream?.connection.cancel(this.#stream.stream);
    this.#stream = undefined;
  }

  #message(bytes: Uint8Array): void {
    const call = this.#call;
    if (call === undefined) return;
    const atMs = nowMs();
    if (call.firstMs === 0) call.firstMs = atMs;
    const { errorMessage, response } = decodeStreamResponse(bytes);
    if (errorMessage !== "") {
      this.#answer(errorMessage);
      return;
    }
    // An answer without outputs only says that the one before it was the last.
    if (response.outputs.length > 0) call.responsesMs.push(atMs);
    const final = response.parameters?.get("triton_final_response") === true;
    if (!this.#target.decoupled || final) this.#answer(undefined);
  }

  #answer(error: string | undefined): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    const { responsesMs, sentMs, firstMs } = call;
    const now = nowMs();
    const endMs = error === undefined ? (responsesMs.at(-1) ?? now) : now;
    call.resolve({ sentMs, firstMs: firstMs === 0 ? endMs : firstMs, endMs, responsesMs, outputTokens: 0, error });
  }
}
