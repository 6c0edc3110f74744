/** Attacks below the protocol: chunks, lengths, encodings, request lines. Every one is followed by an honest request. */
import { connect, type Socket } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { residentBytes } from "../testing/processes.ts";
import { rawExchange } from "../testing/raw-exchange.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { identity } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const MIB = 1 << 20;
/** Growth that counts as bounded. */
const BOUND = 64 * MIB;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [identity("m")], args: ["--allow-client-shm=true"] });
});
afterAll(() => server.dispose());
afterEach(async () => {
  expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[1.5, 2]])))).toEqual([1.5, 2]);
});

const POST_ROUTES = [
  "/v2/models/m/infer",
  "/v2/models/m/versions/1/infer",
  "/v2/models/m/generate",
  "/v2/models/m/generate_stream",
  "/v2/repository/index",
  "/v2/repository/models/m/load",
  "/v2/repository/models/nobody/unload",
  "/v2/systemsharedmemory/region/r/register",
  "/v2/cudasharedmemory/region/r/register",
  "/v2/trace/setting",
  "/v2/models/m/trace/setting",
  "/v2/logging",
  "/nereid/v1/models/m/config/check",
];
const GET_ROUTES = [
  "/v2",
  "/v2/health/live",
  "/v2/health/ready",
  "/v2/models/m",
  "/v2/models/m/ready",
  "/v2/models/m/config",
  "/v2/models/m/stats",
  "/v2/models/stats",
  "/v2/systemsharedmemory/status",
  "/v2/cudasharedmemory/region/r/status",
  "/nereid/v1/server",
  "/nereid/v1/models",
];

const head = (path: string, lines: readonly string[], method = "POST") =>
  `${[`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...lines].join("\r\n")}\r\n\r\n`;

describe("a body in very many chunks", () => {
  it.each(POST_ROUTES)("of one byte is refused by POST %s, and the connection closed", async (path) => {
    const answer = await rawExchange(server.api.url, [
      head(path, ["Transfer-Encoding: chunked"]),
      "1\r\n \r\n".repeat(70_000),
      "0\r\n\r\n",
    ]);
    expect([400, 413, 501]).toContain(answer.status);
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it("a million of them, by four clients at once, take no memory to speak of", async () => {
    const before = residentBytes(server.pid);
    const block = "1\r\n \r\n".repeat(10_000);
    const pieces = [head(POST_ROUTES[0] ?? "", ["Transfer-Encoding: chunked"]), ...new Array<string>(100).fill(block)];
    const answers = await Promise.all([1, 2, 3, 4].map(() => rawExchange(server.api.url, pieces)));
    for (const { status } of answers) expect(status).toBe(400);
    await waitUntil("memory is given back", () => residentBytes(server.pid) - before < BOUND);
  });
});

describe("a length that lies", () => {
  const json = JSON.stringify({ inputs: floats("INPUT_FP32", [[7]]) });
  it.each([
    ["2^63", ["Content-Length: 9223372036854775808"]],
    ["2^64", ["Content-Length: 18446744073709551616"]],
    ["with a sign", ["Content-Length: +5"]],
    ["hexadecimal", ["Content-Length: 0x5"]],
    ["a list", ["Content-Length: 5, 5"]],
    ["with a blank inside", ["Content-Length: 5 5"]],
    ["and chunks in another case", ["Content-Length: 5", "transfer-ENCODING: CHUNKED"]],
    ["chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]],
    ["an unknown transfer coding", ["Transfer-Encoding: xchunked"]],
    ["a folded header", ["Transfer-Encoding:\r\n chunked", "Content-Length: 5"]],
    ["a blank before the colon", ["Transfer-Encoding : chunked", "Content-Length: 5"]],
    ["a vertical tab in the coding", ["Transfer-Encoding: \x0bchunked", "Content-Length: 5"]],
  ])("(%s) is answered 4xx once; what follows is not taken for a request", async (_, lines) => {
    const smuggled = head("/v2/repository/models/m/unload", ["Content-Length: 0"]);
    const answer = await rawExchange(server.api.url, [head("/v2/models/m/infer", lines), `0\r\n\r\n${smuggled}`]);
    expect([400, 413, 501]).toContain(answer.status);
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it("too short: the rest is refused as the next request", async () => {
    const answer = await rawExchange(server.api.url, [
      head("/v2/models/m/infer", [`Content-Length: ${json.length - 5}`]),
      json,
    ]);
    expect(answer.text).not.toContain("200 OK");
    expect(answer.text).toContain("400 Bad Request");
  });

  it("too long: nothing is executed, and a client that ends is answered or dropped", async () => {
    const before = (await server.api.statistics("m")).inference_count;
    const { hostname, port } = server.api.url;
    await new Promise<void>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve());
      socket.resume();
      socket.end(head("/v2/models/m/infer", [`Content-Length: ${json.length + 5}`]) + json);
    });
    expect((await server.api.statistics("m")).inference_count).toBe(before);
  });
});

describe("a compressed body", () => {
  const infer = (body: Uint8Array, encoding: string) =>
    server.api.post("/v2/models/m/infer", body, { headers: { "content-encoding": encoding } });
  const json = Buffer.from(JSON.stringify({ inputs: floats("INPUT_FP32", [[7]]) }));
  const bomb = Buffer.alloc(256 * MIB, " ");

  it.each([
    ["gzip", gzipSync(bomb)],
    ["deflate", deflateSync(bomb)],
    ["gzip", Buffer.concat(new Array<Buffer>(5).fill(gzipSync(bomb.subarray(0, 60 * MIB))))],
  ])("of %s that unpacks to a thousand times its size is refused at the limit", async (encoding, body) => {
    const before = residentBytes(server.pid);
    const reply = await infer(body, encoding);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("Decompressed data size exceeds the maximum allowed value of 67108864 bytes");
    await waitUntil("memory is given back", () => residentBytes(server.pid) - before < 2 * BOUND);
  });

  it.each([
    ["cut off", gzipSync(json).subarray(0, -9), "gzip", 400],
    ["empty", Buffer.alloc(0), "gzip", 400],
    ["packed twice", gzipSync(gzipSync(json)), "gzip", 500],
    ["of a list of codings", gzipSync(json), "gzip, gzip", 501],
    ["of another coding", json, "br", 501],
    ["of a coding in another case", gzipSync(json), "GZIP", 501],
  ])("%s is answered %#", async (_, body, encoding, status) => {
    const reply = await infer(body, encoding);
    expect(reply.status).toBe(status);
    if (status === 501) {
      expect(errorOf(reply)).toBe("Unsupported compression type");
      expect(reply.headers["accept-encoding"]).toBe("gzip, deflate");
    }
  });
});

describe("a request line", () => {
  it.each([
    "/v2//models/m",
    "//v2/models/m",
    "/v2/./models/m",
    "/v2/models/../health/ready",
    "/v2/%2e%2e/health/ready",
    "/v2%2fhealth%2fready",
    "/v2/models/m/",
    "/v2/",
    "/V2",
    "/v2/health/ready%00",
    "/v2/health/ready\\",
    "/v2/models/m%c0%ae%c0%ae/ready",
    "/v2/models/%ff%fe/ready",
    "/v2/models/m/versions/1x/ready",
    "/v2/models/m/versions/-1",
    "/v2/models/m/versions/1/trace/setting",
    "/v2/models/m/unknown",
    "/v2/repository/models/m",
    `/v2/models/${"a".repeat(8000)}/ready`,
    "/nereid/v1/../../v2/repository/index",
    "/nereid/v1/models/%2e%2e/load",
  ])("with %s is answered 400, 404 or 405", async (path) => {
    const { status } = await rawExchange(server.api.url, [head(path, ["Connection: close"], "GET")]);
    expect([400, 404, 405]).toContain(status);
  });

  it.each([
    ["a NUL", "GET /v2\0 HTTP/1.1"],
    ["a line break", "GET /v2\n/x HTTP/1.1"],
    ["a carriage return", "GET /v2\rX: y HTTP/1.1"],
    ["blanks", "GET /v2 /v2 HTTP/1.1"],
    ["another version", "GET /v2 HTTP/9.9"],
    ["another protocol", "GET /v2 SIP/2.0"],
    ["an encoded line break", "GET /v2/models/a%0d%0aX:%20y/ready HTTP/1.1"],
    ["bytes above ASCII", "GET /v2/models/\u00ff/ready HTTP/1.1"],
  ])("with %s is answered 4xx or closed", async (_, line) => {
    const { status, text } = await rawExchange(server.api.url, [
      Buffer.from(`${line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`, "latin1"),
    ]);
    expect(text === "" || (status >= 400 && status < 500)).toBe(true);
    expect(text).not.toMatch(/^X: y/m);
  });

  it("with 2,000 headers is answered, with 100 kB of them refused", async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `a${at % 10}:b`);
    expect([200, 400, 431]).toContain(
      (await rawExchange(server.api.url, [head("/v2", [...many, "Connection: close"], "GET")])).status,
    );
    const large = Array.from({ length: 100 }, (_, at) => `x-${at}: ${"y".repeat(1000)}`);
    expect((await rawExchange(server.api.url, [head("/v2", large, "GET")])).status).toBe(431);
  });

  it("with every method on every route is answered as the route says", async () => {
    const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "LOCK", "PURGE"];
    for (const path of [...POST_ROUTES, ...GET_ROUTES]) {
      for (const method of methods) {
        const served =
          (POST_ROUTES.includes(path) && method === "POST") ||
          (GET_ROUTES.includes(path) && method === "GET") ||
          (/trace\/setting|logging/.test(path) && method === "GET");
        if (served) continue;
        const reply = await server.api.call(path, { method });
        expect([path, method, reply.status]).toEqual([path, method, 405]);
      }
    }
  });

  it("mutated a thousand times crashes nothing and answers no 5xx but Triton's", async () => {
    const random = generator(20_260_101);
    const routes = [...POST_ROUTES.map((path) => ["POST", path]), ...GET_ROUTES.map((path) => ["GET", path])];
    const before = residentBytes(server.pid);
    for (let round = 0; round < 50; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => {
          const [method = "", path = ""] = routes[random() % routes.length] ?? [];
          const request = Buffer.from(
            `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
          );
          for (let flips = 1 + (random() % 4); flips > 0; flips -= 1)
            request[random() % request.length] = random() % 256;
          return answerOrSilence(request);
        }),
      );
      for (const text of answers) {
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
        const jsonError = /"error":"(?:failed to parse|Unable to parse)/.test(text);
        if (status >= 500 && !jsonError)
          expect([text, status]).toEqual([text, expect.toSatisfy((s) => s === 501 || s === 503)]);
      }
    }
    await waitUntil("memory is given back", () => residentBytes(server.pid) - before < BOUND);
  });
});

describe("a thousand idle connections", () => {
  it("and as many that send half a header do not hold up an inference", async () => {
    const { hostname, port } = server.api.url;
    const sockets: Socket[] = [];
    const open = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, () => resolve()));
        socket.on("error", reject);
        sockets.push(socket);
      });
    const before = residentBytes(server.pid);
    try {
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(Array.from({ length: 50 }, () => open("")));
        await Promise.all(Array.from({ length: 50 }, () => open("POST /v2/models/m/infer HTTP/1.1\r\nHo")));
      }
      expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[3]])))).toEqual([3]);
      expect(residentBytes(server.pid) - before).toBeLessThan(2 * BOUND);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

/** Numbers that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

/** What the server says to a request that may never be whole: what it said once the client has nothing to add. */
function answerOrSilence(request: Uint8Array): Promise<string> {
  const { hostname, port } = server.api.url;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: false });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.end(request);
  });
}
