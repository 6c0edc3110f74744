import { constants } from "node:http2";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { framed, RawGrpc, replyOf } from "../testing/raw-grpc.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const STREAM = "/inference.GRPCInferenceService/ModelStreamInfer";
const LIVE = "/inference.GRPCInferenceService/ServerLive";
const EMPTY = framed(new Uint8Array(0));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [offset("plus", 1)] });
});
afterAll(async () => server.dispose());

async function isLive(): Promise<boolean> {
  const raw = new RawGrpc(server.grpcAddress);
  const { trailers } = await raw.exchange(LIVE, EMPTY);
  raw.close();
  return trailers["grpc-status"] === "0";
}

/** Calls that the server believes to be in progress. */
async function inFlight(): Promise<number | undefined> {
  return (await readMetricsPage(server)).value('nereid_requests_in_flight{protocol="grpc"}');
}

it("a stream with an unknown grpc-encoding is refused and does not end the server", async () => {
  const raw = new RawGrpc(server.grpcAddress);
  const { trailers } = await raw.exchange(STREAM, EMPTY, { "grpc-encoding": "br" });
  expect(trailers["grpc-status"]).toBe("12");
  raw.close();
  expect(await isLive()).toBe(true);
});

it("a connection that resets an unread stream with NO_ERROR and leaves is forgotten", async () => {
  const raw = new RawGrpc(server.grpcAddress);
  const stream = raw.open(STREAM);
  const unread = Buffer.concat(Array.from({ length: 20_000 }, () => EMPTY));
  const answered = new Promise((resolve) => stream.once("response", resolve));
  stream.write(unread);
  await answered;
  // More than the windows take is waiting by now, and nobody reads it.
  await waitUntil("the call is counted", async () => (await inFlight()) === 1);
  stream.close(constants.NGHTTP2_NO_ERROR);
  // Behind the reset: when it comes back the server has seen both.
  await new Promise<void>((resolve) => raw.session.ping(() => resolve()));
  raw.close();
  await waitUntil("nothing is in flight", async () => (await inFlight()) === 0);
  expect((await readMetricsPage(server)).value('nereid_open_connections{protocol="grpc"}')).toBe(0);
});

it("ten thousand messages in one chunk are all answered, and another call is answered among them", async () => {
  const raw = new RawGrpc(server.grpcAddress);
  const stream = raw.open(STREAM);
  const count = 10_000;
  let before = 0;
  stream.on("data", (chunk: Buffer) => {
    before += chunk.byteLength;
  });
  const reply = replyOf(stream);
  const answered = new Promise((resolve) => stream.once("response", resolve));
  stream.end(Buffer.concat(Array.from({ length: count }, () => EMPTY)));
  await answered;
  expect(await isLive()).toBe(true);
  const seen = before;
  const { body, trailers } = await reply;
  expect(trailers["grpc-status"]).toBe("0");
  let messages = 0;
  for (let at = 0; at < body.byteLength; at += 5 + body.readUInt32BE(at + 1)) messages += 1;
  expect(messages).toBe(count);
  expect(seen).toBeLessThan(body.byteLength);
});
