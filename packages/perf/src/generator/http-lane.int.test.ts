import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { HttpLoadLane } from "./http-lane.ts";

const REQUEST = Buffer.from("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

let server: Server | undefined;
afterEach(async () => {
  if (server === undefined) return;
  server.close();
  await once(server, "close");
});

/** A server that is told of each request, with the number of its connection and of the request on it. */
async function startServer(
  onRequest: (socket: Socket, connection: number, request: number) => void,
): Promise<HttpLoadLane> {
  let connections = 0;
  server = createServer((socket) => {
    const connection = ++connections;
    let requests = 0;
    socket.on("data", () => onRequest(socket, connection, ++requests));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return new HttpLoadLane({ host: "127.0.0.1", port, reader: undefined });
}

it("sends a request again whose idle connection the server was just closing", async () => {
  const seen: string[] = [];
  const lane = await startServer((socket, connection, request) => {
    seen.push(`${connection}.${request}`);
    if (connection === 1 && request === 2) socket.destroy();
    else socket.write(ANSWER);
  });
  const answers = [await lane.send(REQUEST), await lane.send(REQUEST), await lane.send(REQUEST)];
  lane.close();
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(seen).toEqual(["1.1", "1.2", "2.1", "2.2"]);
});

it("takes a connection that closes on its first request for a failure, and goes on with another", async () => {
  const lane = await startServer((socket, connection) => {
    if (connection === 1) socket.destroy();
    else if (connection === 2) socket.write("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbusy");
    else socket.write(ANSWER);
  });
  const errors = [await lane.send(REQUEST), await lane.send(REQUEST), await lane.send(REQUEST)].map(
    ({ error }) => error,
  );
  lane.close();
  expect(errors).toEqual([expect.stringMatching(/closed|reset/i), "HTTP status 503: busy", undefined]);
});

it("says when nobody listens", async () => {
  const lane = await startServer(() => undefined);
  server?.close();
  if (server !== undefined) await once(server, "close");
  server = undefined;
  await expect(lane.open()).rejects.toThrow("ECONNREFUSED");
  expect((await lane.send(REQUEST)).error).toContain("ECONNREFUSED");
});
