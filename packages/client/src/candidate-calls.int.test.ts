import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { NereidClient } from "./index.ts";

let server: FakeServer;
let client: NereidClient;

beforeEach(async () => {
  server = new FakeServer();
  client = new NereidClient({ baseUrl: await server.listen(), backoff: async () => {} });
});

afterEach(() => server.close());

it("candidates are made, listed and removed at the data plane", async () => {
  const made = { name: "c 1", of: "a b", versions: ["1"], warnings: [], expiresAt: "2026-01-01T00:00:00.000Z" };
  server.json("POST /nereid/v1/models/a%20b/candidates", made);
  server.json("GET /nereid/v1/candidates", { candidates: [{ name: "c 1", of: "a b" }] });
  server.json("DELETE /nereid/v1/candidates/c%201", {});
  const request = { name: "c 1", config: { max_batch_size: 4 }, ttlSeconds: 60 };
  expect(await client.addCandidate("a b", request)).toEqual(made);
  expect(JSON.parse(server.seen[0]?.body.toString() ?? "")).toEqual(request);
  expect(await client.candidates()).toEqual([{ name: "c 1", of: "a b" }]);
  await client.removeCandidate("c 1");
  await expect(client.removeCandidate("other")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("shadows are begun, asked for and ended at the data plane", async () => {
  server.json("PUT /nereid/v1/models/a%20b/shadow", { shadow: { target: "2" } });
  server.json("GET /nereid/v1/models/a%20b/shadow", { shadow: null });
  server.json("DELETE /nereid/v1/models/a%20b/shadow", {});
  expect(await client.startShadow("a b", { target: "2", percent: 5 })).toEqual({ target: "2" });
  expect(JSON.parse(server.seen[0]?.body.toString() ?? "")).toEqual({ target: "2", percent: 5 });
  expect(await client.shadow("a b")).toBeNull();
  await client.stopShadow("a b");
  await expect(client.shadow("other")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
