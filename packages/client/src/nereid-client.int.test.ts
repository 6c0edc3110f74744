import { decodeInferRequest, decodeTensorValues, encodeInferResponse, encodeTensorValues } from "@nereid/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { NereidClient } from "./index.ts";

let server: FakeServer;
let baseUrl: string;
let client: NereidClient;

beforeEach(async () => {
  server = new FakeServer();
  baseUrl = await server.listen();
  client = new NereidClient({ baseUrl: `${baseUrl}/`, apiKey: "k", metricsUrl: `${baseUrl}/metrics` });
});

afterEach(() => server.close());

describe("health and metadata", () => {
  it("probes", async () => {
    server.on("GET /v2/health/live", (response) => response.end());
    server.on("GET /v2/health/ready", (response) => response.writeHead(400).end());
    server.on("GET /v2/models/a%2Fb/versions/3/ready", (response) => response.end());
    expect(await client.serverLive()).toBe(true);
    expect(await client.serverReady()).toBe(false);
    expect(await client.modelReady("a/b", { version: "3" })).toBe(true);
    expect(await client.modelReady("unknown")).toBe(false);
    expect(server.seen[0]?.headers.authorization).toBe("Bearer k");
  });

  it("reads JSON and text endpoints", async () => {
    server.json("GET /v2", { name: "s", version: "2", extensions: [] });
    server.json("GET /v2/models/m", { name: "m" });
    server.json("GET /v2/models/m/versions/1/config", { name: "m", max_batch_size: 8 });
    server.json("GET /v2/models/stats", { model_stats: [] });
    server.json("GET /v2/models/m/stats", { model_stats: [{ name: "m" }] });
    server.json("GET /nereid/v1/server", { pid: 7 });
    server.json("GET /nereid/v1/models", []);
    server.json("GET /nereid/v1/models/m", { name: "m" });
    server.on("GET /metrics", (response) => response.end("nv_x 1\n"));
    expect((await client.serverMetadata()).name).toBe("s");
    expect((await client.modelMetadata("m")).name).toBe("m");
    expect(await client.modelConfig("m", { version: "1" })).toEqual({ name: "m", max_batch_size: 8 });
    expect((await client.statistics()).model_stats).toEqual([]);
    expect((await client.statistics("m")).model_stats).toHaveLength(1);
    expect((await client.serverStatus()).pid).toBe(7);
    expect(await client.models()).toEqual([]);
    expect((await client.model("m")).name).toBe("m");
    expect(await client.metricsText()).toBe("nv_x 1\n");
  });
});

describe("repository", () => {
  it.each(["a b", "é", "per%cent", "<img src=x>"])(
    "loads and unloads %j, which Triton's route cannot name",
    async (name) => {
      const path = `/nereid/v1/models/${encodeURIComponent(name)}`;
      server.on(`POST ${path}/load`, (response) => response.writeHead(200, { "nereid-warnings": "%5B%5D" }).end());
      server.on(`POST ${path}/unload`, (response) => response.end());
      expect(await client.loadModel(name)).toEqual([]);
      await client.unloadModel(name, { unloadDependents: true });
      expect(server.seen.map((request) => request.path)).toEqual([`${path}/load`, `${path}/unload`]);
    },
  );

  it("lists, loads and unloads", async () => {
    const warnings = [{ code: "field-ignored", message: "ü" }];
    server.json("POST /v2/repository/index", [{ name: "m" }]);
    server.on("POST /v2/repository/models/m/load", (response) =>
      response.writeHead(200, { "nereid-warnings": encodeURIComponent(JSON.stringify(warnings)) }).end(),
    );
    server.on("POST /v2/repository/models/m/unload", (response) => response.end());
    expect(await client.repositoryIndex({ ready: true })).toEqual([{ name: "m" }]);
    const files = { "1/model.onnx": Uint8Array.of(104, 105) };
    expect(await client.loadModel("m", { config: { backend: "onnxruntime" }, files })).toEqual(warnings);
    await client.unloadModel("m", { unloadDependents: true });
    const bodies = server.seen.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies).toEqual([
      { ready: true },
      { parameters: { config: '{"backend":"onnxruntime"}', "file:1/model.onnx": "aGk=" } },
      { parameters: { unload_dependents: true } },
    ]);
    await client.unloadModel("m");
    expect(server.seen.at(-1)?.body).toHaveLength(0);
  });
});

describe("infer()", () => {
  const call = {
    id: "r",
    inputs: [
      { name: "a", datatype: "FP32", shape: [2], data: [1, 2] },
      { name: "t", datatype: "BYTES", shape: [1], data: ["hé"], json: true },
    ],
    parameters: { n: 3, x: 0.5 },
  } as const;

  it.each([true, false])("round-trips with binary outputs %s", async (binary) => {
    server.on("POST /v2/models/m/versions/1/infer", (response, { headers, body }) => {
      const headerLength = Number(headers["inference-header-content-length"]);
      const request = decodeInferRequest(body, { headerLength, modelName: "m", maxInputSize: 1e6 });
      const outputs = request.inputs.map(({ name, datatype, shape, data }) => ({
        name,
        datatype,
        shape,
        bytes: data.kind === "bytes" ? data.bytes : new Uint8Array(0),
      }));
      const message = encodeInferResponse(
        { modelName: "m", modelVersion: "1", id: request.id, parameters: request.modelParameters, outputs },
        { requested: [], binaryDataOutput: binary && request.binaryDataOutput },
      );
      const length = message.headerLength;
      response.writeHead(200, length === undefined ? {} : { "Inference-Header-Content-Length": length });
      response.end(Buffer.concat([message.json, ...message.blobs]));
    });
    const result = await client.infer("m", call, { version: "1" });
    expect(result).toMatchObject({ modelName: "m", modelVersion: "1", id: "r" });
    expect(result.parameters).toEqual(
      new Map<string, unknown>([
        ["n", 3n],
        ["x", 0.5],
      ]),
    );
    const [a, t] = result.outputs;
    expect(decodeTensorValues("FP32", a?.bytes ?? new Uint8Array(0))).toEqual(Float32Array.of(1, 2));
    expect(Buffer.compare(t?.bytes ?? new Uint8Array(0), encodeTensorValues("BYTES", ["hé"]))).toBe(0);
  });

  it("refuses values that do not fit before anything is sent", async () => {
    const inputs = [{ name: "a", datatype: "INT64", shape: [1], data: [0.5] }] as const;
    await expect(client.infer("m", { inputs })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(server.seen).toHaveLength(0);
  });
});

describe("failures", () => {
  it.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [500, "INTERNAL"],
    [501, "UNSUPPORTED"],
    [503, "UNAVAILABLE"],
    [418, "UNKNOWN"],
  ])("status %d is %s", async (status, code) => {
    server.json("GET /v2", { error: "why" }, status);
    await expect(client.serverMetadata()).rejects.toMatchObject({ code, message: "why", details: { status } });
  });

  it("takes code and fix from the body", async () => {
    server.json("GET /v2", { error: "why", code: "CONFLICT", fix: "do this" }, 400);
    await expect(client.serverMetadata()).rejects.toMatchObject({ code: "CONFLICT", fix: "do this" });
  });

  it.each([
    ["", "HTTP status 500"],
    ["<html>", "<html>"],
  ])("tolerates the error body %j", async (body, message) => {
    server.on("GET /v2", (response) => response.writeHead(500).end(body));
    await expect(client.serverMetadata()).rejects.toMatchObject({ code: "INTERNAL", message });
  });

  it("says so when the answer is not JSON", async () => {
    server.on("GET /v2", (response) => response.end("<html>"));
    await expect(client.serverMetadata()).rejects.toThrow("not JSON");
  });

  it("is UNAVAILABLE with advice when nobody listens", async () => {
    await server.close();
    await expect(client.serverLive()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("ECONNREFUSED"),
      fix: expect.stringContaining("start the server"),
    });
  });

  it("is UNAVAILABLE after the time limit and CANCELLED by the caller", async () => {
    server.on("GET /v2", () => undefined);
    await expect(client.serverMetadata({ timeoutMs: 30 })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("within 30 ms"),
    });
    const signal = AbortSignal.timeout(30);
    await expect(client.serverMetadata({ signal })).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(client.serverMetadata({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
