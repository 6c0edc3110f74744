import { nowMs } from "./clock.ts";
import { CallStatus } from "./grpc-call.ts";
import type { Http2Connection } from "./http2/http2-connection.ts";
import type { Answer, Lane } from "./lane.ts";

/** A call of which the server knows nothing is made again, on a connection that takes it, so often. */
export const MOST_TRIES = 3;

/** One unary call at a time. */
export class GrpcCallLane implements Lane {
  readonly #connection: () => Http2Connection;

  constructor(connection: () => Http2Connection) {
    this.#connection = connection;
  }

  open(): Promise<void> {
    return this.#connection().open();
  }

  send(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => this.#send(bytes, { resolve, tries: 1 }));
  }

  close(): void {
    // Calls end with their connection.
  }

  #send(bytes: Uint8Array, { resolve, tries }: { resolve: (answer: Answer) => void; tries: number }): void {
    const status = new CallStatus();
    let firstMs = 0;
    let sentMs = 0;
    const stream = this.#connection().begin({
      onSent: () => {
        sentMs = nowMs();
      },
      onHeaders: (headers) => {
        if (firstMs === 0) firstMs = nowMs();
        status.note(headers);
      },
      onData: () => undefined,
      onEnd: (failure) => {
        if (failure?.isUntouched === true && tries < MOST_TRIES) {
          this.#send(bytes, { resolve, tries: tries + 1 });
          return;
        }
        const endMs = nowMs();
        resolve({
          sentMs: sentMs === 0 ? endMs : sentMs,
          firstMs: firstMs === 0 ? endMs : firstMs,
          endMs,
          responsesMs: [endMs],
          outputTokens: 0,
          error: failure === undefined ? status.error : failure.why,
        });
      },
    });
    stream.write(bytes, { last: true });
  }
}
