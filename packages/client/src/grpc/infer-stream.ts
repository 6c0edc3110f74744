import { NereidError } from "@nereid/errors";
import { decodeStreamResponse, encodeInferMessage } from "@nereid/grpc";
import type { InferCall } from "../client-types.ts";
import { toInferRequest } from "../infer-request.ts";
import type { CallEvents, CallStream } from "./call-stream.ts";
import type { StreamAnswer, StreamRequestOptions } from "./grpc-types.ts";

/**
 * An open ModelStreamInfer call: any number of requests, and their answers as an async iterable. Answers of ordinary models come in
 * the order of the requests. Leaving the loop ends the call.
 */
export class InferStream implements AsyncIterable<StreamAnswer> {
  readonly #answers: StreamAnswer[] = [];
  readonly #wake: (() => void)[] = [];
  readonly #opened: Promise<CallStream>;
  /** What was sent goes out in order, after the connection is there. */
  #sent: Promise<void>;
  #finished: { readonly error: NereidError | undefined } | undefined;

  /** `open` opens the call; when it fails the answers end with why. */
  constructor(open: (events: CallEvents) => Promise<CallStream>) {
    this.#opened = open({
      onMessage: (bytes) => this.#take(bytes),
      onEnd: (error) => this.#finish(error),
    });
    this.#sent = this.#opened.then(
      () => undefined,
      (error: unknown) => this.#finish(NereidError.from(error)),
    );
  }

  /** Sends a request. Throws why the stream has ended, when it has, and INVALID_ARGUMENT for values that do not fit. */
  send(model: string, call: InferCall, options: StreamRequestOptions = {}): void {
    if (this.#finished !== undefined)
      throw this.#finished.error ?? new NereidError("CANCELLED", "the stream has ended");
    const frame = encodeInferMessage(toInferRequest(call), {
      modelName: model,
      modelVersion: options.version ?? "",
      emptyFinalResponse: options.emptyFinalResponse ?? false,
    });
    this.#after((stream) => stream.send(frame));
  }

  /** Resolves when what was sent is on its way: whoever sends much waits for it now and then. */
  flushed(): Promise<void> {
    return this.#sent;
  }

  /** No more requests; the answers to those sent still come. */
  end(): void {
    this.#after((stream) => stream.end());
  }

  /** Ends the call at once; the server drops what it has not begun. */
  cancel(): void {
    this.#opened.then(
      (stream) => stream.cancel(),
      () => undefined,
    );
  }

  /** The answers; throws when the call ends with a status other than OK. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamAnswer, void, undefined> {
    try {
      for (;;) {
        const next = this.#answers.shift();
        if (next !== undefined) yield next;
        else if (this.#finished?.error !== undefined) throw this.#finished.error;
        else if (this.#finished !== undefined) return;
        else await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    } finally {
      if (this.#finished === undefined) this.cancel();
    }
  }

  #take(bytes: Uint8Array): void {
    try {
      this.#answers.push(answerOf(bytes));
    } catch (error) {
      this.#finish(new NereidError("INTERNAL", "the server's answer cannot be read", { cause: error }));
      this.cancel();
    }
    this.#notify();
  }

  #after(act: (stream: CallStream) => Promise<void> | void): void {
    this.#sent = this.#sent.then(async () => {
      // A call that could not be opened has told so to whoever reads the answers.
      if (this.#finished === undefined) await act(await this.#opened);
    });
  }

  #finish(error: NereidError | undefined): void {
    this.#finished ??= { error };
    this.#notify();
  }

  #notify(): void {
    for (const resolve of this.#wake.splice(0)) resolve();
  }
}

function answerOf(bytes: Uint8Array): StreamAnswer {
  const { errorMessage, response } = decodeStreamResponse(bytes);
  const flag = response.parameters?.get("triton_final_response");
  const final = typeof flag === "boolean" ? flag : undefined;
  // The protocol sends the text of a failure without its code.
  return errorMessage === ""
    ? { response, final }
    : { response, final, error: new NereidError("UNKNOWN", errorMessage) };
}
