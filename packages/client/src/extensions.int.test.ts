import { gunzipSync, inflateSync } from "node:zlib";
import { decodeInferRequest, encodeInferResponse, encodeTensorValues } from "@nereid/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { NereidClient, outputValues, tensor } from "./index.ts";

let server: FakeServer;
let baseUrl: string;
let client: NereidClient;

beforeEach(async () => {
  server = new FakeServer();
  baseUrl = await server.listen();
  client = new NereidClient({ baseUrl });
});

afterEach(() => server.close());

describe("generate", () => {
  it("sends inputs by name and gives the flat answer", async () => {
    server.json("POST /v2/models/m/generate", { model_name: "m", model_version: "1", Y: [1, 2] });
    expect(await client.generate("m", { X: [1, 2], top: 3 })).toEqual({
      model_name: "m",
      model_version: "1",
      Y: [1, 2],
    });
    expect(JSON.parse(server.seen[0]?.body.toString() ?? "")).toEqual({ X: [1, 2], top: 3 });
  });

  it("streams answers however they are cut, and throws an error that comes as an event", async () => {
    server.on("POST /v2/models/m/generate_stream", (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"model_name":"m","Y":"é');
      response.write('"}\n\ndata: {"model_name":"m","Y":2}\n\n');
      response.end('data: {"error":"the model gave up"}\n\n');
    });
    const seen: unknown[] = [];
    const all = async () => {
      for await (const { Y } of client.generateStream("m", { X: 1 })) seen.push(Y);
    };
    await expect(all()).rejects.toMatchObject({ code: "UNKNOWN", message: "the model gave up" });
    expect(seen).toEqual(["é", 2]);
  });

  it("reads an error that is the first event of a stream", async () => {
    server.on("POST /v2/models/m/generate_stream", (response) =>
      response.writeHead(503, { "content-type": "text/event-stream" }).end('data: {"error":"queue is full"}\n\n'),
    );
    await expect(client.generateStream("m", {}).next()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "queue is full",
    });
  });

  it("cancels the request when the loop is left", async () => {
    let gone = () => {};
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    server.on("POST /v2/models/m/generate_stream", (response) => {
      response.once("close", gone);
      response.writeHead(200).write('data: {"n":1}\n\n');
    });
    for await (const { n } of client.generateStream("m", {})) {
      expect(n).toBe(1);
      break;
    }
    await closed;
  });
});

describe("settings and shared memory", () => {
  it("speaks the routes of the extensions", async () => {
    server.json("GET /v2/trace/setting", { trace_rate: "1000" });
    server.json("POST /v2/models/a%20b/trace/setting", { trace_rate: "1" });
    server.json("GET /v2/logging", { log_info: true });
    server.json("POST /v2/logging", { log_info: false });
    server.on("POST /v2/systemsharedmemory/region/r/register", (response) => response.end());
    server.on("POST /v2/systemsharedmemory/unregister", (response) => response.end());
    server.json("GET /v2/systemsharedmemory/region/r/status", [{ name: "r", key: "/k", offset: 0, byte_size: 8 }]);
    expect(await client.traceSettings()).toEqual({ trace_rate: "1000" });
    expect(await client.updateTraceSettings({ trace_rate: "1" }, "a b")).toEqual({ trace_rate: "1" });
    expect((await client.logSettings()).log_info).toBe(true);
    expect((await client.updateLogSettings({ log_info: false })).log_info).toBe(false);
    await client.registerSystemSharedMemory({ name: "r", key: "/k", byteSize: 8 });
    await client.unregisterSystemSharedMemory();
    expect(await client.systemSharedMemoryStatus("r")).toHaveLength(1);
    const register = server.seen.find(({ path }) => path.endsWith("register"));
    expect(JSON.parse(register?.body.toString() ?? "")).toEqual({ key: "/k", offset: 0, byte_size: 8 });
  });

  it("refers to windows instead of sending bytes", async () => {
    server.on("POST /v2/models/m/infer", (response, { body }) => {
      const { inputs, outputs } = decodeInferRequest(body, {
        headerLength: undefined,
        modelName: "m",
        maxInputSize: 1e6,
      });
      expect(inputs[0]?.data).toEqual({ kind: "shm", region: "r", offset: 16, byteSize: 8 });
      expect(outputs[0]?.shm).toEqual({ region: "r", offset: 0, byteSize: 8 });
      response.end('{"model_name":"m","model_version":"1","outputs":[{"name":"Y","datatype":"FP32","shape":[2]}]}');
    });
    const window = { region: "r", offset: 16, byteSize: 8 };
    const answer = await client.infer("m", {
      inputs: [{ name: "X", datatype: "FP32", shape: [2], sharedMemory: window }],
      outputs: [{ name: "Y", sharedMemory: { ...window, offset: 0 } }],
    });
    expect(answer.outputs[0]?.shape).toEqual([2]);
  });
});

describe("inference", () => {
  const answer = (bytes: Uint8Array) =>
    encodeInferResponse(
      {
        modelName: "m",
        modelVersion: "1",
        id: "",
        outputs: [{ name: "Y", datatype: "INT32", shape: [2], bytes }],
      },
      { requested: [], binaryDataOutput: true },
    );

  it.each([
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
  ] as const)("packs the request with %s and asks for plain answers unless told", async (compression, unpack) => {
    const message = answer(encodeTensorValues("INT32", [3, 4]));
    server.on("POST /v2/models/m/infer", (response, { headers, body }) => {
      expect(headers["content-encoding"]).toBe(compression);
      expect(headers["accept-encoding"]).toBe("identity");
      expect(unpack(body).toString("latin1")).toContain('"X"');
      response.setHeader("inference-header-content-length", String(message.headerLength));
      response.end(Buffer.concat([message.json, ...message.blobs]));
    });
    const input = tensor({ name: "X", datatype: "INT32", shape: [2], data: [1, 2] });
    const said = await client.infer("m", { inputs: [input] }, { requestCompression: compression });
    expect(outputValues(said, "Y", "INT32")).toEqual(Int32Array.of(3, 4));
    expect(() => outputValues(said, "Y", "FP32")).toThrow("output 'Y' is INT32, not FP32");
    expect(() => outputValues(said, "Z", "INT32")).toThrow("the answer has no output 'Z'; it has 'Y'");
  });
});

describe("retries", () => {
  it("repeats what changes nothing until it is answered", async () => {
    const patient = new NereidClient({ baseUrl, retries: 2 });
    let asked = 0;
    server.on("GET /v2", (response) => {
      asked += 1;
      if (asked < 3) response.destroy();
      else response.end('{"name":"s"}');
    });
    expect((await patient.serverMetadata()).name).toBe("s");
    expect(asked).toBe(3);
  });

  it("never repeats an inference that may have reached the server", async () => {
    const patient = new NereidClient({ baseUrl, retries: 5 });
    let asked = 0;
    server.on("POST /v2/models/m/infer", (response) => {
      asked += 1;
      response.destroy();
    });
    await expect(patient.infer("m", { inputs: [] })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(asked).toBe(1);
  });

  it("repeats any call whose connection was refused", async () => {
    await server.close();
    let tries = 0;
    const patient = new NereidClient({
      baseUrl,
      retries: 2,
      fetch: (...args) => {
        tries += 1;
        return fetch(...args);
      },
    });
    await expect(patient.infer("m", { inputs: [] })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(tries).toBe(3);
  });
});
