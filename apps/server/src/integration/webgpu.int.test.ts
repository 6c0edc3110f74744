import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, type TestModel } from "../testing/test-model.ts";

/** SwiftShader, a Vulkan in software, as Debian's chromium has it; the loader is a package of its own, or the one beside it. */
const SOFTWARE_VULKAN = "/usr/lib/chromium/vk_swiftshader_icd.json";
const LOADERS = ["/usr/lib/x86_64-linux-gnu/libvulkan.so.1", "/usr/lib/aarch64-linux-gnu/libvulkan.so.1"];
const BESIDE = "/usr/lib/chromium/libvulkan.so.1";
const possible = existsSync(SOFTWARE_VULKAN) && (LOADERS.some(existsSync) || existsSync(BESIDE));
const loader = LOADERS.some(existsSync) ? {} : { LD_LIBRARY_PATH: "/usr/lib/chromium" };

const mnist = readFileSync(fileURLToPath(new URL("../../../../model_repo/mnist/1/model.onnx", import.meta.url)));
const onWebGpu = 'optimization { execution_accelerators { cpu_execution_accelerator [ { name: "webgpu" } ] } }';

function model(name: string, config: string): TestModel {
  return {
    name,
    files: { "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 8\n${config}\n`, "1/model.onnx": mnist },
  };
}

describe.skipIf(!possible)("WebGPU on a software Vulkan (skipped without Debian's chromium)", () => {
  let server: TestServer;
  let http: NereidClient;
  const one = "instance_group [ { count: 1 kind: KIND_CPU } ]";

  beforeAll(async () => {
    server = await startTestServer({
      models: [model("processor", one), model("webgpu", `${one}\n${onWebGpu}`), identity("other")],
      env: { VK_ICD_FILENAMES: SOFTWARE_VULKAN, XDG_RUNTIME_DIR: "/tmp", ...loader },
    });
    http = new NereidClient({ baseUrl: server.api.url.origin });
  }, 120_000);

  afterAll(() => server?.dispose());

  it("gives what the processor gives, within 1e-4, in batches too", async () => {
    let largest = 0;
    for (const batch of [1, 3, 8]) {
      const data = Float32Array.from({ length: batch * 784 }, (_, at) => ((at * 7919) % 256) / 255);
      const inputs = [tensor({ name: "image", datatype: "FP32", shape: [batch, 784], data })];
      const [expected, got] = await Promise.all(
        ["processor", "webgpu"].map(async (name) => {
          const response = await http.infer(name, { inputs });
          return outputValues(response, response.outputs[0]?.name ?? "", "FP32");
        }),
      );
      expect(got?.length).toBe(expected?.length);
      expect(got?.length).toBeGreaterThan(0);
      got?.forEach((value, at) => {
        largest = Math.max(largest, Math.abs(value - (expected?.[at] ?? Number.NaN)));
      });
    }
    console.log(`largest difference between WebGPU and processor: ${largest}`);
    expect(largest).toBeLessThan(1e-4);
  }, 120_000);

  it("tells which nodes run there", async () => {
    const [version] = (await server.api.model("webgpu")).versions;
    expect(version?.placement?.["WebGpuExecutionProvider"]).toBeGreaterThan(0);
    const [plain] = (await server.api.model("processor")).versions;
    expect(plain?.placement).toBeUndefined();
  });

  it("refuses a second instance in words: two in a process would crash it", async () => {
    const config = JSON.stringify({
      backend: "onnxruntime",
      max_batch_size: 8,
      instance_group: [{ count: 2, kind: "KIND_CPU" }],
      optimization: { execution_accelerators: { cpu_execution_accelerator: [{ name: "webgpu" }] } },
    });
    await expect(http.loadModel("webgpu", { config })).rejects.toThrow("runs one instance in a process");
  });
});
