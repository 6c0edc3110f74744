import type { ModelConfig } from "../gen/model_config_pb.ts";

/** Model inputs the server feeds itself: sequence controls, states and batch inputs. */
export function extraInputs(config: ModelConfig): { name: string; path: string; what: string }[] {
  const { schedulingChoice } = config;
  const batching = schedulingChoice.case === "sequenceBatching" ? schedulingChoice.value : undefined;
  return [
    ...(batching?.controlInput ?? []).map((control, index) => ({
      name: control.name,
      path: `sequence_batching.control_input[${index}].name`,
      what: "sequence control",
    })),
    ...(batching?.state ?? []).map((state, index) => ({
      name: state.inputName,
      path: `sequence_batching.state[${index}].input_name`,
      what: "sequence state",
    })),
    ...config.batchInput.flatMap((batch, index) =>
      batch.targetName.map((name) => ({ name, path: `batch_input[${index}].target_name`, what: "batch input" })),
    ),
  ];
}

/** Outputs of the model that the server keeps as the states of sequences. */
export function stateOutputs({ schedulingChoice }: ModelConfig): readonly string[] {
  return schedulingChoice.case === "sequenceBatching"
    ? schedulingChoice.value.state.map(({ outputName }) => outputName)
    : [];
}
