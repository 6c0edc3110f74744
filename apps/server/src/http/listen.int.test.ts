import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { rawExchange } from "../testing/raw-exchange.ts";
import { type Listener, listen } from "./listen.ts";

const SHORT = { headersTimeout: 300, requestTimeout: 600, keepAliveTimeout: 300, connectionsCheckingInterval: 50 };

let listener: Listener;
afterEach(() => listener.close());

async function start(): Promise<URL> {
  listener = await listen({
    address: "127.0.0.1",
    port: 0,
    option: "http-port",
    handler: (request, response) => {
      request.on("error", () => undefined);
      request.resume();
      request.on("end", () => response.end("done"));
    },
    timeouts: SHORT,
  });
  return new URL(`http://127.0.0.1:${listener.port}`);
}

it.each([
  ["says nothing", ""],
  ["stops in the middle of its headers", "POST / HTTP/1.1\r\nHost: a\r\nX-"],
  ["stops in the middle of its body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345"],
  ["stops in the middle of a chunk", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc"],
])("a client that %s is closed by the timer", async (_, text) => {
  const url = await start();
  // Resolves only once the server has closed the connection.
  const { status } = await rawExchange(url, text === "" ? [] : [text]);
  expect([0, 408]).toContain(status);
});

it("a client that sends one byte at a time is closed all the same", async () => {
  const url = await start();
  await new Promise<void>((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    const drip = setInterval(() => socket.write("X"), 20);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(drip);
      resolve();
    });
    socket.resume();
  });
  expect((await rawExchange(url, ["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"])).status).toBe(200);
});

it("a connection that stays idle after its answer is closed", async () => {
  const url = await start();
  const { text } = await rawExchange(url, ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
  expect(text).toContain("200 OK");
});

it("headers that are too large are answered 431", async () => {
  const url = await start();
  const { status, text } = await rawExchange(url, [`GET / HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(100_000)}\r\n\r\n`]);
  expect(status).toBe(431);
  expect(text).toContain('{"error":"Request Header Fields Too Large"}');
});
