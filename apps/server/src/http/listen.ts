import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { NereidError } from "@nereid/errors";

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets requests in progress end, closes idle connections. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  /** The option that changes the port, for the message when it is taken. */
  readonly option: string;
  readonly handler: RequestListener;
}

/** Starts an HTTP server. UNAVAILABLE, naming the option, when the port is taken. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const server = createServer(
    { noDelay: true, keepAlive: true, keepAliveTimeout: 75_000, headersTimeout: 60_000, requestTimeout: 300_000 },
    options.handler,
  );
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (request, response) => answering.set(request.socket, response));
  server.on("clientError", (_error, socket) => {
    const last = answering.get(socket);
    // Requests that came before the broken bytes are answered first; the refusal must not be taken for their answer.
    // Broken bytes inside a body are that request's own fault.
    if (last === undefined || !last.req.complete || last.closed || last.writableFinished) refuse(socket);
    else last.once("close", () => refuse(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, options)));
    server.listen({ host: options.address, port: options.port, backlog: 1024 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, close: () => closeGently(server) };
}

function refuse(socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 23\r\n\r\n{"error":"Bad Request"}',
  );
}

function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function explain(error: Error, { address, port, option }: ListenOptions): NereidError {
  const code = "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE")
    return new NereidError(
      "UNAVAILABLE",
      `port ${port} on ${address} is taken; choose another with --${option}=<port>`,
    );
  if (code === "EACCES")
    return new NereidError(
      "UNAVAILABLE",
      `port ${port} needs privileges; choose one above 1023 with --${option}=<port>`,
    );
  return new NereidError("UNAVAILABLE", `cannot listen on ${address}:${port}: ${error.message}`);
}
