import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawExchange } from "../testing/raw-exchange.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse } from "../testing/test-api.ts";
import { offset, writeModel } from "../testing/test-model.ts";

const CONFIG = JSON.stringify({ backend: "onnxruntime", max_batch_size: 8 });
const bytesOf = (by: number) => Buffer.from(offset("", by).files["1/model.onnx"] ?? "").toString("base64");

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [offset("a", 1), offset("other", 5)] });
});
afterAll(() => server.dispose());

const ask = async (model: string, version?: string) =>
  numbersOf(
    await server.api.infer(version === undefined ? model : `${model}/versions/${version}`, floats("QUESTION", [[0]])),
  )[0];
const loadWith = (model: string, parameters: unknown) =>
  server.api.post(`/v2/repository/models/${model}/load`, { parameters });
/** Directories of load requests that are still there. */
const staged = () =>
  server
    .leftovers()
    .map((name) => join(server.directory, "tmp", name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).filter((entry) => entry.startsWith("override-")));

describe("a load with a configuration", () => {
  it("lasts until the next plain load, whichever way that comes", async () => {
    expect((await loadWith("a", { config: CONFIG })).status).toBe(200);
    const config = async () => parse<{ max_batch_size: number }>(await server.api.call("/v2/models/a/config"));
    expect((await config()).max_batch_size).toBe(8);
    expect((await server.api.load("a")).status).toBe(200);
    expect((await config()).max_batch_size).toBe(32);
    expect((await loadWith("a", { config: CONFIG })).status).toBe(200);
    expect((await server.api.unload("a")).status).toBe(200);
    expect((await server.api.load("a")).status).toBe(200);
    expect((await config()).max_batch_size).toBe(32);
  });

  it.each([
    ["that is no JSON", "{", 500, "failed to load 'a', failed to poll from model repository"],
    [
      "of another model",
      JSON.stringify({ name: "other", backend: "onnxruntime" }),
      400,
      "load failed for model 'a': version 1 is at UNAVAILABLE state: Invalid argument: ",
    ],
    [
      "for no version",
      JSON.stringify({ backend: "onnxruntime", version_policy: { specific: { versions: [9] } } }),
      500,
      "failed to load 'a', no version is available",
    ],
  ])("%s is refused and what serves goes on", async (_, config, status, text) => {
    const reply = await loadWith("a", { config });
    expect(reply.status).toBe(status);
    expect(errorOf(reply).startsWith(text)).toBe(true);
    expect(await ask("a")).toBe(1);
  });
});

describe("a load with files", () => {
  it("serves only those, of every version given, and goes back to the directory", async () => {
    const config = JSON.stringify({ backend: "onnxruntime", max_batch_size: 8, version_policy: { all: {} } });
    const files = { "file:3/model.onnx": bytesOf(30), "file:4/model.onnx": bytesOf(40), "file:labels.txt": "YQ==" };
    expect((await loadWith("a", { config, ...files })).status).toBe(200);
    expect([await ask("a"), await ask("a", "3"), await ask("a", "4")]).toEqual([40, 30, 40]);
    expect((await server.api.infer("a/versions/1", floats("QUESTION", [[0]]))).status).toBe(503);
    expect((await server.api.load("a")).status).toBe(200);
    expect(await ask("a")).toBe(1);
    expect(staged()).toEqual([]);
  });

  it("of which one version is broken serves none of them; what served goes on", async () => {
    const config = JSON.stringify({ backend: "onnxruntime", max_batch_size: 8, version_policy: { all: {} } });
    const reply = await loadWith("a", { config, "file:3/model.onnx": bytesOf(3), "file:4/model.onnx": "AAAA" });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatch(
      /^load failed for model 'a': version 4 is at UNAVAILABLE state: [A-Z][a-z ]+: [\s\S]*;\n$/,
    );
    expect([await ask("a"), await ask("a", "1")]).toEqual([1, 1]);
    expect((await server.api.infer("a/versions/3", floats("QUESTION", [[0]]))).status).toBe(503);
    expect(staged()).toEqual([]);
  });

  it("needs a configuration", async () => {
    const reply = await loadWith("a", { "file:1/model.onnx": bytesOf(7) });
    expect(reply.status).toBe(500);
    expect(errorOf(reply)).toContain("failed to poll from model repository");
    expect(errorOf(reply)).toContain("Load parameter 'config' must be specified for model file override");
    expect(await ask("a")).toBe(1);
  });

  it.each([
    ["../escape/1/model.onnx"],
    ["1/../../escape.onnx"],
    ["/escape.onnx"],
    ["1\\..\\..\\escape.onnx"],
    ["./../escape.onnx"],
    ["1/a\0b"],
    ["."],
    [""],
    ["1/./../../../escape"],
  ])("may not leave the model's directory: %j", async (path) => {
    const reply = await loadWith("a", { config: CONFIG, [`file:${path}`]: "AAAA", "file:1/model.onnx": bytesOf(9) });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("must name a file inside the model's directory");
    expect(server.filesBelowTemporary().filter((file) => file.includes("escape"))).toEqual([]);
    expect(staged()).toEqual([]);
    expect(await ask("a")).toBe(1);
  });

  it.each([
    ["*", "is not valid base64"],
    ["AAA", "is not valid base64"],
    ["AA==A", "is not valid base64"],
    ["AA=A", "is not valid base64"],
    ["AAAA\nAAAA", "is not valid base64"],
    ["AA-_", "is not valid base64"],
  ])("refuses the content %j", async (content, text) => {
    const reply = await loadWith("a", { config: CONFIG, "file:1/model.onnx": content });
    expect([reply.status, errorOf(reply)]).toEqual([400, `load parameter 'file:1/model.onnx' ${text}`]);
  });

  it.each(["-1", "01", "9223372036854775808", "one"])("serves no version called %s", async (version) => {
    const reply = await loadWith("a", { config: CONFIG, [`file:${version}/model.onnx`]: bytesOf(2) });
    expect([400, 500]).toContain(reply.status);
    expect(await ask("a")).toBe(1);
    expect(staged()).toEqual([]);
  });

  it("announced larger than any model is refused before it is sent", async () => {
    const answer = await rawExchange(server.api.url, [
      `POST /v2/repository/models/a/load HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${2 ** 31}\r\n\r\n`,
    ]);
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("upload them over the management API");
  });

  it("does not follow a link out of the repository when the file of a configuration names one", async () => {
    mkdirSync(join(server.repository, "linked/1"), { recursive: true });
    writeFileSync(join(server.directory, "outside.onnx"), "no model");
    symlinkSync(join(server.directory, "outside.onnx"), join(server.repository, "linked/1/model.onnx"));
    const reply = await server.api.load("linked");
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("load failed for model 'linked'");
  });
});

describe("a load's body", () => {
  it.each([
    [{ parameters: { speed: "1" } }, 500, "unexpected error on creating Triton parameter"],
    [{ parameters: { config: 1 } }, 500, "Unable to parse 'config': attempt to access JSON non-string as string"],
    [{ parameters: [] }, 500, "Unable to parse 'parameters': attempt to access JSON non-object as object"],
    ["[]", 500, "Unable to parse 'parameters': attempt to access JSON non-object as object"],
    ["{", 500, "failed to parse the request JSON buffer"],
  ])("%j is refused", async (body, status, text) => {
    const reply = await server.api.post("/v2/repository/models/a/load", body);
    expect(reply.status).toBe(status);
    expect(errorOf(reply).startsWith(text)).toBe(true);
  });

  it("of an unload and of the index has its own types", async () => {
    const unload = await server.api.post("/v2/repository/models/a/unload", { parameters: { unload_dependents: 1 } });
    expect([unload.status, errorOf(unload)]).toEqual([
      500,
      "Unable to parse 'unload_dependents': attempt to access JSON non-boolean as boolean",
    ]);
    expect(await ask("a")).toBe(1);
    const index = await server.api.post("/v2/repository/index", { ready: "yes" });
    expect([index.status, errorOf(index)]).toEqual([400, "Invalid value for 'ready': expected a boolean"]);
    const named = await server.api.post("/v2/repository/any/models/a/load");
    expect([named.status, errorOf(named)]).toEqual([501, "'repository_name' specification is not supported"]);
    expect((await server.api.post("/v2/repository/any/index")).status).toBe(200);
  });
});

describe("names", () => {
  it.each(["..", "a..b", "..%2f..%2fetc", "%2e%2e", " ", "n".repeat(300), "CON", "-rf", "é", "a%00b"])(
    "%s load or are refused, and nothing stays of them",
    async (name) => {
      const reply = await server.api.load(encodeURI(decodeURI(name)));
      expect([400, 500]).toContain(reply.status);
      if (name.includes(".."))
        expect(errorOf(reply)).toMatch(/must not contain path traversal characters|failed to load/);
      expect(new Set((await server.api.index()).map((row) => row.name))).toEqual(new Set(["a", "linked", "other"]));
    },
  );
});

describe("--model-config-name", () => {
  it("takes configs/<name>.pbtxt where a model has it", async () => {
    const text = (size: number) => `backend: "onnxruntime"\nmax_batch_size: ${size}\ndynamic_batching { }\n`;
    const model = {
      name: "varied",
      files: { ...offset("", 1).files, "config.pbtxt": text(2), "configs/large.pbtxt": text(16) },
    };
    const named = await startTestServer({
      models: [model, { ...offset("plain", 1) }],
      args: ["--model-config-name=large"],
    });
    try {
      const size = async (name: string) =>
        parse<{ max_batch_size: number }>(await named.api.call(`/v2/models/${name}/config`)).max_batch_size;
      expect([await size("varied"), await size("plain")]).toEqual([16, 32]);
    } finally {
      await named.dispose();
    }
  });
});

describe("--model-load-retry-count", () => {
  it("tries a load so many times more", async () => {
    const patient = await startTestServer({
      models: [offset("a", 1)],
      args: ["--model-load-retry-count=2", "--log-verbose=1"],
    });
    try {
      writeModel(patient.repository, { name: "broken", files: { "1/model.onnx": "no model" } });
      expect((await patient.api.load("broken")).status).toBe(400);
      expect(patient.stderr.match(/load failed, \d further attempts/g)).toHaveLength(2);
    } finally {
      await patient.dispose();
    }
  });
});
