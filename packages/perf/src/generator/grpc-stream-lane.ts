import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { DEFAULT_MAX_MESSAGE, decodeStreamResponse, FrameParser } from "@nereid/grpc";
import { nowMs } from "./clock.ts";
import { connected, failure, headersFor, statusError, type Trailers } from "./grpc-call.ts";
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
  readonly #session: () => ClientHttp2Session;
  #stream: ClientHttp2Stream | undefined;
  #call: StreamCall | undefined;

  constructor(target: LoadTarget, session: () => ClientHttp2Session) {
    this.#target = target;
    this.#session = session;
  }

  open(): Promise<void> {
    return connected(this.#session());
  }

  send(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => {
      try {
        const stream = this.#stream ?? this.#begin();
        this.#call = { resolve, sentMs: 0, firstMs: 0, responsesMs: [] };
        stream.write(bytes);
        this.#call.sentMs = nowMs();
      } catch (error) {
        resolve(failure(error instanceof Error ? error.message : String(error)));
      }
    });
  }

  close(): void {
    this.#stream?.destroy();
  }

  #begin(): ClientHttp2Stream {
    const stream = this.#session().request(headersFor(this.#target, "ModelStreamInfer"), { endStream: false });
    this.#stream = stream;
    let trailers: Trailers = {};
    const parser = new FrameParser({
      maxMessageBytes: DEFAULT_MAX_MESSAGE,
      onMessage: ({ bytes }) => this.#message(bytes),
    });
    stream.on("response", (headers) => {
      if (headers["grpc-status"] !== undefined) trailers = headers;
    });
    stream.on("trailers", (headers) => {
      trailers = headers;
    });
    stream.on("data", (chunk: Buffer) => {
      try {
        parser.push(chunk);
      } catch (error) {
        this.#answer(error instanceof Error ? error.message : String(error));
        stream.destroy();
      }
    });
    stream.on("error", () => undefined);
    stream.on("close", () => {
      this.#stream = undefined;
      this.#answer(statusError(trailers) ?? "the server ended the stream");
    });
    return stream;
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
