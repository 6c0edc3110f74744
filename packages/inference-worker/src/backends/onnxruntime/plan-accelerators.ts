import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";
import type { InstanceSpec } from "../../models/model-spec.ts";
import type { ExecutionProvider } from "../../runner-protocol/messages.ts";
import type { SessionPlan } from "../backend.ts";
import { tensorrtOptions } from "./tensorrt-options.ts";

export interface AcceleratorPlan {
  /** In order of preference; the processor is always the last. */
  readonly executionProviders: readonly ExecutionProvider[];
  /** The providers need options, or are ones, that only the engine's Python package has. */
  readonly needsPythonEngine: boolean;
  readonly warnings: SessionPlan["warnings"];
}

interface Accelerator {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Options that the WebGPU provider of the Node engine takes. */
export const WEBGPU_KEYS: ReadonlySet<string> = new Set([
  "preferredLayout",
  "validationMode",
  "storageBufferCacheMode",
  "forceCpuNodeNames",
]);
const PATH = "optimization.execution_accelerators";

/**
 * Execution providers of a configuration (backends.md §3.2). INVALID_ARGUMENT for an accelerator or a key that there is not; a warning, by
 * name, for what has no effect on these instances.
 */
export function planAccelerators(config: ModelConfig, instances: readonly InstanceSpec[]): AcceleratorPlan {
  const asked = config.optimization?.executionAccelerators;
  const gpu = instances.find(({ kind }) => kind === "KIND_GPU");
  const gpuAccelerators = asked?.gpuExecutionAccelerator ?? [];
  const cpuAccelerators = asked?.cpuExecutionAccelerator ?? [];
  for (const one of gpuAccelerators) refuseUnknown(one, ["tensorrt", "cuda", "webgpu"]);
  for (const one of cpuAccelerators) refuseUnknown(one, ["openvino", "webgpu"]);
  const warnings: SessionPlan["warnings"][number][] = [];
  const idle = (list: string, names: readonly Accelerator[], where: string) =>
    warnings.push(
      ...names.map(({ name }) => ({
        code: "accelerator-idle",
        message: `${list} '${name}' has no effect: ${where}`,
        path: `${PATH}.${list}`,
      })),
    );
  if (gpu === undefined)
    idle(
      "gpu_execution_accelerator",
      gpuAccelerators,
      "it is for instances on a GPU, and this model has none (instance_group { kind: KIND_GPU })",
    );
  else
    idle("cpu_execution_accelerator", cpuAccelerators, "it is for instances on the CPU, and this model's are on a GPU");
  // The keys are checked even where they have no effect: the same configuration will be used on another machine.
  const onGpu = gpuAccelerators.map((one) => providerOf(one, gpu?.device));
  const onCpu = cpuAccelerators.map((one) => providerOf(one, undefined));
  const chosen = gpu === undefined ? onCpu : onGpu;
  const withCuda =
    gpu === undefined || chosen.some(({ name }) => name === "cuda" || name === "webgpu")
      ? chosen
      : [...chosen, { name: "cuda", deviceId: gpu.device } as const];
  const webgpu = chosen.some(({ name }) => name === "webgpu");
  if (webgpu && instances.length > 1)
    throw invalid(
      `the webgpu accelerator runs one instance in a process, and this model has ${instances.length}: write instance_group { count: 1 }, and let dynamic_batching fill it`,
    );
  if (webgpu) warnings.push(...unreadKeys(gpu === undefined ? cpuAccelerators : gpuAccelerators));
  return {
    executionProviders: [...withCuda, { name: "cpu" }],
    needsPythonEngine: withCuda.some(
      ({ name, options }) => name === "openvino" || (name !== "webgpu" && options !== undefined),
    ),
    warnings,
  };
}

function providerOf({ name, parameters }: Accelerator, device: number | undefined): ExecutionProvider {
  const at = device === undefined ? {} : { deviceId: device };
  const given = Object.keys(parameters).length > 0;
  switch (name) {
    case "tensorrt": {
      const options = tensorrtOptions(parameters);
      return { name, ...at, ...(given && { options }) };
    }
    case "cuda":
      return { name, ...at, ...(given && { options: parameters }) };
    case "openvino":
      return { name, ...(given && { options: parameters }) };
    default: {
      const options = Object.fromEntries(Object.entries(parameters).filter(([key]) => WEBGPU_KEYS.has(key)));
      return { name: "webgpu", ...(Object.keys(options).length > 0 && { options }) };
    }
  }
}

function unreadKeys(accelerators: readonly Accelerator[]): SessionPlan["warnings"] {
  return accelerators
    .filter(({ name }) => name === "webgpu")
    .flatMap(({ parameters }) => Object.keys(parameters).filter((key) => !WEBGPU_KEYS.has(key)))
    .map((key) => ({
      code: "unknown-parameter",
      message: `parameter '${key}' is not read by the webgpu accelerator, which has ${[...WEBGPU_KEYS].join(", ")}`,
      path: PATH,
    }));
}

function refuseUnknown({ name }: Accelerator, known: readonly string[]): void {
  if (known.includes(name)) return;
  const other =
    name === "openvino"
      ? " (openvino is a cpu_execution_accelerator)"
      : name === "tensorrt" || name === "cuda"
        ? ` (${name} is a gpu_execution_accelerator)`
        : ` (there are ${known.join(", ")})`;
  throw invalid(`unknown Execution Accelerator '${name}' is requested${other}`);
}

function invalid(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
