import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { NereidClient, type SecondBucket } from "./index.ts";

let server: FakeServer;
let baseUrl: string;

beforeEach(async () => {
  server = new FakeServer();
  baseUrl = await server.listen();
});

afterEach(() => server.close());

const send = (response: ServerResponse, ...seconds: number[]): void => {
  for (const t of seconds) response.write(`id: ${t}\ndata: {"t":${t},"series":[]}\n\n`);
};

const take = async (stream: AsyncGenerator<SecondBucket>, count: number): Promise<number[]> => {
  const seen: number[] = [];
  for await (const { t } of stream) {
    seen.push(t);
    if (seen.length === count) break;
  }
  return seen;
};

describe("buckets()", () => {
  it("resumes after the last bucket, over ends, cuts and 503", async () => {
    const attempts: number[] = [];
    const client = new NereidClient({
      baseUrl,
      backoff: async (attempt) => {
        attempts.push(attempt);
      },
    });
    server.on("GET /nereid/v1/buckets?after=3&model=m", (response) => {
      send(response, 4, 5);
      response.end();
    });
    let fives = 0;
    server.on("GET /nereid/v1/buckets?after=5&model=m", (response) => {
      fives += 1;
      if (fives === 1) response.writeHead(503).end('{"error":"later"}');
      else {
        send(response, 5, 6);
        setTimeout(() => response.destroy(), 20);
      }
    });
    server.on("GET /nereid/v1/buckets?after=6&model=m", (response) => send(response, 7));
    expect(await take(client.buckets({ after: 3, model: "m" }), 4)).toEqual([4, 5, 6, 7]);
    expect(attempts).toEqual([1, 2, 1]);
    expect(server.seen[0]?.headers.accept).toBe("text/event-stream");
  });

  it("frees the connection when the consumer leaves", async () => {
    const client = new NereidClient({ baseUrl });
    const closed = new Promise<void>((resolve) => {
      server.on("GET /nereid/v1/buckets", (response) => {
        response.on("close", resolve);
        send(response, 1);
      });
    });
    expect(await take(client.buckets(), 1)).toEqual([1]);
    await closed;
  });

  it("ends quietly on abort, also while it waits", async () => {
    const streaming = new AbortController();
    server.on("GET /nereid/v1/buckets", (response) => send(response, 1));
    const seen: number[] = [];
    for await (const { t } of new NereidClient({ baseUrl }).buckets({ signal: streaming.signal })) {
      seen.push(t);
      streaming.abort();
    }
    expect(seen).toEqual([1]);
    const waiting = new AbortController();
    server.on("GET /nereid/v1/buckets", (response) => {
      response.destroy();
      setTimeout(() => waiting.abort(), 20);
    });
    expect(await take(new NereidClient({ baseUrl }).buckets({ signal: waiting.signal }), 1)).toEqual([]);
  });

  it("reconnects when the stream falls silent", async () => {
    const client = new NereidClient({ baseUrl, backoff: async () => undefined });
    server.on("GET /nereid/v1/buckets", (response) => send(response, 1));
    server.on("GET /nereid/v1/buckets?after=1", (response) => send(response, 2));
    expect(await take(client.buckets({ idleTimeoutMs: 50 }), 2)).toEqual([1, 2]);
  });

  it("throws what a retry cannot cure", async () => {
    const client = new NereidClient({ baseUrl, backoff: async () => undefined });
    server.json("GET /nereid/v1/buckets", { error: "key needed" }, 401);
    await expect(take(client.buckets(), 1)).rejects.toMatchObject({ code: "UNAUTHENTICATED", message: "key needed" });
  });
});
