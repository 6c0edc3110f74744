import { nowMs } from "./clock.ts";
import { statusError, type Trailers } from "./grpc-call.ts";
import type { Http2Connection } from "./http2/http2-connection.ts";
import type { Answer, Lane } from "./lane.ts";

const NO_TRAILERS: Trailers = new Map();

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
    return new Promise((resolve) => {
      let trailers = NO_TRAILERS;
      let firstMs = 0;
      let sentMs = 0;
      const stream = this.#connection().begin({
        onHeaders: (headers) => {
          if (firstMs === 0) firstMs = nowMs();
          trailers = headers;
        },
        onData: () => undefined,
        onEnd: (broken) => {
          const endMs = nowMs();
          resolve({
            sentMs: sentMs === 0 ? endMs : sentMs,
            firstMs: firstMs === 0 ? endMs : firstMs,
            endMs,
            responsesMs: [endMs],
            outputTokens: 0,
            error: broken ?? statusError(trailers),
          });
        },
      });
      stream.write(bytes, { last: true });
      sentMs = nowMs();
    });
  }

  close(): void {
    // Calls end with their connection.
  }
}
