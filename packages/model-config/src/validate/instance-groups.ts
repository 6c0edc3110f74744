import { ModelInstanceGroup_Kind as Kind, type ModelInstanceGroup } from "../gen/model_config_pb.ts";
import { fixOf, type Scope } from "./scope.ts";

/** Lowest CUDA compute capability Triton's official builds support. */
export const MIN_COMPUTE_CAPABILITY = 6;

interface Device {
  readonly id: number;
  readonly computeCapability?: number;
}

export interface DeviceContext {
  readonly gpus: readonly Device[];
  readonly cudaBuild: boolean;
}

/** Ids of the GPUs that may run models, ascending. */
export function supportedGpus(gpus: readonly Device[]): number[] {
  return gpus
    .filter((gpu) => (gpu.computeCapability ?? MIN_COMPUTE_CAPABILITY) >= MIN_COMPUTE_CAPABILITY)
    .map((gpu) => gpu.id)
    .sort((a, b) => a - b);
}

/** Kind, GPUs and profiles of the groups that are given; unnamed ones are called `<model>_<index>`. */
export function checkInstanceGroups(scope: Scope, context: DeviceContext): void {
  for (const [index, group] of scope.config.instanceGroup.entries()) {
    const path = `instance_group[${index}]`;
    const name = group.name === "" ? `${scope.model}_${index}` : group.name;
    const add = (at: string, text: string, fix: { help?: string; fix?: ReturnType<typeof fixOf> } = {}) =>
      scope.report.add({
        code: "instance-group",
        path: `${path}.${at}`,
        message: `instance group ${name} of model ${scope.model} ${text}`,
        ...fix,
      });
    checkKind(group, context, {
      add,
      useCpu: () => fixOf(scope.report, "Write kind: KIND_CPU", { op: "set", path: `${path}.kind`, value: "KIND_CPU" }),
      dropGpus: () => fixOf(scope.report, "Remove gpus", { op: "remove", path: `${path}.gpus` }),
    });
    if (group.profile.length > 0 && scope.config.backend !== "tensorrt") {
      add("profile", "specifies an optimization profile, which only TensorRT supports", {
        fix: fixOf(scope.report, "Remove profile", { op: "remove", path: `${path}.profile` }),
      });
    }
  }
}

interface Reporter {
  add(at: string, text: string, more?: { help?: string; fix?: ReturnType<typeof fixOf> }): void;
  useCpu(): ReturnType<typeof fixOf>;
  dropGpus(): ReturnType<typeof fixOf>;
}

function checkKind(group: ModelInstanceGroup, context: DeviceContext, to: Reporter): void {
  if (group.kind === Kind.CPU || group.kind === Kind.MODEL) {
    if (group.gpus.length === 0) return;
    const help = "Remove gpus, or write kind: KIND_GPU.";
    to.add("gpus", `has kind KIND_${Kind[group.kind]} but specifies one or more GPUs`, { help, fix: to.dropGpus() });
    return;
  }
  if (group.kind !== Kind.GPU) return;
  const supported = supportedGpus(context.gpus);
  if (!context.cudaBuild || supported.length === 0) {
    const why = context.cudaBuild ? "no GPUs are available" : "server does not support GPUs";
    const help = "Write kind: KIND_CPU, or KIND_AUTO to use a GPU where there is one.";
    to.add("kind", `has kind KIND_GPU but ${why}`, { help, fix: to.useCpu() });
    return;
  }
  for (const [index, id] of group.gpus.entries()) {
    if (supported.includes(id)) continue;
    to.add(
      `gpus[${index}]`,
      `specifies invalid or unsupported gpu id ${id}. GPUs with at least the minimum required CUDA compute ` +
        `compatibility of ${MIN_COMPUTE_CAPABILITY.toFixed(6)} are: ${supported.join(", ")}`,
    );
  }
}
