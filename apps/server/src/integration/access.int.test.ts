import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";

describe("without a key, on loopback", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ models: [offset("a", 1)], args: ["--allowed-host=ops.example"] });
  });
  afterAll(() => server.dispose());

  const FOREIGN = [
    { title: "a page of another site", headers: { origin: "https://evil.example" } },
    { title: "a page of another port of this machine", headers: { origin: "http://localhost:3999" } },
    { title: "a page without an origin of its own", headers: { origin: "null" } },
    { title: "a name that was pointed here", headers: { host: "evil.example" } },
    { title: "a name that was pointed here, with a port", headers: { host: "evil.example:8000" } },
    { title: "a name that only ends like an allowed one", headers: { host: "evil-ops.example" } },
  ];
  const PATHS = [
    ["GET", "/v2"],
    ["GET", "/nereid/v1/models"],
    ["POST", "/v2/repository/index"],
    ["POST", "/v2/repository/models/a/unload"],
    ["POST", "/v2/models/a/infer"],
  ] as const;

  it.each(FOREIGN)("$title is refused everywhere", async ({ headers }) => {
    for (const [method, path] of PATHS) {
      const reply = await server.api.call(path, { method, headers });
      expect([path, reply.status]).toEqual([path, 403]);
      expect(errorOf(reply)).toMatch(/--allowed-host/);
    }
    expect(await server.api.ready("a")).toBe(true);
  });

  it.each(["127.0.0.1", "localhost:8000", "[::1]:8000", "ops.example"])(
    "the host name %s is answered",
    async (host) => {
      expect((await server.api.call("/v2", { headers: { host } })).status).toBe(200);
    },
  );

  it("a page of an allowed host is answered", async () => {
    expect((await server.api.call("/v2", { headers: { origin: "https://ops.example" } })).status).toBe(200);
  });

  it("files of a load request cannot leave the model's directory", async () => {
    const config = '{"backend":"onnxruntime"}';
    for (const path of ["../escaped.onnx", "1/../../escaped.onnx", "/tmp/escaped.onnx", "1/..", "1\\..\\x", ""]) {
      const reply = await server.api.load("a", { config, [`file:${path}`]: "AAAA" });
      expect([path, reply.status]).toEqual([path, 400]);
      expect(errorOf(reply)).toContain("inside the model's directory");
    }
    const upwards = await server.api.load("..", { config, "file:1/model.onnx": "AAAA" });
    expect(upwards.status).toBe(400);
    expect(server.filesBelowTemporary().filter((path) => path.endsWith(".onnx"))).toEqual([]);
    expect(numbersOf(await server.api.infer("a", floats("QUESTION", [[0]])))).toEqual([1]);
  });
});

describe("bound wider than loopback", () => {
  it("refuses to start without a key", async () => {
    const server = launchTestServer(testDirectory(), { args: ["--http-address=0.0.0.0"] });
    try {
      expect((await server.exited).code).toBe(1);
      expect(server.stderr).toMatch(/--management-key=<secret>/);
    } finally {
      await server.dispose();
    }
  });

  it("with a key asks for it on repository and management calls and on nothing else", async () => {
    const server = await startTestServer({
      models: [offset("a", 1)],
      args: ["--http-address=0.0.0.0", "--management-key=open sesame"],
    });
    try {
      const calls = [
        ["GET", "/nereid/v1/server"],
        ["GET", "/nereid/v1/models"],
        ["GET", "/nereid/v1/buckets"],
        ["POST", "/v2/repository/index"],
        ["POST", "/v2/repository/models/a/load"],
        ["POST", "/v2/repository/models/a/unload"],
      ] as const;
      for (const [method, path] of calls) {
        for (const authorization of [
          undefined,
          "Bearer wrong",
          "Bearer open sesame2",
          "Basic open sesame",
          "Bearer ",
        ]) {
          const headers = authorization === undefined ? {} : { authorization };
          const reply = await server.api.call(path, { method, headers });
          expect([path, authorization, reply.status]).toEqual([path, authorization, 401]);
        }
      }
      const headers = { authorization: "Bearer open sesame" };
      expect((await server.api.post("/v2/repository/models/a/load", "", { headers })).status).toBe(200);
      expect((await server.api.call("/nereid/v1/models/a", { headers })).status).toBe(200);
      expect(numbersOf(await server.api.infer("a", floats("QUESTION", [[1]])))).toEqual([2]);
      expect(await server.api.ready()).toBe(true);
      expect(server.stderr).not.toContain("open sesame");
    } finally {
      await server.dispose();
    }
  });
});

describe("--http-restricted-api", () => {
  it("asks for its header on the named categories only", async () => {
    const server = await startTestServer({
      models: [offset("a", 1)],
      args: ["--http-restricted-api=inference,statistics:x-key=42"],
    });
    try {
      const { api } = server;
      const refused = await api.infer("a", floats("QUESTION", [[1]]));
      expect([refused.status, errorOf(refused)]).toEqual([403, "This API is restricted, expecting header 'x-key'"]);
      expect((await api.call("/v2/models/stats", { headers: { "x-key": "41" } })).status).toBe(403);
      expect((await api.infer("a", floats("QUESTION", [[1]]), { headers: { "x-key": "42" } })).status).toBe(200);
      expect((await api.call("/v2/models/a")).status).toBe(200);
    } finally {
      await server.dispose();
    }
  });
});
