import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

export interface TextServer {
  /** `host:port`. */
  readonly url: string;
  /** Bodies of the requests so far. */
  readonly bodies: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

export interface TextPace {
  readonly pieces: number;
  /** Milliseconds to the first piece, and between pieces. */
  readonly firstMs: number;
  readonly gapMs: number;
}

/** A server of OpenAI's chat API, and of nothing else, that sends its pieces at a set pace, or a whole text at once. */
export async function startTextServer(pace: TextPace): Promise<TextServer> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url !== "/v1/chat/completions") {
        response.statusCode = 404;
        response.end("{}");
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      bodies.push(body);
      if (body["stream"] === true) void answer(response, pace);
      else response.end(JSON.stringify({ choices: [{ message: {} }], usage: { completion_tokens: pace.pieces } }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    bodies,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(response: ServerResponse, { pieces, firstMs, gapMs }: TextPace): Promise<void> {
  response.setHeader("content-type", "text/event-stream");
  const send = (piece: unknown) => response.write(`data: ${JSON.stringify(piece)}\n\n`);
  send({ choices: [{ delta: { role: "assistant", content: "" } }] });
  for (let piece = 0; piece < pieces; piece += 1) {
    await pause(piece === 0 ? firstMs : gapMs);
    send({ choices: [{ delta: { content: "sea " } }] });
  }
  send({ choices: [], usage: { completion_tokens: pieces } });
  response.end("data: [DONE]\n\n");
}
