import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { rawExchange } from "../testing/raw-exchange.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { identity } from "../testing/test-model.ts";

const INFER = "/v2/models/m/infer";
const LIMIT = 1 << 20;
const head = (lines: readonly string[], request = `POST ${INFER} HTTP/1.1`) =>
  `${[request, "Host: 127.0.0.1", ...lines].join("\r\n")}\r\n\r\n`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [identity("m")], args: [`--http-max-input-size=${LIMIT}`] });
});
afterAll(() => server.dispose());
afterEach(async () => {
  // Whatever was sent, the next honest client is served.
  expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[1.5, 2]])))).toEqual([1.5, 2]);
});

describe("a request that is not HTTP as agreed", () => {
  it.each([
    ["a negative length", head(["Content-Length: -1"])],
    ["a length that is no number", head(["Content-Length: many"])],
    ["two lengths", head(["Content-Length: 3", "Content-Length: 5"])],
    ["a length and chunks", head(["Content-Length: 3", "Transfer-Encoding: chunked"])],
    ["a chunk size that is no number", `${head(["Transfer-Encoding: chunked"])}zz\r\nabc\r\n`],
    ["no request line", "\r\n\r\n\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
    ["no host", `GET /v2 HTTP/1.1\r\n\r\n`],
    ["a header with a NUL", head(["X: a\0b", "Content-Length: 0"])],
  ])("(%s) is answered 400 and the connection closed", async (_, bytes) => {
    expect((await rawExchange(server.api.url, [bytes])).status).toBe(400);
  });

  it("with 100 kB of headers is refused", async () => {
    const answer = await rawExchange(server.api.url, [head([`X: ${"a".repeat(100_000)}`])]);
    expect([400, 431]).toContain(answer.status);
  });

  it("that ends before its body is dropped without harm", async () => {
    const { api } = server;
    const before = (await api.statistics("m")).inference_stats.fail.count;
    await new Promise<void>((resolve) => {
      const client = new AbortController();
      void api
        .call(INFER, { method: "POST", headers: { "content-length": "1000" }, body: "{", signal: client.signal })
        .catch(() => resolve());
      client.abort();
    });
    expect((await api.statistics("m")).inference_stats.fail.count).toBe(before);
  });
});

describe("Inference-Header-Content-Length", () => {
  it.each([
    ["beyond the body", "100", "inference header size should be in range (0, 2), got: 100"],
    ["negative", "-1", "inference header size should be in range (0, 2), got: -1"],
    ["of many digits", "9".repeat(40), `inference header size should be in range (0, 2), got: ${"9".repeat(40)}`],
    ["no number", "two", "Unable to parse Inference-Header-Content-Length, got: two"],
    ["hexadecimal", "0x2", "Unable to parse Inference-Header-Content-Length, got: 0x2"],
  ])("%s is answered 400", async (_, value, text) => {
    const reply = await server.api.post(INFER, "{}", { headers: { "Inference-Header-Content-Length": value } });
    expect([reply.status, errorOf(reply)]).toEqual([400, text]);
  });
});

describe("a body", () => {
  it("in 70,000 chunks is answered 400 and the connection closed", async () => {
    const pieces = [head(["Transfer-Encoding: chunked"]), "1\r\n \r\n".repeat(70_000), "0\r\n\r\n"];
    const answer = await rawExchange(server.api.url, pieces);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Chunked request body exceeds maximum of 65536 non-empty chunks.");
  });

  it("in 60,000 chunks is read", async () => {
    const json = JSON.stringify({ inputs: floats("INPUT_FP32", [[7]]) });
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const pieces = [
      head(["Transfer-Encoding: chunked", "Connection: close"]),
      chunk(" ").repeat(60_000),
      chunk(json),
      "0\r\n\r\n",
    ];
    const answer = await rawExchange(server.api.url, pieces);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("7.0");
  });

  it("that unpacks to more than the limit is answered 400", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * LIMIT, " "));
    expect(bomb.byteLength).toBeLessThan(LIMIT);
    const reply = await server.api.post(INFER, bomb, { headers: { "content-encoding": "gzip" } });
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      `Decompressed data size exceeds the maximum allowed value of ${LIMIT} bytes. Use --http-max-input-size to increase the limit.`,
    ]);
  });

  it("that says it is gzip and is not is answered 400", async () => {
    const reply = await server.api.post(INFER, "not gzip", { headers: { "content-encoding": "gzip" } });
    expect(reply.status).toBe(400);
  });

  it("of JSON over the limit is answered 400 with the option that raises it", async () => {
    const reply = await server.api.post(INFER, " ".repeat(LIMIT + 1));
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      `request JSON size of ${LIMIT + 1} bytes exceeds the maximum allowed input size of ${LIMIT} bytes. Use --http-max-input-size to increase the limit.`,
    ]);
  });

  it("that announces more than any body may have is refused before it is sent", async () => {
    const answer = await rawExchange(server.api.url, [head([`Content-Length: ${2 ** 40}`])]);
    expect([400, 413]).toContain(answer.status);
  });

  it("nested 100,000 deep is answered, not crashed on", async () => {
    const deep = `{"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":[1,1],"data":${"[".repeat(100_000)}1${"]".repeat(100_000)}}]}`;
    const reply = await server.api.post(INFER, deep);
    expect([reply.status, errorOf(reply)]).toEqual([400, "JSON nesting depth exceeds maximum allowed limit (100)"]);
    const unknown = await server.api.post(INFER, `{"x":${"[".repeat(200_000)}`);
    expect(unknown.status).toBeGreaterThanOrEqual(400);
  });

  it("that claims a tensor of 2^62 elements is answered without being believed", async () => {
    const shape = [2 ** 31, 2 ** 31];
    const inputs = [{ name: "INPUT_FP32", datatype: "FP32", shape, parameters: { binary_data_size: 4 } }];
    const json = JSON.stringify({ inputs });
    const reply = await server.api.post(INFER, `${json}abcd`, {
      headers: { "Inference-Header-Content-Length": String(json.length) },
    });
    expect(reply.status).toBe(400);
  });
});

describe("a method", () => {
  it.each([
    ["GET", INFER],
    ["PUT", INFER],
    ["DELETE", "/v2/models/m"],
    ["POST", "/v2"],
    ["POST", "/v2/health/ready"],
    ["GET", "/v2/repository/index"],
    ["GET", "/v2/repository/models/m/unload"],
    ["POST", "/nereid/v1/models"],
  ])("%s %s is answered 405", async (method, path) => {
    const reply = await server.api.call(path, { method });
    expect([reply.status, errorOf(reply)]).toEqual([405, "Method Not Allowed"]);
  });

  it("nobody knows is answered 400 or 405", async () => {
    const answer = await rawExchange(server.api.url, [head(["Connection: close"], "BREW /v2 HTTP/1.1")]);
    expect([400, 405]).toContain(answer.status);
  });
});

describe("the metrics port", () => {
  it("answers /metrics, an empty 200 elsewhere and 405 to other methods", async () => {
    const metrics = await fetch(server.metricsUrl);
    expect(metrics.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await metrics.text()).toMatch(/^nv_inference_request_success\{model="m",version="1"\} \d+$/m);
    const elsewhere = await fetch(new URL("/other", server.metricsUrl));
    expect([elsewhere.status, await elsewhere.text()]).toEqual([200, ""]);
    expect((await fetch(server.metricsUrl, { method: "POST" })).status).toBe(405);
  });
});
