import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childrenOf } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { floats } from "../testing/test-api.ts";
import { identity, network } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const MEGABYTES = 30;
const WIDTH = Math.floor(Math.sqrt((MEGABYTES * 1e6) / 8));
const CYCLES = 20;
const MEBIBYTE = 2 ** 20;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [network("large", MEGABYTES), identity("left_alone", "")],
    mode: ["--model-control-mode=explicit", "--load-model=left_alone"],
  });
});
afterAll(() => server.dispose());

const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

describe("loading and unloading a model of 30 MB", () => {
  it(`${CYCLES} times leaves no process and at most 32 MiB in the server`, async () => {
    const { api } = server;
    const cycle = async () => {
      expect((await api.load("large")).status).toBe(200);
      const image = Array.from({ length: WIDTH }, () => 0);
      expect((await api.infer("large", floats("image", [image]))).status).toBe(200);
      const pid = await api.runnerPid("large");
      expect(residentBytes(pid)).toBeGreaterThan(MEGABYTES * 1e6);
      expect((await api.unload("large")).status).toBe(200);
      await waitUntil("its runner has ended", () => !childrenOf(server.pid).includes(pid));
    };
    // The first cycles fill caches of the engine's loader and of V8 that stay.
    for (let warm = 0; warm < 3; warm++) await cycle();
    const before = residentBytes(server.pid);
    for (let count = 0; count < CYCLES; count++) await cycle();
    expect(childrenOf(server.pid)).toHaveLength(1);
    expect(residentBytes(server.pid) - before).toBeLessThanOrEqual(32 * MEBIBYTE);
    expect(server.leftovers().filter((name) => name.startsWith("nereid-") && name.endsWith(".sock"))).toEqual([]);
  });
});

describe("an answer whose client has gone", () => {
  it("gives its shared memory back", async () => {
    const { api } = server;
    const segments = () => server.leftovers().filter((name) => name.startsWith(`nereid-${server.pid}-`)).length;
    const busy = async () => (await api.model("left_alone")).versions[0]?.instances[0]?.busy;
    const elements = 300_000;
    const parameters = { binary_data_size: elements * 4 };
    const json = JSON.stringify({
      inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [1, elements], parameters }],
      parameters: { binary_data_output: true },
    });
    const body = Buffer.concat([Buffer.from(json), Buffer.alloc(elements * 4)]);
    const headers = { "Inference-Header-Content-Length": String(Buffer.byteLength(json)) };
    const runner = await api.runnerPid("left_alone");
    for (let round = 0; round < 15; round++) {
      // A stopped runner holds the request for as long as it takes the client to go.
      process.kill(runner, "SIGSTOP");
      const client = new AbortController();
      const asked = api.post("/v2/models/left_alone/infer", body, { headers, signal: client.signal }).then(
        () => "answered",
        () => "gone",
      );
      await waitUntil("the request executes", busy);
      client.abort();
      expect(await asked).toBe("gone");
      await busy();
      process.kill(runner, "SIGCONT");
      await waitUntil("the execution has ended", async () => (await busy()) === false);
    }
    // 15 answers of 1.2 MB that are never given back need 15 segments; given back, one after the other, they need two.
    expect(segments()).toBeLessThanOrEqual(4);
    expect((await api.post("/v2/models/left_alone/infer", body, { headers })).status).toBe(200);
  });
});
