import type { ModelConfig } from "./gen/model_config_pb.ts";

/** The dims of an input or output as numbers; -1 is a variable-size dimension, the batch dimension is not included. */
export function dimsOf(io: { readonly dims: readonly bigint[] }): number[] {
  return io.dims.map(Number);
}

export type SchedulerKind = "default" | "dynamic" | "sequence" | "ensemble";

/** Which scheduler the config asks for; `default` when it names none. */
export function schedulerKind(config: ModelConfig): SchedulerKind {
  switch (config.schedulingChoice.case) {
    case "dynamicBatching":
      return "dynamic";
    case "sequenceBatching":
      return "sequence";
    case "ensembleScheduling":
      return "ensemble";
    default:
      return "default";
  }
}
