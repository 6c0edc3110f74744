import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NereidClient, type SecondBucket } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../clock.ts";
import { connectNode, type NodeLink } from "../connect-node.ts";

/** Directory of a real tritonserver with its Python backend; `node scripts/triton-node.mjs` finds one and runs this file. */
const HOME = process.env["NEREID_TRITON_HOME"] ?? "";

const CONFIG = `backend: "python"
max_batch_size: 8
input [{ name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }]
output [{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }]
dynamic_batching { }
`;

const MODEL = `import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        return [
            pb_utils.InferenceResponse(
                [pb_utils.Tensor("OUTPUT0", pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy())]
            )
            for request in requests
        ]
`;

const BROKEN = `raise RuntimeError("the weights are missing")
`;

function writeModel(repository: string, name: string, text: string): void {
  mkdirSync(join(repository, name, "1"), { recursive: true });
  writeFileSync(join(repository, name, "config.pbtxt"), `name: "${name}"\n${CONFIG}`);
  writeFileSync(join(repository, name, "1", "model.py"), text);
}

/** Where the server finds its Python backend: the stub that fits the installed Python must lie beside the library. */
function prepareBackend(to: string): { readonly backends: string; readonly packages: string } {
  const packages = join(HOME, "../..");
  const version = /python(3\.\d+)/.exec(HOME)?.[1] ?? "";
  cpSync(join(HOME, "backends"), to, { recursive: true });
  const stub = "triton_python_backend_stub";
  cpSync(join(HOME, "python_backend_stubs", version, stub), join(to, "python", stub));
  return { backends: to, packages };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)));
    });
  });
}

describe.skipIf(HOME === "")("a real Triton server as a node", () => {
  let directory = "";
  let child: ChildProcess | undefined;
  let link: NodeLink;
  let client: NereidClient;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "nereid-triton-"));
    const models = join(directory, "models");
    writeModel(models, "identity", MODEL);
    writeModel(models, "broken", BROKEN);
    const { backends, packages } = prepareBackend(join(directory, "backends"));
    const [http, metrics] = [await freePort(), await freePort()];
    child = spawn(
      join(HOME, "bin/tritonserver"),
      [
        `--model-repository=${models}`,
        `--backend-directory=${backends}`,
        "--model-control-mode=explicit",
        "--http-address=127.0.0.1",
        `--http-port=${http}`,
        `--metrics-port=${metrics}`,
        "--metrics-address=127.0.0.1",
        "--allow-grpc=false",
      ],
      {
        stdio: "ignore",
        env: {
          ...process.env,
          PYTHONPATH: packages,
          LD_LIBRARY_PATH: join(packages, "nvidia_pytriton.libs"),
          PATH: `${join(packages, "../../../bin")}:${process.env["PATH"]}`,
        },
      },
    );
    const url = `http://127.0.0.1:${http}`;
    const metricsUrl = `http://127.0.0.1:${metrics}/metrics`;
    client = new NereidClient({ baseUrl: url });
    link = connectNode(
      { name: "gpu-2", kind: "triton", url, metricsUrl, grpcUrl: null, apiKey: null },
      { clock: systemClock, pause: (ms, signal) => sleep(ms, undefined, { signal }) },
    );
    await vi.waitUntil(() => client.serverReady().catch(() => false), { timeout: 60_000, interval: 100 });
  }, 90_000);

  afterAll(async () => {
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child?.kill("SIGKILL");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  it("says what it is, and of nothing else that it is told", async () => {
    expect(await link.facts()).toMatchObject({ serverName: "triton", ready: true, draining: null, controlMode: null });
    expect((await link.client.models()).map(({ name, versions }) => [name, versions.length])).toEqual([
      ["broken", 0],
      ["identity", 0],
    ]);
  });

  it("loads, tells the configuration, answers, and unloads", async () => {
    await link.client.loadModel("identity");
    const loaded = await link.client.model("identity");
    expect(loaded).toMatchObject({ backend: "python", maxBatchSize: 8, scheduler: "dynamic", lastLoadError: "" });
    expect(loaded.versions).toMatchObject([{ version: "1", state: "READY", ready: true }]);
    const { inputs } = await link.client.modelMetadata("identity");
    expect(inputs.map(({ name, datatype }) => [name, datatype])).toEqual([["INPUT0", "FP32"]]);
    await link.client.unloadModel("identity");
    await expect
      .poll(async () => (await link.client.model("identity")).versions.some(({ ready }) => ready), { timeout: 20_000 })
      .toBe(false);
    expect((await link.client.model("identity")).lastLoadError).toBe("");
  }, 60_000);

  it("a load that fails says Triton's words, in the answer and afterwards", async () => {
    await expect(link.client.loadModel("broken")).rejects.toMatchObject({
      message: expect.stringContaining("the weights are missing"),
    });
    expect((await link.client.model("broken")).lastLoadError).toContain("the weights are missing");
  }, 60_000);

  it("makes seconds of its counters: means and batch sizes, no percentiles, the machine from the metrics page", async () => {
    await link.client.loadModel("identity");
    const stop = new AbortController();
    const seen: SecondBucket[] = [];
    const reading = (async () => {
      for await (const bucket of link.buckets({ signal: stop.signal })) seen.push(bucket);
    })();
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(0);
    const input = { name: "INPUT0", datatype: "FP32", shape: [1, 4], data: [1, 2, 3, 4] } as const;
    await Promise.all(Array.from({ length: 20 }, () => client.infer("identity", { inputs: [input] })));
    const rows = () => seen.flatMap(({ series }) => series);
    const total = () => rows().reduce((sum, { success }) => sum + success, 0);
    await expect.poll(total, { timeout: 20_000 }).toBe(20);
    stop.abort();
    await reading.catch(() => undefined);
    expect(rows().every(({ model, latency }) => model === "identity" && latency.length === 0)).toBe(true);
    expect(rows().reduce((sum, { sumNs }) => sum + sumNs.request, 0)).toBeGreaterThan(0);
    const batches = rows().flatMap(({ batchSizes = [] }) => batchSizes);
    expect(batches.reduce((sum, [size, executions]) => sum + size * executions, 0)).toBe(20);
    expect(seen.at(-1)?.node).toMatchObject({ memoryTotalBytes: expect.any(Number), cpu: expect.any(Number) });
  }, 90_000);

  it("what it cannot do is refused with the reason, before it is asked", async () => {
    await expect(link.client.drafts()).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringMatching(/^not available on this node: a Triton server takes no files/),
    });
    await expect(link.client.setDraining(true)).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});
