/** Readers that do not read, names that must not become series, destinations that must not be set. */
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { residentBytes } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { identity } from "../testing/test-model.ts";

const MIB = 1 << 20;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [identity("m")] });
});
afterAll(() => server.dispose());
afterEach(async () => {
  expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[1.5, 2]])))).toEqual([1.5, 2]);
});

describe("five hundred subscribers of an event stream that read nothing", () => {
  it("cost little and hold up nobody", async () => {
    const { hostname, port } = server.api.url;
    const sockets: Socket[] = [];
    const before = residentBytes(server.pid);
    try {
      await Promise.all(
        Array.from(
          { length: 500 },
          () =>
            new Promise<void>((resolve, reject) => {
              const socket = connect({ host: hostname, port: Number(port) }, () => {
                socket.pause();
                socket.write("GET /nereid/v1/buckets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", () => resolve());
              });
              socket.on("error", reject);
              sockets.push(socket);
            }),
        ),
      );
      for (let turn = 0; turn < 20; turn += 1)
        expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[turn]])))).toEqual([turn]);
      expect(residentBytes(server.pid) - before).toBeLessThan(128 * MIB);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe("names of models that nobody has", () => {
  it("make no series, whatever route they come by", async () => {
    const metrics = async () => (await fetch(server.metricsUrl)).text();
    const series = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
    await server.api.infer("m", floats("INPUT_FP32", [[1]]));
    await server.api.infer("warm-up-of-counters", floats("INPUT_FP32", [[1]]));
    const before = series(await metrics());
    for (let number = 0; number < 100; number += 1) {
      const name = `nobody-${number}`;
      await server.api.infer(name, floats("INPUT_FP32", [[1]]));
      await server.api.infer(`m/versions/${number + 2}`, floats("INPUT_FP32", [[1]]));
      await server.api.post(`/v2/models/${name}/generate`, "{}");
      await server.api.call(`/v2/models/${name}/stats`);
      await server.api.load(name);
      await server.api.unload(name);
      await server.api.call(`/v2/${name}`);
    }
    const after = await metrics();
    expect(after).not.toContain("nobody-");
    // Counters of outcomes may appear; none of them is about a name.
    expect(series(after) - before).toBeLessThan(40);
  });
});

describe("destinations", () => {
  it.each(["/tmp/nst-log", "", "relative"])("of the log (%j) cannot be set over the network", async (file) => {
    const reply = await server.api.post("/v2/logging", { log_file: file });
    expect(reply.status).toBe(501);
    expect(errorOf(reply)).not.toContain("/tmp/nst-log");
  });

  it.each(["/v2/trace/setting", "/v2/models/m/trace/setting"])("of traces cannot be set by %s", async (path) => {
    const reply = await server.api.post(path, { trace_file: "/tmp/nst-trace", trace_level: ["TIMESTAMPS"] });
    expect(reply.status).toBe(501);
  });
});
