import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { NereidClient } from "./index.ts";

let server: FakeServer;
let baseUrl: string;

beforeEach(async () => {
  server = new FakeServer();
  baseUrl = await server.listen();
  server.json("GET /v2", { name: "s", version: "2", extensions: [] });
});

afterEach(() => server.close());

it.each([1500.7, 1e12, Number.POSITIVE_INFINITY])(
  "takes a time limit of %d ms for one, not for an unreachable server",
  async (ms) => {
    const client = new NereidClient({ baseUrl });
    expect((await client.serverMetadata({ timeoutMs: ms })).name).toBe("s");
  },
);

it("does not blame the server for a header that cannot be sent", async () => {
  const client = new NereidClient({ baseUrl, headers: { "x-a": "one\ntwo" }, retries: 3 });
  await expect(client.serverMetadata()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("goes nowhere else because the answering side says so", async () => {
  const elsewhere = new FakeServer();
  const other = await elsewhere.listen();
  server.on("GET /v2", (response) => response.writeHead(302, { location: `${other}/v2` }).end());
  const client = new NereidClient({ baseUrl });
  await expect(client.serverMetadata()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining(`redirects to ${other}/v2`),
  });
  expect(elsewhere.seen).toEqual([]);
  await elsewhere.close();
});

it("passes on no more of a refusal than somebody reads", async () => {
  server.json("GET /v2", { error: "e".repeat(5_000_000), details: { all: "d".repeat(5_000_000) } }, 500);
  const error = await new NereidClient({ baseUrl }).serverMetadata().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ details: { status: 500 } });
  expect(JSON.stringify(error).length + String(error).length).toBeLessThan(20_000);
});

it("is cancelled at once while it waits to try again", async () => {
  const stop = new AbortController();
  let tries = 0;
  const client = new NereidClient({
    baseUrl,
    retries: 30,
    fetch: () => {
      tries += 1;
      // The pauses double: this one would be minutes long.
      if (tries === 1) setImmediate(() => stop.abort());
      return Promise.reject(
        new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) }),
      );
    },
  });
  await expect(client.serverMetadata({ signal: stop.signal })).rejects.toMatchObject({ code: "CANCELLED" });
  expect(tries).toBe(2);
});

describe("a server that never ends its answer", () => {
  const piece = Buffer.alloc(64 * 1024, " ");

  /** Writes for as long as somebody reads; resolves when the connection is gone. */
  function endless(route: string, { status = 200, everyMs = 0 } = {}): Promise<void> {
    return new Promise((gone) => {
      server.on(route, (response) => {
        response.writeHead(status);
        response.once("close", gone);
        const write = () => {
          if (response.destroyed) return;
          if (everyMs > 0) {
            response.write(" ");
            setTimeout(write, everyMs);
          } else if (response.write(piece)) setImmediate(write);
          else response.once("drain", write);
        };
        write();
      });
    });
  }

  it("is cut off at the limit of bytes, and its connection closed", async () => {
    const gone = endless("GET /nereid/v1/models");
    const client = new NereidClient({ baseUrl, maxAnswerBytes: 1_000_000, timeoutMs: 0 });
    await expect(client.models()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("more than 1000000 bytes"),
    });
    await gone;
  });

  it("is cut off at the deadline when it drips, and its connection closed", async () => {
    const gone = endless("GET /nereid/v1/models", { everyMs: 5 });
    const client = new NereidClient({ baseUrl, maxAnswerBytes: 1_000_000, timeoutMs: 100 });
    await expect(client.models()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await gone;
  });

  it("is cut off when it refuses a stream", async () => {
    const gone = endless("GET /nereid/v1/models/m/versions/1/archive", { status: 500 });
    await expect(new NereidClient({ baseUrl }).versionArchive("m", "1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await gone;
  });

  it("is let through below the limit", async () => {
    expect((await new NereidClient({ baseUrl, maxAnswerBytes: 1_000 }).serverMetadata()).name).toBe("s");
  });
});

it.each(["one\rtwo", "one\ntwo", "a\u0000", "a\u001b[31m", "a\u007f", "\u{1f600}"])(
  "a key such as %j is not sent, nor told",
  async (apiKey) => {
    const failure = await new NereidClient({ baseUrl, apiKey }).serverMetadata().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(String(failure)).not.toContain(apiKey);
    expect(server.seen).toEqual([]);
  },
);
