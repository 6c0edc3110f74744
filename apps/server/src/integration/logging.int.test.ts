import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, parse } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;

afterEach(() => server.dispose());

const access = () => server.log.filter(({ msg }) => msg === "access");
const change = (body: unknown) => server.api.post("/v2/logging", body);

/** Something that writes an information line and a warning: a runner that ends. */
async function makeNoise(): Promise<void> {
  const pid = await server.api.runnerPid("plus");
  process.kill(pid, "SIGKILL");
  await waitUntil("the runner is back", async () => {
    const after = await server.api.runnerPid("plus");
    return after !== 0 && after !== pid && (await server.api.ready("plus"));
  });
}

describe("/v2/logging", () => {
  it("shows the settings and changes only what is given", async () => {
    server = await startTestServer({ args: ["--log-verbose=1"] });
    const settings = {
      log_file: "",
      log_info: true,
      log_warning: true,
      log_error: true,
      log_verbose_level: 1,
      log_format: "default",
    };
    const shown = await server.api.call("/v2/logging");
    expect(shown.text).toBe(JSON.stringify(settings));
    expect(shown.headers["content-type"]).toBe("application/json");
    expect(parse(await change({ log_info: false, log_warning: null, other: 1 }))).toEqual({
      ...settings,
      log_info: false,
    });
    expect(parse(await change({ log_format: "ISO8601", log_verbose_level: 0 }))).toEqual({
      ...settings,
      log_info: false,
      log_format: "ISO8601",
      log_verbose_level: 0,
    });
  });

  it("refuses with Triton's classes and texts, and changes nothing then", async () => {
    server = await startTestServer({});
    const before = (await server.api.call("/v2/logging")).text;
    for (const [body, status, text] of [
      [{ log_info: false, log_file: "/tmp/x" }, 501, "log file location can not be updated through network protocol"],
      [{ log_info: "false" }, 500, "attempt to access JSON non-boolean as boolean"],
      [
        { log_info: false, log_verbose_level: "1" },
        500,
        "attempt to access JSON non-unsigned-integer as unsigned-integer",
      ],
      [{ log_info: false, log_format: "xml" }, 503, "invalid argument for --log_format, got: xml"],
      ["", 500, "failed to parse the request JSON buffer: The document is empty. at 0"],
      ["{", 500, "failed to parse the request JSON buffer"],
    ] as const) {
      const reply = await change(body);
      expect([reply.status, errorOf(reply)]).toEqual([status, expect.stringContaining(text)]);
    }
    expect((await server.api.call("/v2/logging")).text).toBe(before);
  });

  it("switches warnings off while everything else is written, at once", async () => {
    server = await startTestServer({ models: [offset("plus", 1)] });
    await makeNoise();
    const warnings = () => server.log.filter(({ level }) => level === "warn").length;
    const before = warnings();
    expect(before).toBeGreaterThan(0);
    await change({ log_warning: false });
    await makeNoise();
    expect(warnings()).toBe(before);
    await server.api.unload("plus");
    await server.api.load("plus");
    await waitUntil("the load was logged", () => server.log.filter(({ msg }) => msg === "model loaded").length === 2);
    await change({ log_warning: true });
    await makeNoise();
    await waitUntil("warnings are back", () => warnings() > before);
  });

  it("writes the time of a line in the form that is asked for", async () => {
    server = await startTestServer({ models: [offset("plus", 1)] });
    expect(server.log.at(-1)?.["time"]).toMatch(/^\d{4} \d\d:\d\d:\d\d\.\d{6}$/);
    await change({ log_format: "ISO8601" });
    await makeNoise();
    expect(server.log.at(-1)?.["time"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("tells more about each inference at verbosity 1: shapes and phases, no contents", async () => {
    server = await startTestServer({ models: [offset("plus", 1)] });
    const details = () => server.log.filter(({ msg }) => msg === "inference done");
    await server.api.infer("plus", floats("QUESTION", [[1, 2]]));
    await change({ log_verbose_level: 1 });
    await server.api.infer("plus", floats("QUESTION", [[123456, 2]]), { id: "asked" });
    await waitUntil("it is logged", () => details().length > 0);
    expect(details()).toHaveLength(1);
    expect(details()[0]).toMatchObject({
      level: "debug",
      model: "plus",
      version: "1",
      requestId: "asked",
      inputs: [{ name: "QUESTION", datatype: "FP32", shape: [1, 2] }],
      queueUs: expect.any(Number),
      inferUs: expect.any(Number),
    });
    expect(server.stderr).not.toContain("123456");
  });

  it("is changed only with the management key, where there is one", async () => {
    server = await startTestServer({ args: ["--management-key=secret"] });
    expect((await server.api.call("/v2/logging")).status).toBe(200);
    expect((await change({ log_info: false })).status).toBe(401);
    const headers = { authorization: "Bearer secret" };
    expect((await server.api.post("/v2/logging", { log_info: false }, { headers })).status).toBe(200);
  });
});

describe("--access-log", () => {
  it("writes one line for every request, with what happened to it", async () => {
    server = await startTestServer({ models: [offset("plus", 1)], args: ["--access-log"] });
    await server.api.infer("plus", floats("QUESTION", [[1, 2]]), { id: "first" });
    await server.api.call("/v2/models/nobody/ready?secret=1");
    await server.api.call("/nereid/v1/models");
    await waitUntil("three lines are there", () => access().length >= 3);
    expect(access()).toHaveLength(3);
    const [infer, ready, management] = access();
    expect(infer).toMatchObject({
      protocol: "http",
      operation: "POST /v2/models/plus/infer",
      peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      model: "plus",
      version: "1",
      requestId: "first",
      status: 200,
      durationMs: expect.any(Number),
      queueMs: expect.any(Number),
      computeMs: expect.any(Number),
    });
    expect(ready).toMatchObject({ operation: "GET /v2/models/nobody/ready", model: "nobody", status: 404 });
    expect(ready).not.toHaveProperty("queueMs");
    expect(management).toMatchObject({ operation: "GET /nereid/v1/models", status: 200 });
  });

  it("cannot be made to write a line of a client's, whatever names and ids it sends", async () => {
    server = await startTestServer({ models: [offset("plus", 1)], args: ["--access-log", "--log-verbose=1"] });
    const forged = '\n{"level":"error","msg":"forged"}\n\u0085\u2028\u009b2J\u202e';
    await server.api.infer("plus", floats("QUESTION", [[1, 2]]), { id: forged });
    const path = `/v2/models/${encodeURIComponent(forged)}/infer`;
    await server.api.post(path, { id: forged, inputs: [] });
    await server.api.post("/v2/repository/models/x%0a%7b%22msg%22:%22forged%22%7d/load", "");
    await server.api.call(`/v2/${"y".repeat(6000)}`);
    await waitUntil("all are logged", () => access().length >= 4);
    const lines = server.stderr.split("\n").filter((line) => line !== "");
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(server.log.filter(({ msg }) => msg === "forged")).toEqual([]);
    expect(server.log.some(({ requestId }) => requestId === forged)).toBe(true);
    expect(server.stderr).not.toMatch(/[\u007f-\u009f\u2028-\u202e]/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(4000);
  });

  it("is written completely when the server ends, and can be silenced while it runs", async () => {
    server = await startTestServer({ args: ["--access-log"] });
    for (let at = 0; at < 200; at += 1) await server.api.call("/v2/health/live");
    await change({ log_info: false });
    await server.api.call("/v2");
    await change({ log_info: true });
    await server.stop();
    const operations = access().map(({ operation }) => operation);
    expect(operations.filter((operation) => operation === "GET /v2/health/live")).toHaveLength(200);
    expect(operations).not.toContain("GET /v2");
  });
});

describe("--log-file", () => {
  it("takes the lines instead of standard error, and adds to what is there", async () => {
    const directory = testDirectory();
    const file = join(directory, "server.log");
    server = launchTestServer(directory, { args: [`--log-file=${file}`] });
    await server.ready();
    expect(parse<{ log_file: string }>(await server.api.call("/v2/logging")).log_file).toBe(file);
    await server.stop();
    const first = readFileSync(file, "utf8");
    expect(
      first
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).msg),
    ).toContain("server ready");
    expect(server.stderr).toBe("");
    server = launchTestServer(directory, { args: [`--log-file=${file}`] });
    await server.ready();
    expect(readFileSync(file, "utf8").startsWith(first)).toBe(true);
  });

  it("that cannot be opened ends the start with its reason", async () => {
    const directory = testDirectory();
    server = launchTestServer(directory, { args: [`--log-file=${join(directory, "nowhere/server.log")}`] });
    expect((await server.exited).code).toBe(1);
    expect(server.stderr).toContain('Bad option: "--log-file". ENOENT');
  });

  it.skipIf(!existsSync("/dev/full"))("on a full disk neither ends the server nor holds up its end", async () => {
    server = await startTestServer({ args: ["--log-file=/dev/full", "--access-log"] });
    for (let at = 0; at < 100; at += 1) expect((await server.api.call("/v2/health/live")).status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});
