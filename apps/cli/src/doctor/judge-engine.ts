import type { Attempt, Facts, Provider } from "./facts.ts";
import type { Finding, Subject } from "./finding.ts";

/** Lines of words for an attempt that did not work. */
export function failureText(attempt: Exclude<Attempt<unknown>, { kind: "works" }>): string {
  switch (attempt.kind) {
    case "failed":
      return attempt.message;
    case "crashed":
      return `crashed its process (${attempt.how})${attempt.output === "" ? "" : `: ${attempt.output.replaceAll("\n", " ")}`}`;
    case "silent":
      return `did not answer within ${attempt.seconds} s`;
  }
}

const REINSTALL = "npm ci";
const PROVIDER_FILES = "(cd node_modules/onnxruntime-node && ONNXRUNTIME_NODE_INSTALL=cuda12 node script/install.js)";
const DRIVER =
  "install NVIDIA's driver (https://www.nvidia.com/drivers), then check with: nvidia-smi; in a container start it with: docker run --gpus all";
const CUDA_LIBRARIES =
  "apt-get install cuda-libraries-12-9 cudnn9-cuda-12 (from NVIDIA's repository), or start from an image with them: nvidia/cuda:12.9.1-cudnn-runtime-ubuntu24.04";
const TENSORRT_LIBRARIES =
  "apt-get install libnvinfer10 libnvinfer-plugin10 libnvonnxparsers10 (from NVIDIA's repository)";
const VULKAN =
  "apt-get install libvulkan1, and the driver of your GPU (NVIDIA's has Vulkan; others: apt-get install mesa-vulkan-drivers)";

/** Rows about the engine, its providers and the devices below them. Pure. */
export function judgeEngine({ engine, providers, nvidia, vulkan, llama }: Facts): readonly Finding[] {
  return [
    engine.kind === "works"
      ? { subject: "engine", status: "ok", text: `onnxruntime ${engine.value.version}` }
      : { subject: "engine", status: "problem", text: failureText(engine), fix: REINSTALL },
    ...(["cpu", "cuda", "tensorrt", "webgpu"] as const).map((name) => providerFinding(name, providers[name])),
    nvidiaFinding(nvidia),
    vulkan.kind === "works"
      ? { subject: "vulkan", status: "ok", text: "the loader libvulkan.so.1 is there" }
      : { subject: "vulkan", ...notThere(vulkan), fix: VULKAN },
    llama.kind === "works"
      ? { subject: "llama", status: "ok", text: `node-llama-cpp ${llama.value.version}` }
      : { subject: "llama", ...notThere(llama), fix: "npm install --no-save node-llama-cpp (docs/text-generation.md)" },
  ];
}

function providerFinding(name: Provider, attempt: Attempt<{ readonly milliseconds: number }>): Finding {
  if (attempt.kind === "works") {
    const { milliseconds } = attempt.value;
    return { subject: name, status: "ok", text: `runs a model; the first answer took ${Math.round(milliseconds)} ms` };
  }
  const text = failureText(attempt);
  if (name === "cpu") return { subject: name, status: "problem", text, fix: REINSTALL };
  return { subject: name, ...notThere(attempt), fix: providerFix(name, attempt) };
}

/** A failure of what is optional is an absence; a crash, or silence, is a fault. */
function notThere(attempt: Exclude<Attempt<unknown>, { kind: "works" }>): Pick<Finding, "status" | "text"> {
  return { status: attempt.kind === "failed" ? "absent" : "problem", text: failureText(attempt) };
}

function providerFix(name: Exclude<Provider, "cpu">, attempt: Exclude<Attempt<unknown>, { kind: "works" }>): string {
  if (attempt.kind !== "failed")
    return `update the driver; until then leave the accelerator "${name}" out of configurations`;
  const { message } = attempt;
  if (name === "webgpu")
    return /adapter/i.test(message)
      ? `${VULKAN}; without a GPU name a Vulkan in software with VK_ICD_FILENAMES=<its icd.json>`
      : VULKAN;
  if (message.includes("libonnxruntime_providers_")) return PROVIDER_FILES;
  if (/libcuda\.so/.test(message)) return DRIVER;
  if (/libnvinfer|libnvonnxparser/.test(message)) return TENSORRT_LIBRARIES;
  if (/libcud|libcu[a-z]+|libnvrtc/.test(message)) return CUDA_LIBRARIES;
  return `${PROVIDER_FILES}; then ${name === "cuda" ? CUDA_LIBRARIES : TENSORRT_LIBRARIES}`;
}

function nvidiaFinding(nvidia: Facts["nvidia"]): Finding {
  const subject: Subject = "nvidia";
  if (nvidia.kind !== "works") return { subject, ...notThere(nvidia), fix: DRIVER };
  const { driver, gpus } = nvidia.value;
  if (gpus.length === 0)
    return { subject, status: "absent", text: `driver ${driver} is there, and no GPU`, fix: "nvidia-smi -L" };
  const names = gpus.map(({ name, memoryBytes }) => `${name} (${Math.round(memoryBytes / 2 ** 30)} GiB)`);
  return { subject, status: "ok", text: `driver ${driver}: ${names.join(", ")}` };
}
