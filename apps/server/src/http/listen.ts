import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TlsOptions } from "node:tls";
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
  /** Told when a connection is opened and when it is closed. */
  readonly onConnection?: (change: "opened" | "closed") => void;
  /** Set = HTTPS only. */
  readonly tls?: TlsOptions | undefined;
  /** How long clients may take; for tests. */
  readonly timeouts?: Partial<Timeouts>;
}

interface Timeouts {
  /** From the opening of a connection, or the end of a request on it, to the end of the next request's headers. */
  readonly headersTimeout: number;
  /** To the end of its body. */
  readonly requestTimeout: number;
  /** For the first byte of a further request. */
  readonly keepAliveTimeout: number;
  /** How often the first two are looked at. */
  readonly connectionsCheckingInterval: number;
}

const TIMEOUTS: Timeouts = {
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 10_000,
};

/** Starts an HTTP server. UNAVAILABLE, naming the option, when the port is taken. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const common = { noDelay: true, keepAlive: true, ...TIMEOUTS, ...options.timeouts };
  const server =
    options.tls === undefined
      ? createServer(common, options.handler)
      : createTlsServer({ ...common, ...options.tls }, options.handler);
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (request, response) => answering.set(request.socket, response));
  server.on("clientError", (error, socket) => {
    const refuse = (to: Duplex) => answer(to, refusalOf(error));
    const last = answering.get(socket);
    // Requests that came before the broken bytes are answered first; the refusal must not be taken for their answer.
    // Broken bytes inside a body are that request's own fault.
    if (last === undefined || !last.req.complete || last.closed || last.writableFinished) refuse(socket);
    else last.once("close", () => refuse(socket));
  });
  const { onConnection } = options;
  if (onConnection !== undefined)
    server.on("connection", (socket) => {
      onConnection("opened");
      socket.once("close", () => onConnection("closed"));
    });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, options)));
    server.listen({ host: options.address, port: options.port, backlog: 1024 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, close: () => closeGently(server) };
}

/** What broken bytes are answered with. */
function refusalOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
}

function answer(socket: Duplex, status: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: status.slice(4) });
  const head = `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}`;
  // Who does not read the refusal either is not waited for.
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`, () => socket.destroy());
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
