/**
 * Configuration fields this server acts on, as path prefixes. A field that is set and not covered here is accepted, and
 * named as a warning in the answer of the load.
 */
export const HONOURED_FIELDS: ReadonlySet<string> = new Set([
  "name",
  "platform",
  "backend",
  "default_model_filename",
  "version_policy",
  "max_batch_size",
  "metric_tags",
  "input.name",
  "input.data_type",
  "input.dims",
  "input.reshape",
  "input.optional",
  "output.name",
  "output.data_type",
  "output.dims",
  "output.reshape",
  "output.label_filename",
  "instance_group.name",
  "instance_group.count",
  "instance_group.kind",
  "instance_group.gpus",
  "dynamic_batching.preferred_batch_size",
  "dynamic_batching.max_queue_delay_microseconds",
  "dynamic_batching.default_queue_policy.default_timeout_microseconds",
  "dynamic_batching.default_queue_policy.allow_timeout_override",
  "dynamic_batching.default_queue_policy.max_queue_size",
  "optimization.graph.level",
  "parameters",
]);
