import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import { frameHeader } from "@nereid/grpc";

export interface RawReply {
  /** Of HTTP. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface GoneAway {
  readonly code: number;
  readonly text: string;
}

/** An HTTP/2 connection that can misbehave. */
export class RawGrpc {
  readonly session: ClientHttp2Session;
  /** What the server says when it closes the connection. */
  readonly goneAway: Promise<GoneAway>;
  readonly closed: Promise<void>;

  constructor(address: string) {
    this.session = connect(`http://${address}`);
    this.session.on("error", () => undefined);
    this.goneAway = new Promise((resolve) =>
      this.session.once("goaway", (code, _last, data) => resolve({ code, text: data?.toString() ?? "" })),
    );
    this.closed = new Promise((resolve) => this.session.once("close", resolve));
  }

  get socket(): Socket {
    return this.session.socket as Socket;
  }

  open(path: string, headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
    const stream = this.session.request({
      ":method": "POST",
      ":path": path,
      te: "trailers",
      "content-type": "application/grpc",
      ...headers,
    });
    stream.on("error", () => undefined);
    return stream;
  }

  /** Sends the bytes as they are and waits for the end. */
  async exchange(path: string, body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<RawReply> {
    const stream = this.open(path, headers);
    const reply = replyOf(stream);
    stream.end(body);
    return reply;
  }

  close(): void {
    this.session.destroy();
  }
}

/** What comes back on a stream, once it is over. */
export function replyOf(stream: ClientHttp2Stream): Promise<RawReply> {
  return new Promise((resolve) => {
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on("response", (given) => {
      headers = given;
      if (given["grpc-status"] !== undefined) trailers = given;
    });
    stream.on("trailers", (given) => {
      trailers = given;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.once("close", () =>
      resolve({ status: Number(headers[":status"]) || undefined, headers, trailers, body: Buffer.concat(chunks) }),
    );
  });
}

/** A message behind its prefix. */
export function framed(message: Uint8Array, compressed = false): Buffer {
  return Buffer.concat([frameHeader(message.byteLength, compressed), message]);
}
