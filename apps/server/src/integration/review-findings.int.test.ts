/** Defects that an attack on the product found, each with the test that keeps it away. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawExchange } from "../testing/raw-exchange.ts";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { identity, offset, writeModel } from "../testing/test-model.ts";

let server: TestServer;
let state: string;

beforeAll(async () => {
  state = mkdtempSync("/tmp/nst-state-");
  server = await startTestServer({ models: [identity("m"), offset("other", 1)], args: [`--state-dir=${state}`] });
});

afterAll(async () => {
  await server.dispose();
  rmSync(state, { recursive: true, force: true });
});

const post = (path: string, body = "") => server.api.call(path, { method: "POST", body });

describe("a model file named by the configuration", () => {
  it.each(["../../other/1/model.onnx", "../../../../../../etc/passwd", "/etc/passwd", "."])(
    "may not lie outside its version directory: %s",
    async (name) => {
      const config = JSON.stringify({ backend: "onnxruntime", max_batch_size: 64, default_model_filename: name });
      const reply = await post("/v2/repository/models/m/load", JSON.stringify({ parameters: { config } }));
      expect(reply.status).toBe(400);
      expect(errorOf(reply)).toContain("default_model_filename must name a file inside the version directory");
      expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[1]])))).toEqual([1]);
    },
  );
});

describe("an output asked for in shared memory", () => {
  it("that is not registered is refused instead of left out", async () => {
    const request = {
      inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [1, 1], data: [1] }],
      outputs: [{ name: "OUTPUT_FP32", parameters: { shared_memory_region: "x", shared_memory_byte_size: 4 } }],
    };
    const reply = await post("/v2/models/m/infer", JSON.stringify(request));
    expect(reply.status).toBe(404);
    expect(errorOf(reply)).toBe("Unable to find shared memory region: 'x'");
  });
});

describe("a model name that needs percent-encoding", () => {
  it.each(["per%cent", "a b", "é", "<img src=x>"])(
    "can be loaded and unloaded by the management API: %s",
    async (name) => {
      writeModel(server.repository, { ...offset("", 4), name });
      const path = `/nereid/v1/models/${encodeURIComponent(name)}`;
      expect((await post(`${path}/load`)).status).toBe(200);
      expect((await server.api.index()).find((row) => row.name === name)).toMatchObject({ state: "READY" });
      expect((await post(`${path}/unload`)).status).toBe(200);
      expect((await server.api.index()).find((row) => row.name === name)?.state).not.toBe("READY");
    },
  );

  it("is refused with a text when it is not encoded rightly", async () => {
    const reply = await server.api.call("/nereid/v1/models/%ff");
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("percent-encoded");
  });
});

describe("the journal of wanted models", () => {
  it("remembers no names that nobody knows", async () => {
    for (let number = 0; number < 20; number++)
      expect((await post(`/v2/repository/models/nobody-${number}/unload`)).status).toBe(200);
    await post("/v2/repository/models/other/unload");
    const journal = readFileSync(join(state, "desired-models.json"), "utf8");
    expect(journal).toContain("other");
    expect(journal).not.toContain("nobody");
    await post("/v2/repository/models/other/load");
  });

  it("that cannot be written makes a warning, not a failure of what was done", async () => {
    rmSync(state, { recursive: true });
    const reply = await post("/v2/repository/models/other/unload");
    expect(reply.status).toBe(200);
    expect(decodeURIComponent(reply.headers["nereid-warnings"]?.toString() ?? "")).toContain("could not be remembered");
    mkdirSync(state);
    expect((await post("/v2/repository/models/other/load")).status).toBe(200);
    expect(existsSync(join(state, "desired-models.json"))).toBe(true);
  });
});

describe("an answer of millions of numbers as JSON", () => {
  it("lets small requests through while it is written, and no runner is taken for dead", async () => {
    const elements = 2 << 20;
    const header = JSON.stringify({
      inputs: [
        { name: "INPUT_FP32", datatype: "FP32", shape: [1, elements], parameters: { binary_data_size: elements * 4 } },
      ],
    });
    const body = Buffer.concat([Buffer.from(header), Buffer.from(new Float32Array(elements).fill(0.1).buffer)]);
    const headers = { "inference-header-content-length": String(header.length) };
    let written = false;
    const large = server.api.call("/v2/models/m/infer", { method: "POST", headers, body }).finally(() => {
      written = true;
    });
    let between = 0;
    while (!written) {
      expect(numbersOf(await server.api.infer("other", floats("QUESTION", [[between]])))).toEqual([between + 1]);
      if (!written) between += 1;
    }
    expect((await large).status).toBe(200);
    // Written in one go it would let through those that came before it began, one or two.
    expect(between).toBeGreaterThan(10);
    for (const model of ["m", "other"]) expect((await server.api.model(model)).versions[0]?.runner?.restarts).toBe(0);
  });
});

describe("files of a load request", () => {
  const files = (bytes: string) =>
    JSON.stringify({
      parameters: {
        config: JSON.stringify({ backend: "onnxruntime", max_batch_size: 32 }),
        "file:1/model.onnx": Buffer.from(bytes, "latin1").toString("base64"),
      },
    });
  const overrides = () =>
    server
      .leftovers()
      .filter((name) => name.startsWith("nereid-"))
      .flatMap((name) => {
        const path = join(server.directory, "tmp", name);
        return existsSync(path) ? readdirSync(path).filter((entry) => entry.startsWith("override-")) : [];
      });

  it("do not stay behind when the load fails, is replaced, or is undone", async () => {
    const good = Buffer.from(offset("", 3).files["1/model.onnx"] ?? "").toString("latin1");
    expect((await post("/v2/repository/models/staged/load", files("junk"))).status).toBe(400);
    expect(overrides()).toEqual([]);
    for (let turn = 0; turn < 3; turn++)
      expect((await post("/v2/repository/models/staged/load", files(good))).status).toBe(200);
    expect(overrides()).toHaveLength(1);
    await post("/v2/repository/models/staged/unload");
    expect(overrides()).toEqual([]);
  });

  it.each(["file:1/", "file:1"])("refuses %s without telling where the server keeps files", async (key) => {
    const parameters = { config: "{}", [key]: "AAAA", "file:1/model.onnx": "AAAA" };
    const reply = await post("/v2/repository/models/staged/load", JSON.stringify({ parameters }));
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).not.toContain("/tmp");
  });
});

describe("a connection", () => {
  it("answers the requests that came before broken bytes, then refuses", async () => {
    const body = JSON.stringify({
      id: "A",
      inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [1, 1], data: [7] }],
    });
    const request = `POST /v2/models/m/infer HTTP/1.1\r\nHost: x.localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { text } = await rawExchange(server.api.url, [
      `${request.replace("x.localhost", "127.0.0.1")}\x00\x01garbage\r\n\r\n`,
    ]);
    expect(text).toContain('"id":"A"');
    expect(text.indexOf("200 OK")).toBeLessThan(text.indexOf("400 Bad Request"));
  });

  it("stays open after an error that has no body to skip", async () => {
    const get = (path: string, close = "") => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${close}\r\n`;
    const { text } = await rawExchange(server.api.url, [get("/v2/nothing") + get("/v2", "Connection: close\r\n")]);
    expect(text).toContain("404 Not Found");
    expect(text).toContain('"extensions"');
  });

  it("reads a version as a number", async () => {
    expect((await server.api.call("/v2/models/m/versions/01/ready")).status).toBe(200);
  });

  it("may not send megabytes where a small object belongs", async () => {
    expect((await post("/v2/repository/index", " ".repeat(2 << 20))).status).toBe(413);
  });
});

describe("a repository that does not exist", () => {
  it("ends the start with its absolute path", async () => {
    const directory = testDirectory();
    rmSync(join(directory, "repository"), { recursive: true });
    const typo = launchTestServer(directory);
    expect((await typo.exited).code).toBe(1);
    expect(typo.stderr).toContain(`${join(directory, "repository")} is not a directory`);
    await typo.dispose();
  });
});
