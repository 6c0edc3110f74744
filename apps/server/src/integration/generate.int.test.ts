import { readdirSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { identityModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawExchange } from "../testing/raw-exchange.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse } from "../testing/test-api.ts";
import { identity, slowEcho, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const types = (name: string, config: string): TestModel => ({
  name,
  files: {
    "config.pbtxt": `backend: "onnxruntime"\n${config}\n`,
    "1/model.onnx": identityModel([
      ["STRING", "BYTES"],
      ["FLOAT", "FP32"],
    ]),
  },
});
const half: TestModel = {
  name: "half",
  files: {
    "config.pbtxt": 'backend: "onnxruntime"\nmax_batch_size: 4\n',
    "1/model.onnx": identityModel([["FLOAT16", "FP16"]]),
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      types("echo", "max_batch_size: 4"),
      identity("m"),
      identity("decoupled", "model_transaction_policy { decoupled: true }"),
      slowEcho("slow", ""),
      half,
    ],
  });
});
afterAll(() => server.dispose());

/** Sockets a process has open. */
function socketsOf(pid: number): number {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory).filter((fd) => {
    try {
      return readlinkSync(`${directory}/${fd}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;
}

const generate = (model: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  server.api.post(`/v2/models/${model}/generate`, body, headers === undefined ? {} : { headers });
const stream = (model: string, body: unknown) => server.api.post(`/v2/models/${model}/generate_stream`, body);

describe("generate", () => {
  it("maps keys to inputs and outputs to keys, in byte order", async () => {
    const reply = await generate("echo", { id: "a1", INPUT_BYTES: "hi", INPUT_FP32: 0.5, temperature: 1 });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(
      '{"OUTPUT_BYTES":"hi","OUTPUT_FP32":0.5,"id":"a1","model_name":"echo","model_version":"1"}',
    );
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.headers["transfer-encoding"]).toBe("chunked");
  });

  it("infers shapes, takes nested parameters and answers flat arrays", async () => {
    const reply = await generate("echo", { INPUT_BYTES: ["a", "b"], parameters: { INPUT_FP32: [1, 2], top_k: 5 } });
    expect(parse(reply)).toEqual({
      OUTPUT_BYTES: ["a", "b"],
      OUTPUT_FP32: [1, 2],
      model_name: "echo",
      model_version: "1",
    });
  });

  it("serves a version, and decoupled models that infer refuses", async () => {
    const body = { INPUT_FP32: [3, 4] };
    expect(parse(await generate("m/versions/1", body))).toMatchObject({ OUTPUT_FP32: [3, 4], model_version: "1" });
    expect(parse(await generate("decoupled", body))).toMatchObject({ OUTPUT_FP32: [3, 4] });
    expect((await stream("decoupled", body)).text).toMatch(/^data: \{"OUTPUT_FP32":\[3\.0,4\.0\],.*\}\n\n$/);
    const infer = await server.api.infer("decoupled", floats("INPUT_FP32", [[1]]));
    expect([infer.status, errorOf(infer)]).toEqual([
      501,
      "HTTP end point doesn't support models with decoupled transaction policy",
    ]);
  });

  it("does not compress the answer", async () => {
    const reply = await generate("m", { INPUT_FP32: 1 }, { "accept-encoding": "gzip" });
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(parse(reply)).toMatchObject({ OUTPUT_FP32: 1 });
  });

  it.each([
    ["an unknown model", "nobody", "{}", 404, "Request for unknown model: 'nobody' is not found"],
    ["an unknown version", "m/versions/9", "{}", 404, "Request for unknown model: 'm' version 9 is not found"],
    ["wrong JSON", "m", "{", 500, "failed to parse the request JSON buffer"],
    ["an empty body", "m", "", 500, "failed to parse the request JSON buffer"],
    ["a missing input", "m", "{}", 400, "[request id: <id_unknown>] expected 1 inputs but got 0 inputs for model 'm'."],
    [
      "an input twice",
      "m",
      '{"INPUT_FP32":1,"parameters":{"INPUT_FP32":1}}',
      400,
      "input 'INPUT_FP32' already exists in request",
    ],
    [
      "a list as parameter",
      "m",
      '{"INPUT_FP32":1,"x":[1]}',
      400,
      "parameter 'x' has invalid type. It should be either 'int', 'bool', or 'string'.",
    ],
    [
      "parameters that are no object",
      "m",
      '{"parameters":1}',
      500,
      "Expected JSON object for keyword: 'parameters': attempt",
    ],
    ["half-precision input", "half", '{"INPUT_FP16":1}', 400, "receiving FP16 data via JSON is not supported."],
  ])("answers %s with plain JSON, streamed or not", async (_, model, body, status, text) => {
    for (const call of [generate, stream]) {
      const reply = await call(model, body);
      expect(reply.status).toBe(status);
      expect(errorOf(reply)).toContain(text);
      expect(reply.headers["content-type"]).toBe("application/json");
    }
  });

  it("takes no compressed body and only POST", async () => {
    const reply = await generate("m", "{}", { "content-encoding": "gzip" });
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      "Unsupported content-encoding, only 'identity' is supported.",
    ]);
    expect((await generate("m", { INPUT_FP32: 1 }, { "content-encoding": "identity" })).status).toBe(200);
    expect((await server.api.call("/v2/models/m/generate")).status).toBe(405);
    expect((await server.api.call("/v2/models/m/generate_stream")).status).toBe(405);
  });
});

describe("generate_stream", () => {
  it("answers server-sent events", async () => {
    const good = await stream("echo", { INPUT_BYTES: ["two\nlines", "é"], INPUT_FP32: [1, 2.5] });
    expect(good.status).toBe(200);
    expect(good.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(good.text).toBe(
      'data: {"OUTPUT_BYTES":["two\\nlines","é"],"OUTPUT_FP32":[1.0,2.5],"model_name":"echo","model_version":"1"}\n\n',
    );
  });

  it("tells a failure of the model as an event with its status", async () => {
    const { api } = server;
    const pid = await api.runnerPid("slow");
    process.kill(pid, "SIGSTOP");
    const failing = stream("slow", { TURNS: 1 });
    const plain = generate("slow", { TURNS: 1 });
    await waitUntil("both are there", async () => ((await api.model("slow")).versions[0]?.pending ?? 0) > 0);
    process.kill(pid, "SIGKILL");
    const reply = await failing;
    expect(reply.status).toBe(503);
    expect(reply.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(reply.text).toMatch(/^data: \{"error":".+"\}\n\n$/);
    // What waited in the queue is executed by the next runner.
    expect((await plain).status).toBe(200);
    await waitUntil("the model is ready again", () => api.ready("slow"));
  });
});

describe("a client that leaves", () => {
  it.each(["generate", "generate_stream"])("takes its request of %s out of the queue", async (action) => {
    const { api } = server;
    const pid = await api.runnerPid("slow");
    process.kill(pid, "SIGSTOP");
    try {
      const held = generate("slow", { TURNS: 1 });
      await waitUntil("one executes", async () => (await api.model("slow")).versions[0]?.instances[0]?.busy);
      const leaving = new AbortController();
      const left = api.post(`/v2/models/slow/${action}`, { TURNS: 2 }, { signal: leaving.signal }).catch(() => "left");
      const pending = async () => (await api.model("slow")).versions[0]?.pending;
      await waitUntil("the other waits", async () => (await pending()) === 1);
      leaving.abort();
      expect(await left).toBe("left");
      await waitUntil("it is gone", async () => (await pending()) === 0);
      process.kill(pid, "SIGCONT");
      expect((await held).status).toBe(200);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  it("in the middle of an answer leaves nothing behind", async () => {
    const body = JSON.stringify({ INPUT_FP32: Array.from({ length: 200_000 }, (_, at) => at / 3) });
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise<void>((resolve) => {
        const { hostname, port } = server.api.url;
        const outgoing = request(
          { hostname, port, path: "/v2/models/m/generate_stream", method: "POST" },
          (response) => {
            response.once("data", () => response.destroy());
            response.once("close", () => resolve());
          },
        );
        outgoing.end(body);
      });
    }
    expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[7]])))).toEqual([7]);
  });

  it("or reads nothing of a large stream is dropped, and others are served meanwhile", async () => {
    const { hostname, port } = server.api.url;
    const body = JSON.stringify({ INPUT_FP32: Array.from({ length: 1_000_000 }, (_, at) => at / 3) });
    const socket = connect({ host: hostname, port: Number(port) });
    let closed = false;
    socket.on("close", () => {
      closed = true;
    });
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      `POST /v2/models/m/generate_stream HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    const served = (await server.api.statistics("m")).inference_count;
    await waitUntil("it was executed", async () => (await server.api.statistics("m")).inference_count > served);
    expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[7]])))).toEqual([7]);
    const before = socketsOf(server.pid);
    await waitUntil("the server let go of it", () => closed || socketsOf(server.pid) < before, 60_000);
    socket.destroy();
  });
});

describe("over one connection", () => {
  it("answers follow each other", async () => {
    const body = '{"INPUT_FP32":1}';
    const post = (action: string, last = "") =>
      `POST /v2/models/m/${action} HTTP/1.1\r\nHost: 127.0.0.1\r\n${last}Content-Length: ${body.length}\r\n\r\n${body}`;
    const { text } = await rawExchange(server.api.url, [
      post("generate") + post("generate_stream") + post("generate", "Connection: close\r\n"),
    ]);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(text).toContain('data: {"OUTPUT_FP32":1.0');
  });
});
