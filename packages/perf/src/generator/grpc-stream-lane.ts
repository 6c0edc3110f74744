import { DEFAULT_MAX_MESSAGE, decodeStreamResponse, FrameParser } from "@nereid/grpc";
import { nowMs } from "./clock.ts";
import { errorText } from "./error-text.ts";
import { CallStatus } from "./grpc-call.ts";
import { MOST_TRIES } from "./grpc-call-lane.ts";
import type { Http2Connection } from "./http2/http2-connection.ts";
import type { Http2Stream } from "./http2/http2-stream.ts";
import type { Answer, Lane } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

interface StreamCall {
  readonly bytes: Uint8Array;
  readonly resolve: (answer: Answer) => void;
  tries: number;
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
      this.#call = { bytes, resolve, tries: 1, sentMs: 0, firstMs: 0, responsesMs: [] };
      this.#write(bytes);
    });
  }

  close(): void {
    this.#giveUp();
  }

  #write(bytes: Uint8Array): void {
    this.#stream ??= this.#begin();
    this.#stream.stream.write(bytes, { last: false });
  }

  #begin(): { readonly connection: Http2Connection; readonly stream: Http2Stream } {
    const status = new CallStatus();
    const parser = new FrameParser({
      maxMessageBytes: DEFAULT_MAX_MESSAGE,
      onMessage: ({ bytes }) => this.#message(bytes),
    });
    const connection = this.#connection();
    const stream = connection.begin({
      onSent: () => {
        if (this.#call !== undefined) this.#call.sentMs = nowMs();
      },
      onHeaders: (headers) => status.note(headers),
      onData: (chunk) => {
        try {
          parser.push(chunk);
        } catch (error) {
          this.#giveUp();
          this.#answer(errorText(error));
        }
      },
      onEnd: (failure) => {
        this.#stream = undefined;
        const call = this.#call;
        if (failure?.isUntouched === true && call !== undefined && call.tries < MOST_TRIES) {
          call.tries += 1;
          this.#write(call.bytes);
          return;
        }
        this.#answer((failure === undefined ? status.error : failure.why) ?? "the server ended the stream");
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
    const final = response.parameters?.get("triton_final_response") === true;
    if (errorMessage !== "") {
      // More of it may come, and would be taken for the answer to the next request: that one gets a stream of its own.
      if (this.#target.decoupled && !final) this.#giveUp();
      this.#answer(errorMessage);
      return;
    }
    // An answer without outputs only says that the one before it was the last.
    if (response.outputs.length > 0) call.responsesMs.push(atMs);
    if (!this.#target.decoupled || final) this.#answer(undefined);
  }

  #answer(error: string | undefined): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    const { responsesMs, sentMs, firstMs } = call;
    const now = nowMs();
    const endMs = error === undefined ? (responsesMs.at(-1) ?? now) : now;
    call.resolve({
      sentMs: sentMs === 0 ? endMs : sentMs,
      firstMs: firstMs === 0 ? endMs : firstMs,
      endMs,
      responsesMs,
      outputTokens: 0,
      error,
    });
  }
}
