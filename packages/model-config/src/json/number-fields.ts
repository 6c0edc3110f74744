/**
 * 64-bit fields that Triton's JSON shows as numbers (model-config.md §10); all others stay strings, as protobuf JSON has
 * them. `*` stands for any map key; list elements have no step of their own.
 */
export const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  "input.dims",
  "input.reshape.shape",
  "output.dims",
  "output.reshape.shape",
  "version_policy.specific.versions",
  "dynamic_batching.max_queue_delay_microseconds",
  "dynamic_batching.priority_levels",
  "dynamic_batching.default_priority_level",
  "dynamic_batching.default_queue_policy.default_timeout_microseconds",
  "dynamic_batching.priority_queue_policy.*.default_timeout_microseconds",
  "sequence_batching.max_sequence_idle_microseconds",
  "sequence_batching.direct.max_queue_delay_microseconds",
  "sequence_batching.oldest.max_queue_delay_microseconds",
  "sequence_batching.state.dims",
  "ensemble_scheduling.step.model_version",
  "model_warmup.inputs.*.dims",
]);
