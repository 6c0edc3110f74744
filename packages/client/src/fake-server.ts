import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** A server for tests on a free loopback port: answers by `METHOD /path` and remembers what it was asked. */
export class FakeServer {
  readonly seen: SeenRequest[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const seen = { method, path: url, headers, body: Buffer.concat(chunks) };
      this.seen.push(seen);
      const answer = this.#answers.get(`${method} ${url}`);
      if (answer === undefined) response.writeHead(404).end('{"error":"Not Found"}');
      else answer(response, seen);
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  on(route: string, answer: Answer): void {
    this.#answers.set(route, answer);
  }

  /** Answers a route with JSON. */
  json(route: string, value: unknown, status = 200): void {
    this.on(route, (response) => response.writeHead(status).end(JSON.stringify(value)));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
