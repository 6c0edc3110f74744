import { NereidError } from "@nereid/errors";
import { type ModelConfig, ModelInstanceGroup_Kind } from "@nereid/model-config";
import type { Gpu } from "../devices/detect-gpus.ts";
import type { InstanceSpec } from "./model-spec.ts";

const MOST_INSTANCES = 256;

/** One entry for every instance of normalised groups: `count` on CPU, `count` for each GPU. Those of passive groups take no requests. */
export function expandInstances(config: ModelConfig, gpus: readonly Gpu[] = []): readonly InstanceSpec[] {
  const instances: InstanceSpec[] = [];
  for (const group of config.instanceGroup) {
    const kind =
      group.kind === ModelInstanceGroup_Kind.GPU
        ? "KIND_GPU"
        : group.kind === ModelInstanceGroup_Kind.MODEL
          ? "KIND_MODEL"
          : "KIND_CPU";
    const devices = kind === "KIND_GPU" ? group.gpus : [0];
    if (group.count * devices.length + instances.length > MOST_INSTANCES) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `model '${config.name}' asks for more than ${MOST_INSTANCES} instances; each is a thread with its own copy of the weights`,
      );
    }
    for (const device of devices) {
      const gpuUuid = kind === "KIND_GPU" ? gpus.find(({ id }) => id === device)?.uuid : undefined;
      for (let index = 0; index < group.count; index++) {
        instances.push({
          name: `${group.name}_${index}`,
          kind,
          device,
          ...(gpuUuid !== undefined && { gpuUuid }),
          ...(group.passive && { passive: true }),
          ...(group.hostPolicy !== "" && { hostPolicy: group.hostPolicy }),
          ...rateLimitOf(group),
        });
      }
    }
  }
  return instances;
}

function rateLimitOf({ rateLimiter }: ModelConfig["instanceGroup"][number]): Pick<InstanceSpec, "rateLimit"> {
  return {
    rateLimit: {
      resources: (rateLimiter?.resources ?? []).map(({ name, global, count }) => ({ name, global, count })),
      priority: Math.max(1, rateLimiter?.priority ?? 1),
    },
  };
}
