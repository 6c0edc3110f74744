import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { LoadLane } from "./closed-loop.ts";

const STREAM_WINDOW = 16 << 20;
const SESSION_WINDOW = 64 << 20;

export interface GrpcCallPlan {
  readonly method: string;
  /** With its five-byte prefix. */
  readonly frame: Buffer;
  readonly expect?: number;
}

/** One HTTP/2 connection that carries ready-made gRPC messages: as little client as possible, so that a measurement is of the server. */
export class GrpcSession {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static open(port: number): Promise<GrpcSession> {
    return new Promise((resolve, reject) => {
      const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: STREAM_WINDOW } });
      session.once("error", reject);
      session.once("connect", () => {
        session.setLocalWindowSize(SESSION_WINDOW);
        session.off("error", reject);
        session.on("error", () => undefined);
        resolve(new GrpcSession(session));
      });
    });
  }

  /** A lane that calls a method of the inference service with a framed message; `expect` is the gRPC status of a good answer. */
  lane({ method, frame, expect = 0 }: GrpcCallPlan): LoadLane {
    return { send: () => this.#call(method, { frame, expect }), close: () => undefined };
  }

  close(): void {
    this.#session.destroy();
  }

  #call(method: string, { frame, expect }: { readonly frame: Buffer; readonly expect: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({
        [constants.HTTP2_HEADER_METHOD]: "POST",
        [constants.HTTP2_HEADER_PATH]: `/inference.GRPCInferenceService/${method}`,
        "content-type": "application/grpc",
        te: "trailers",
      });
      let status: string | undefined;
      const note = (headers: Readonly<Record<string, unknown>>) => {
        if (typeof headers["grpc-status"] === "string") status = headers["grpc-status"];
      };
      stream.on("response", note);
      stream.on("trailers", note);
      stream.on("data", () => undefined);
      stream.on("error", reject);
      stream.on("close", () => {
        if (status === String(expect)) resolve();
        else reject(new Error(`${method}: gRPC status ${status}`));
      });
      stream.end(frame);
    });
  }
}
