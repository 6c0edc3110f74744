import { connect, type Socket } from "node:net";

/**
 * One keep-alive HTTP/1.1 connection that sends ready-made requests: as little client as possible, so that a measurement is
 * of the server. One request at a time; answers must carry Content-Length.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received = 0;
  #expected = -1;
  #head = "";
  #status = 0;
  #chunks: Buffer[] = [];
  #done: ((answer: HttpAnswer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#onData(chunk));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the server closed the connection")));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  send(request: Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    let rest = chunk;
    if (this.#expected === -1) {
      const text = this.#head + chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end === -1) {
        this.#head = text;
        return;
      }
      const head = text.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      this.#expected = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      rest = chunk.subarray(end + 4 - this.#head.length);
      this.#head = "";
    }
    this.#received += rest.length;
    this.#chunks.push(rest);
    if (this.#received < this.#expected) return;
    const answer: HttpAnswer = { status: this.#status, chunks: this.#chunks };
    this.#received = 0;
    this.#expected = -1;
    this.#chunks = [];
    this.#done?.(answer);
  }
}

export interface HttpAnswer {
  readonly status: number;
  /** The body as it arrived. */
  readonly chunks: readonly Buffer[];
}

/** A whole POST request with a body, ready to be written. */
export function postRequest(
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string | number>>,
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.byteLength}\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}
