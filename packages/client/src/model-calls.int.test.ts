import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { ControlClient, NereidClient } from "./index.ts";

let server: FakeServer;
let baseUrl: string;
let client: NereidClient;

beforeEach(async () => {
  server = new FakeServer();
  baseUrl = await server.listen();
  client = new NereidClient({ baseUrl, apiKey: "k", backoff: async () => {} });
});

afterEach(() => server.close());

const bodyOf = (index: number) => JSON.parse(server.seen[index]?.body.toString() ?? "");
const event = (id: number) => `id: ${id}\ndata: ${JSON.stringify({ id, kind: "unloaded", model: "m" })}\n\n`;

describe("traffic, loads and requests", () => {
  it("are asked for and changed at the data plane", async () => {
    const traffic = { weights: { "1": 1 }, shares: { "1": 1 } };
    server.json("GET /nereid/v1/models/a%20b/traffic", { traffic });
    server.json("PUT /nereid/v1/models/a%20b/traffic", { traffic: null, warnings: [] });
    server.json("POST /nereid/v1/models/a%20b/load/cancel", { cancelled: 1 });
    server.json("GET /nereid/v1/requests?model=m&cause=slow&limit=3", { records: [{ serial: 1 }] });
    server.json("GET /nereid/v1/requests", { records: [] });
    expect(await client.traffic("a b")).toEqual(traffic);
    await client.divideTraffic("a b", { weights: { "1": 1, "2": 9 }, stickyHeader: "x" });
    await client.divideTraffic("a b", null);
    expect([bodyOf(1), bodyOf(2)]).toEqual([{ weights: { "1": 1, "2": 9 }, stickyHeader: "x" }, { weights: null }]);
    expect(await client.cancelLoad("a b")).toEqual({ cancelled: 1 });
    expect(await client.requests({ model: "m", cause: "slow", limit: 3, id: undefined })).toHaveLength(1);
    expect(await client.requests()).toEqual([]);
    await expect(client.cancelLoad("other")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are asked for and changed through the dashboard", async () => {
    const control = new ControlClient({ baseUrl, apiKey: "nrd_k" });
    server.json("GET /api/v1/models/m/traffic", { traffic: null });
    server.json("PUT /api/v1/models/m/traffic", { traffic: null, warnings: [] });
    server.json("POST /api/v1/models/m/load/cancel", { cancelled: 2 });
    server.json("POST /api/v1/models/m/profile", { id: "p" });
    server.json("GET /api/v1/models/m/profiles/p/trace", [{ name: "e" }]);
    server.json("GET /api/v1/requests?id=x", { records: [] });
    expect(await control.traffic("m")).toBeNull();
    await control.divideTraffic("m", { weights: { "1": 1 } }, "canary");
    await control.divideTraffic("m", null);
    expect([bodyOf(1), bodyOf(2)]).toEqual([{ weights: { "1": 1 }, reason: "canary" }, { weights: null }]);
    expect(await control.cancelLoad("m")).toEqual({ cancelled: 2 });
    expect(await control.profile("m", { seconds: 1, version: undefined, reason: "slow" })).toEqual({ id: "p" });
    expect(bodyOf(4)).toEqual({ seconds: 1, reason: "slow" });
    expect(await control.profileTrace("m", "p")).toEqual([{ name: "e" }]);
    expect(await control.requests({ id: "x" })).toEqual([]);
  });
});

describe("events", () => {
  it("go on where a connection ended, each told once; what is no event is passed over", async () => {
    server.on("GET /nereid/v1/events?model=m", (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`:\n\nevent: gap\ndata: {}\n\n${event(5)}${event(6)}`);
    });
    server.on("GET /nereid/v1/events?after=6&model=m", (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${event(6)}${event(7)}`);
    });
    const ids: number[] = [];
    for await (const { id } of client.events({ model: "m" })) {
      ids.push(id);
      if (id === 7) break;
    }
    expect(ids).toEqual([5, 6, 7]);
  });
});
