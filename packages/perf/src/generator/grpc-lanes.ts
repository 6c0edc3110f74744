import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import { DEFAULT_MAX_MESSAGE, decodeGrpcMessage, decodeStreamResponse, FrameParser } from "@nereid/grpc";
import { nowMs } from "./clock.ts";
import type { Answer, Lane } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

const WINDOW = 16 << 20;
/** Calls that share a connection, as in Triton's C++ client. */
const LANES_PER_CONNECTION = 6;

/** The connections of a process to a gRPC port, and lanes on them. */
export class GrpcConnections {
  readonly #target: LoadTarget;
  readonly #sessions: ClientHttp2Session[] = [];
  #lanes = 0;

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  lane(): Lane {
    const place = Math.floor(this.#lanes++ / LANES_PER_CONNECTION);
    const session = () => this.#session(place);
    return this.#target.streaming ? new StreamLane(this.#target, session) : new CallLane(this.#target, session);
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #session(place: number): ClientHttp2Session {
    const existing = this.#sessions[place];
    if (existing !== undefined && !existing.closed && !existing.destroyed) return existing;
    const { host, port } = this.#target;
    const session = connect(`http://${host}:${port}`, { settings: { initialWindowSize: WINDOW, enablePush: false } });
    // What happens to a connection is told to its calls.
    session.on("error", () => undefined);
    session.once("connect", () => session.setLocalWindowSize(WINDOW));
    this.#sessions[place] = session;
    return session;
  }
}

function headersFor({ compression, headers }: LoadTarget, method: string): OutgoingHttpHeaders {
  return {
    ...headers,
    ":method": "POST",
    ":path": `/inference.GRPCInferenceService/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...(compression !== "none" && { "grpc-encoding": compression }),
  };
}

async function connected(session: ClientHttp2Session): Promise<void> {
  if (!session.connecting) return;
  await new Promise<void>((resolve, reject) => {
    session.once("connect", () => resolve());
    session.once("error", reject);
    session.once("close", () => reject(new Error("the server closed the connection")));
  });
}

type Trailers = Readonly<Record<string, unknown>>;

function statusError(trailers: Trailers): string | undefined {
  const status = trailers["grpc-status"];
  if (status === "0") return undefined;
  if (status === undefined) return "the server closed the call without a status";
  return `gRPC status ${status}: ${decodeGrpcMessage(String(trailers["grpc-message"] ?? ""))}`;
}

/** One unary call at a time. */
class CallLane implements Lane {
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

function failure(error: string): Answer {
  const endMs = nowMs();
  return { sentMs: endMs, firstMs: endMs, endMs, responsesMs: [], outputTokens: 0, error };
}

interface StreamCall {
  readonly resolve: (answer: Answer) => void;
  sentMs: number;
  firstMs: number;
  readonly responsesMs: number[];
}

/** One stream that carries one request at a time, with as many answers as the model gives. */
class StreamLane implements Lane {
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
