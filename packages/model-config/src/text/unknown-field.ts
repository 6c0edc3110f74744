import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { lookup } from "../lookup.ts";
import { closest } from "./closest.ts";
import { type Problem, replaceFix } from "./problems.ts";
import { fieldNamed, schemaPathsOf } from "./schema-index.ts";
import type { FieldNode } from "./tree.ts";

/** Names from other files, other tools or older habits, and the field that is meant. */
const ALIASES: Readonly<Record<string, string>> = {
  optimization_config: "optimization",
  optimization_policy: "optimization",
  inputs: "input",
  outputs: "output",
  datatype: "data_type",
  dtype: "data_type",
  type: "data_type",
  shape: "dims",
  dim: "dims",
  dimensions: "dims",
  instance_groups: "instance_group",
  instances: "count",
  instance_count: "count",
  gpu: "gpus",
  gpu_ids: "gpus",
  batch_size: "max_batch_size",
  max_batchsize: "max_batch_size",
  model_name: "name",
  dynamic_batcher: "dynamic_batching",
  sequence_batcher: "sequence_batching",
  preferred_batch_sizes: "preferred_batch_size",
  max_queue_delay: "max_queue_delay_microseconds",
  max_queue_delay_us: "max_queue_delay_microseconds",
  version: "version_policy",
  versions_policy: "version_policy",
  warmup: "model_warmup",
  ensemble: "ensemble_scheduling",
  ensembling: "ensemble_scheduling",
  steps: "step",
  cache: "response_cache",
  transaction_policy: "model_transaction_policy",
  metrics: "model_metrics",
  label_file: "label_filename",
  labels: "label_filename",
  params: "parameters",
  parameter: "parameters",
  execution_accelerator: "execution_accelerators",
  default_model_file: "default_model_filename",
  model_filename: "default_model_filename",
};

/** The field a wrong name stands for, and what to tell the author. */
export interface UnknownField {
  readonly problem: Problem;
  /** Reading goes on with this field, so that mistakes inside are reported as well. */
  readonly meant: DescField | undefined;
}

/** Explains a field name the message does not have. */
export function explainUnknownField(node: FieldNode, message: DescMessage): UnknownField {
  const name = node.label;
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const known = message.fields.map((field) => field.name);
  const alias = lookup(ALIASES, snake);
  const meantName =
    known.find((candidate) => candidate === snake) ??
    known.find((candidate) => candidate === alias) ??
    (schemaPathsOf(name).length > 0 ? undefined : closest(snake, known));
  const meant = meantName === undefined ? undefined : fieldNamed(message, meantName);
  const where = message.name === "ModelConfig" ? "a model config" : message.name;
  if (meant !== undefined) {
    return {
      meant,
      problem: {
        code: "unknown-field",
        message: `unknown field ${name} in ${where}; did you mean ${meant.name}?`,
        fix: replaceFix(`Rename to ${meant.name}`, node.name, meant.name),
      },
    };
  }
  const homes = schemaPathsOf(name).slice(0, 3);
  return {
    meant: undefined,
    problem: {
      code: "unknown-field",
      message:
        homes.length > 0
          ? `unknown field ${name} in ${where}; it belongs to ${homes.map(homeOf).join(" or ")}`
          : `unknown field ${name} in ${where}; remove it or use one of its fields`,
      help: known.length === 0 ? `${message.name} has no fields` : `Fields here: ${known.join(", ")}`,
    },
  };
}

function homeOf(path: string): string {
  const parent = path.split(".").slice(0, -1).join(".");
  return parent === "" ? "the top level of the file" : `${parent} { ... }`;
}
