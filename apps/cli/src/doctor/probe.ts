import { createRequire } from "node:module";
import { PROBE_MODEL_BASE64 } from "./probe-model.ts";

// A process of its own: a driver or a provider that crashes takes only this one down. Its last line of output is JSON.

interface Ort {
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: object,
    ): Promise<{ run(feeds: object): Promise<Record<string, { data: unknown }>> }>;
  };
  readonly Tensor: new (type: string, data: Float32Array, dims: readonly number[]) => object;
}

interface Koffi {
  load(name: string): { func(declaration: string): (...args: readonly unknown[]) => number };
}

const [what = "", root = "", name = ""] = process.argv.slice(2);
// As the processes that run models find them.
const fromWorker = createRequire(`${root}/packages/inference-worker/package.json`);
const fromLlama = createRequire(`${root}/packages/llama-runner/package.json`);

const PROBES: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
  engine: () => ({ version: versionOf(fromWorker, "onnxruntime-node") }),
  llama: () => ({ version: versionOf(fromLlama, "node-llama-cpp") }),
  provider: () => provider(name),
  vulkan: () => {
    load("libvulkan.so.1");
    return {};
  },
  nvidia,
};

function versionOf(from: NodeJS.Require, module: string): string {
  return findPackage(from, module).version;
}

/** Some packages do not export their package.json, so it is looked for where Node looks for the package. */
function findPackage(from: NodeJS.Require, module: string): { readonly version: string } {
  for (const directory of from.resolve.paths(module) ?? []) {
    try {
      return from(`${directory}/${module}/package.json`) as { version: string };
    } catch {
      // Not in this one.
    }
  }
  throw new Error(`the package ${module} is not installed`);
}

/** Runs the model once and looks at the answer. */
async function provider(executionProvider: string): Promise<{ readonly milliseconds: number }> {
  const ort = fromWorker("onnxruntime-node") as Ort;
  const begin = performance.now();
  const session = await ort.InferenceSession.create(Buffer.from(PROBE_MODEL_BASE64, "base64"), {
    executionProviders: [executionProvider],
    logSeverityLevel: 3,
  });
  const { ANSWER } = await session.run({ QUESTION: new ort.Tensor("float32", Float32Array.of(1, 2, 3, 4), [2, 2]) });
  const got = ANSWER === undefined ? [] : [...(ANSWER.data as Float32Array)];
  if (got.join() !== "2,3,4,5") throw new Error(`it gives wrong results: ${got.join()} instead of 2,3,4,5`);
  return { milliseconds: performance.now() - begin };
}

/** The error of the loader names no library. */
function load(library: string): ReturnType<Koffi["load"]> {
  try {
    return (fromWorker("koffi") as Koffi).load(library);
  } catch (cause) {
    throw new Error(`${library}: cannot open shared object file`, { cause });
  }
}

function nvidia(): object {
  const library = load("libnvidia-ml.so.1");
  const code = library.func("int nvmlInit_v2()")();
  if (code !== 0) throw new Error(`NVIDIA's driver does not answer (NVML error ${code})`);
  const text = (read: (bytes: Buffer) => number) => {
    const bytes = Buffer.alloc(96);
    return read(bytes) === 0 ? bytes.toString("latin1").replace(/\0.*$/s, "") : "unknown";
  };
  const count = [0];
  library.func("int nvmlDeviceGetCount_v2(_Out_ unsigned int*)")(count);
  const driver = text((bytes) =>
    library.func("int nvmlSystemGetDriverVersion(_Out_ uint8_t*, unsigned int)")(bytes, 96),
  );
  const handleOf = library.func("int nvmlDeviceGetHandleByIndex_v2(unsigned int, _Out_ void**)");
  const nameOf = library.func("int nvmlDeviceGetName(void*, _Out_ uint8_t*, unsigned int)");
  const memoryOf = library.func("int nvmlDeviceGetMemoryInfo(void*, _Out_ uint8_t*)");
  const gpus = Array.from({ length: count[0] ?? 0 }, (_, index) => {
    const handle: unknown[] = [null];
    handleOf(index, handle);
    const memory = Buffer.alloc(24);
    memoryOf(handle[0], memory);
    return { name: text((bytes) => nameOf(handle[0], bytes, 96)), memoryBytes: Number(memory.readBigUInt64LE(0)) };
  });
  return { driver, gpus };
}

async function main(): Promise<void> {
  const probe = PROBES[what];
  if (probe === undefined) throw new Error(`there is no probe '${what}'`);
  process.stdout.write(`\n${JSON.stringify({ value: await probe() })}\n`);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stdout.write(`\n${JSON.stringify({ message })}\n`);
});
