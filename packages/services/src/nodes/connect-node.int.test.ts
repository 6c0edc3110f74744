import { once } from "node:events";
import { createServer } from "node:http2";
import { createServer as createSocketServer } from "node:net";
import { expect, it } from "vitest";
import { connectNode } from "./connect-node.ts";

const options = { clock: { now: () => 0 }, pause: async () => {} };
const specOf = (url: string, apiKey: string | null, grpcUrl: string | null = null) =>
  ({ name: "n", kind: "nereid", url, metricsUrl: null, grpcUrl, apiKey }) as const;

async function portOf(server: ReturnType<typeof createSocketServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

it.each([
  ["k-1", "Bearer k-1"],
  [null, undefined],
])("over gRPC the key %s was left out", async (apiKey, expected) => {
  const seen: unknown[] = [];
  const server = createServer();
  server.on("stream", (stream, headers) => {
    seen.push(headers.authorization);
    stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "16" }, { endStream: true });
  });
  const port = await portOf(server);
  const grpc = connectNode(specOf("http://127.0.0.1:1", apiKey), options).grpc(port);
  const addressed = connectNode(specOf("http://n.example", apiKey, `http://127.0.0.1:${port}`), options).grpc(1);
  try {
    await expect(grpc.modelConfig("m")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(addressed.modelConfig("m")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(seen).toEqual([expected, expected]);
  } finally {
    await Promise.all([grpc.close(), addressed.close()]);
    server.close();
  }
});

it("a node whose address is https is spoken to over TLS", async () => {
  const TLS_HANDSHAKE = 0x16;
  const server = createSocketServer();
  const first = new Promise<number | undefined>((resolve) => {
    server.on("connection", (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (bytes: Buffer) => {
        resolve(bytes[0]);
        socket.destroy();
      });
    });
  });
  const port = await portOf(server);
  const grpc = connectNode(specOf("https://127.0.0.1:1", null), options).grpc(port);
  await expect(grpc.modelConfig("m")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await first).toBe(TLS_HANDSHAKE);
  await grpc.close();
  server.close();
});
