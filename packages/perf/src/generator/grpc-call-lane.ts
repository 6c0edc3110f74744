import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { nowMs } from "./clock.ts";
import { connected, failure, headersFor, statusError, type Trailers } from "./grpc-call.ts";
import type { Answer, Lane } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

/** One unary call at a time. */
export class GrpcCallLane implements Lane {
  readonly #headers: OutgoingHttpHeaders;
  readonly #session: () => ClientHttp2Session;

  constructor(target: LoadTarget, session: () => ClientHttp2Session) {
    this.#headers = headersFor(target, "ModelInfer");
    this.#session = session;
  }

  open(): Promise<void> {
    return connected(this.#session());
  }

  send(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => {
      let stream: ClientHttp2Stream;
      try {
        stream = this.#session().request(this.#headers);
      } catch (error) {
        resolve(failure(error instanceof Error ? error.message : String(error)));
        return;
      }
      let trailers: Trailers = {};
      let firstMs = 0;
      let broken: string | undefined;
      stream.on("response", (headers) => {
        firstMs = nowMs();
        if (headers["grpc-status"] !== undefined) trailers = headers;
      });
      stream.on("trailers", (headers) => {
        trailers = headers;
      });
      stream.on("data", () => undefined);
      stream.on("error", (error) => {
        broken = error.message;
      });
      stream.end(bytes);
      const sentMs = nowMs();
      stream.on("close", () => {
        const endMs = nowMs();
        const error = broken ?? statusError(trailers);
        resolve({
          sentMs,
          firstMs: firstMs === 0 ? endMs : firstMs,
          endMs,
          responsesMs: [endMs],
          outputTokens: 0,
          error,
        });
      });
    });
  }

  close(): void {
    // Calls end with their connection.
  }
}
