import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import { isIP } from "node:net";
import { NereidError } from "@nereid/errors";
import type { GrpcClientOptions } from "./grpc-types.ts";

/**
 * Bytes the server may send ahead. Node stops reading a connection while it cannot write to it: were more on the way than the sockets
 * hold, two ends in Node that both send much would wait for each other for ever.
 */
const WINDOW = 256 << 10;
const PING_TIMEOUT_MS = 20_000;

/** A stream on a connection that is in use for as long as the stream is open. */
export interface OpenStream {
  readonly stream: ClientHttp2Stream;
  /** Whether the server has said, closing the connection, that it has not looked at this stream. */
  unprocessed(): boolean;
}

interface Live {
  readonly session: ClientHttp2Session;
  /** Streams in progress: without any, the connection does not keep the process alive. */
  streams: number;
  /** Told when the last of them has ended. */
  readonly onIdle: (() => void)[];
  /** Last stream the server looks at, once it is closing the connection. */
  lastStreamId: number;
}

/** The HTTP/2 connection of a client: made when it is needed, and again when the old one takes no more calls. */
export class Connection {
  readonly #options: GrpcClientOptions;
  #live: Live | undefined;
  #connected: Promise<Live> | undefined;

  constructor(options: GrpcClientOptions) {
    this.#options = options;
  }

  /** Opens a stream. Rejects with UNAVAILABLE when the server cannot be reached. */
  async open(headers: OutgoingHttpHeaders): Promise<OpenStream> {
    const usable = this.#live !== undefined && !this.#live.session.closed && !this.#live.session.destroyed;
    const live = usable && this.#live !== undefined ? this.#live : await this.#connect();
    const { session } = live;
    const stream = requestOn(session, headers);
    if (live.streams === 0) session.ref();
    live.streams += 1;
    stream.once("close", () => {
      live.streams -= 1;
      if (live.streams > 0) return;
      session.unref();
      for (const tell of live.onIdle.splice(0)) tell();
    });
    return { stream, unprocessed: () => stream.id !== undefined && stream.id > live.lastStreamId };
  }

  /** Ends when the calls in progress have; a later call connects again. */
  async close(): Promise<void> {
    // A connection that is only being made gets closed behind the calls that wait for it.
    this.#connected?.then(
      (live) => live.session.close(),
      () => undefined,
    );
    const live = this.#live;
    if (live === undefined || live.session.destroyed) return;
    live.session.close();
    // Not until the session is closed: that waits for the other end, which may hang, and a session that closes forgets later callers.
    if (live.streams > 0) await new Promise<void>((resolve) => live.onIdle.push(resolve));
  }

  #connect(): Promise<Live> {
    this.#connected ??= this.#dial().finally(() => {
      this.#connected = undefined;
    });
    return this.#connected;
  }

  async #dial(): Promise<Live> {
    const session = this.#session();
    // What happens to a connection is told to its calls; an idle one just goes.
    session.on("error", () => undefined);
    return new Promise((resolve, reject) => {
      session.once("error", (error) => reject(this.#unreachable(error)));
      session.once("close", () => reject(this.#unreachable(new Error("the connection was closed"))));
      session.once("connect", () => {
        session.setLocalWindowSize(WINDOW);
        const live: Live = { session, streams: 0, onIdle: [], lastStreamId: Number.POSITIVE_INFINITY };
        session.on("goaway", (_code, lastStreamId) => {
          live.lastStreamId = lastStreamId;
        });
        this.#live = live;
        this.#keepAlive(session);
        resolve(live);
      });
    });
  }

  #session(): ClientHttp2Session {
    const { address, tls } = this.#options;
    try {
      return connect(`${tls === undefined ? "http" : "https"}://${address}`, {
        settings: { initialWindowSize: WINDOW, enablePush: false },
        maxSessionMemory: 4096,
        ...(tls?.root !== undefined && { ca: text(tls.root) }),
        ...(tls?.certificate !== undefined && { cert: text(tls.certificate) }),
        ...(tls?.key !== undefined && { key: text(tls.key) }),
        // A name of none is sent for an address; the certificate is checked against the address then.
        ...(tls !== undefined && { servername: tls.serverName ?? (isAddress(address) ? "" : hostOf(address)) }),
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new NereidError("INVALID_ARGUMENT", `cannot connect to '${address}': ${why}`, {
        fix: "give the address as host:port without a scheme, and PEM texts as certificates",
        cause,
      });
    }
  }

  #keepAlive(session: ClientHttp2Session): void {
    const { keepaliveMs = 0 } = this.#options;
    if (keepaliveMs <= 0) return;
    const timer = setInterval(() => {
      const late = setTimeout(() => session.destroy(new Error("the server does not answer pings")), PING_TIMEOUT_MS);
      if (session.destroyed || !session.ping(() => clearTimeout(late))) clearTimeout(late);
    }, keepaliveMs);
    timer.unref();
    session.once("close", () => clearInterval(timer));
  }

  #unreachable(error: Error): NereidError {
    const code = "code" in error ? String(error.code) : error.message;
    return new NereidError("UNAVAILABLE", `cannot reach ${this.#options.address}: ${code}`, {
      fix: "start the server, or check its address, its gRPC port and whether it wants TLS",
      details: { refused: true },
      cause: error,
    });
  }
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(":"));
}

function isAddress(address: string): boolean {
  return isIP(hostOf(address).replace(/^\[|\]$/g, "")) !== 0;
}

/** INVALID_ARGUMENT for metadata that cannot be sent; UNAVAILABLE when the connection has just gone. */
function requestOn(session: ClientHttp2Session, headers: OutgoingHttpHeaders): ClientHttp2Stream {
  try {
    return session.request(headers, { endStream: false });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    if (session.closed || session.destroyed)
      throw new NereidError("UNAVAILABLE", `the connection to the server broke: ${why}`, {
        details: { unprocessed: true },
        cause,
      });
    throw new NereidError("INVALID_ARGUMENT", `the metadata of the call cannot be sent: ${why}`, { cause });
  }
}

function text(pem: string | Uint8Array): string {
  return typeof pem === "string" ? pem : Buffer.from(pem).toString("utf8");
}
