import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { NereidError } from "@nereid/errors";
import type { Listener } from "../http/listen.ts";
import { tlsOptions } from "../http/tls.ts";
import type { ServerContext } from "../server-context.ts";
import { type FinishedCall, GrpcCall } from "./grpc-call.ts";
import { GrpcSession } from "./grpc-session.ts";
import { SHUTTING_DOWN } from "./grpc-status.ts";
import { handleCall } from "./handle-call.ts";
import { createRpcTable } from "./rpc-table.ts";

/** How often calls are looked at whose client neither reads nor writes. */
const SWEEP_MS = 5_000;

const TCP_KEEPALIVE_MS = 60_000;

const SETTINGS: ServerOptions = {
  settings: {
    // The protocol's 64 KiB would make a large tensor take a round trip for every part of it.
    initialWindowSize: 16 << 20,
    maxFrameSize: 1 << 20,
    maxConcurrentStreams: 1000,
    maxHeaderListSize: 64 * 1024,
    enablePush: false,
  },
  // In MB; the default of 10 would refuse calls while one large tensor is on its way.
  maxSessionMemory: 4096,
};

/** Starts the gRPC front end. UNAVAILABLE, naming the option, when the port is taken. */
export async function listenGrpc(context: ServerContext): Promise<Listener> {
  const { address, port, tls } = context.options.grpc;
  const server: Http2Server =
    tls === undefined
      ? createServer(SETTINGS)
      : createSecureServer({ ...SETTINGS, ...tlsOptions(tls, "grpc"), ALPNProtocols: ["h2"] });
  const front = new GrpcFront(context, server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, { address, port })));
    server.listen({ host: address, port, backlog: 1024 }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => front.close() };
}

/** Connections and calls of one listening server. */
class GrpcFront {
  readonly #context: ServerContext;
  readonly #server: Http2Server;
  readonly #sessions = new Map<ServerHttp2Session, GrpcSession>();
  readonly #rpcs = createRpcTable();
  readonly #sweep: NodeJS.Timeout;

  constructor(context: ServerContext, server: Http2Server) {
    this.#context = context;
    this.#server = server;
    // A peer whose machine has gone says nothing; without calls nobody else would notice.
    server.on("connection", (socket: Socket) => socket.setKeepAlive(true, TCP_KEEPALIVE_MS));
    server.on("session", (session) => this.#connected(session));
    server.on("stream", (stream, headers) => this.#called(stream, headers));
    // A broken handshake or frame concerns its connection only.
    server.on("sessionError", (_error: Error, session: ServerHttp2Session) => session.destroy());
    server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
    this.#sweep = setInterval(() => this.#sweepCalls(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Stops accepting, tells clients to go elsewhere, lets calls in progress end; open streams of requests are ended. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions.values()) {
      for (const call of session.calls) call.finish(SHUTTING_DOWN);
      session.close();
    }
    await closed;
  }

  #connected(session: ServerHttp2Session): void {
    const { options, traffic } = this.#context;
    this.#sessions.set(session, new GrpcSession(session, options.grpc));
    traffic.opened("grpc");
    session.once("close", () => {
      this.#sessions.delete(session);
      traffic.closed("grpc");
    });
  }

  #called(stream: ServerHttp2Stream, headers: GrpcCall["headers"]): void {
    const session = stream.session && this.#sessions.get(stream.session as ServerHttp2Session);
    if (session === undefined || stream.destroyed) {
      // Reset before it was looked at.
      session?.reset();
      if (!stream.destroyed) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    this.#context.traffic.began("grpc");
    const call = new GrpcCall(stream, headers, { session, onFinished: this.#finished });
    handleCall(this.#context, call, this.#rpcs);
  }

  #sweepCalls(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      for (const call of session.calls) if (call.stalled(now)) call.drop();
    }
  }

  readonly #finished = ({ call, status }: FinishedCall): void => {
    this.#context.traffic.ended("grpc", call.rpc, status.code);
    this.#context.accessLog?.write({
      protocol: "grpc",
      operation: call.rpc,
      peer: call.session.peer,
      ...call.subject,
      status: status.code,
      durationMs: performance.now() - call.startedMs,
    });
  };
}

function explain(error: Error, { address, port }: { readonly address: string; readonly port: number }): NereidError {
  const code = "code" in error ? String(error.code) : "";
  const texts: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${address} is taken; choose another with --grpc-port=<port>`,
    EACCES: `port ${port} needs privileges; choose one above 1023 with --grpc-port=<port>`,
  };
  return new NereidError("UNAVAILABLE", texts[code] ?? `cannot listen on ${address}:${port}: ${error.message}`);
}
