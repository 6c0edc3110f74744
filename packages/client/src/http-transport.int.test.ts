import { afterEach, beforeEach, expect, it } from "vitest";
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
