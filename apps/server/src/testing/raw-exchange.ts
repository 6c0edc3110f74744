import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Writes bytes to the server as they are and reads until it closes the connection. */
export function rawExchange(url: URL, pieces: Iterable<string | Uint8Array>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    const chunks: Buffer[] = [];
    const done = () => {
      const text = Buffer.concat(chunks).toString("latin1");
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text });
    };
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", done);
    // A server that refuses while the client still writes resets the connection; what it said before still counts.
    socket.on("error", (error) => (chunks.length > 0 ? done() : reject(error)));
    socket.on("connect", () => {
      for (const piece of pieces) socket.write(piece);
    });
  });
}
