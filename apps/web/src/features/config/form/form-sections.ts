import type { FormList, FormNames, FormSection } from "./form-types.ts";
import { controlsOf, type Values } from "./read-values.ts";

const DATA_TYPES = ["BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64"]
  .concat(["FP16", "BF16", "FP32", "FP64", "STRING"])
  .map((name) => ({ value: `TYPE_${name}`, label: `TYPE_${name}` }));
const KINDS = [
  { value: "", label: "A GPU where there is one" },
  { value: "KIND_CPU", label: "CPU" },
  { value: "KIND_GPU", label: "GPU" },
  { value: "KIND_MODEL", label: "The model decides" },
];

/** Path of the pseudo fields that choose one block out of several. */
export const SCHEDULER = "scheduler";
export const POLICY = "policy";

function list(
  values: Values,
  given: Omit<FormList, "items"> & { readonly fields: (path: string) => FormList["items"][number]["fields"] },
): FormList {
  const { fields, ...rest } = given;
  const items = Array.from({ length: values.count(rest.path) }, (_, index) => {
    const path = `${rest.path}[${index}]`;
    const name = values.text(`${path}.name`);
    return { path, title: name === "" ? `${rest.noun} ${index + 1}` : name, fields: fields(path) };
  });
  return { ...rest, items };
}

export function ioSection(values: Values, names: FormNames): FormSection {
  const { text, select, integers } = controlsOf(values);
  const tensors = (path: string, noun: string, suggestions: readonly string[]): FormList =>
    list(values, {
      path,
      noun,
      blank: { name: suggestions[values.count(path)] ?? "", data_type: "TYPE_FP32", dims: [-1] },
      fields: (at) => [
        text(`${at}.name`, { label: "Name", suggestions }),
        select(`${at}.data_type`, {
          label: "Type",
          options: [{ value: "", label: "Not given" }, ...DATA_TYPES],
          empty: "TYPE_INVALID",
        }),
        integers(`${at}.dims`, { label: "Shape of one item", hint: "-1 may vary; without the batch dimension" }),
      ],
    });
  return {
    id: "io",
    title: "Inputs and outputs",
    hint: "Left out, they are completed from the model’s graph.",
    fields: [],
    lists: [tensors("input", "Input", names.inputs), tensors("output", "Output", names.outputs)],
  };
}

export function batchingSection(values: Values): FormSection {
  const { integer, integers, flag } = controlsOf(values);
  const block = "dynamic_batching";
  const policy = `${block}.default_queue_policy`;
  const scheduler = values.has(block)
    ? "dynamic"
    : values.has("sequence_batching")
      ? "sequence"
      : values.has("ensemble_scheduling")
        ? "ensemble"
        : "";
  const options = [
    { value: "", label: "None written" },
    { value: "dynamic", label: "Dynamic batching" },
    ...(scheduler === "sequence" ? [{ value: "sequence", label: "Sequence batching (edit in text)" }] : []),
    ...(scheduler === "ensemble" ? [{ value: "ensemble", label: "Ensemble (edit in text)" }] : []),
  ];
  const dynamic = [
    integers(`${block}.preferred_batch_size`, {
      label: "Preferred batch sizes",
      placeholder: "max_batch_size",
      hint: "items",
    }),
    integer(`${block}.max_queue_delay_microseconds`, {
      label: "Longest wait for company",
      placeholder: "0",
      hint: "microseconds",
    }),
    integer(`${policy}.max_queue_size`, { label: "Most requests waiting", placeholder: "no limit" }),
    integer(`${policy}.default_timeout_microseconds`, {
      label: "Longest wait in the queue",
      placeholder: "no limit",
      hint: "microseconds",
    }),
    flag(`${policy}.allow_timeout_override`, { label: "Requests may bring a shorter limit" }),
  ];
  return {
    id: "batching",
    title: "Batching",
    hint: "How requests that wait together become one execution.",
    fields: [
      integer("max_batch_size", { label: "Largest batch", placeholder: "0: no batching", hint: "items" }),
      { path: SCHEDULER, kind: "select", label: "Scheduler", value: scheduler, options },
      ...(scheduler === "dynamic" ? dynamic : []),
    ],
    lists: [],
  };
}

export function instancesSection(values: Values): FormSection {
  const { integer, integers, select } = controlsOf(values);
  return {
    id: "instances",
    title: "Instances",
    hint: "Copies of the model that run side by side. Changing only the count needs no reload.",
    fields: [],
    lists: [
      list(values, {
        path: "instance_group",
        noun: "Group",
        blank: { count: 1, kind: "KIND_CPU" },
        fields: (at) => [
          integer(`${at}.count`, { label: "Count", placeholder: "1; 2 on CPUs" }),
          select(`${at}.kind`, { label: "Runs on", options: KINDS, empty: "KIND_AUTO" }),
          integers(`${at}.gpus`, { label: "GPU numbers", placeholder: "all" }),
        ],
      }),
    ],
  };
}

export function versionsSection(values: Values): FormSection {
  const { integer, integers } = controlsOf(values);
  const block = "version_policy";
  const policy = ["latest", "all", "specific"].find((name) => values.has(`${block}.${name}`)) ?? "";
  return {
    id: "versions",
    title: "Versions",
    hint: "Which of the numbered directories are served.",
    fields: [
      {
        path: POLICY,
        kind: "select",
        label: "Policy",
        value: policy,
        options: [
          { value: "", label: "Not written: the newest" },
          { value: "latest", label: "The newest ones" },
          { value: "all", label: "All" },
          { value: "specific", label: "Exactly these" },
        ],
      },
      ...(policy === "latest"
        ? [integer(`${block}.latest.num_versions`, { label: "How many", placeholder: "1" })]
        : []),
      ...(policy === "specific" ? [integers(`${block}.specific.versions`, { label: "Version numbers" })] : []),
    ],
    lists: [],
  };
}

export function warmupSection(values: Values): FormSection {
  const { integer, text } = controlsOf(values);
  return {
    id: "warm-up",
    title: "Warm-up",
    hint: "Made-up requests that run before the model is ready. What they hold is edited in the text.",
    fields: [],
    lists: [
      list(values, {
        path: "model_warmup",
        noun: "Sample",
        blank: { name: "zeros", batch_size: 1, count: 1 },
        fields: (at) => [
          text(`${at}.name`, { label: "Name" }),
          integer(`${at}.batch_size`, { label: "Batch size", hint: "items" }),
          integer(`${at}.count`, { label: "Runs", placeholder: "1" }),
        ],
      }),
    ],
  };
}

export function acceleratorsSection(values: Values): FormSection {
  const { text, integer } = controlsOf(values);
  const block = "optimization.execution_accelerators";
  const accelerators = (side: "gpu" | "cpu", known: string): FormList =>
    list(values, {
      path: `${block}.${side}_execution_accelerator`,
      noun: `${side.toUpperCase()} accelerator`,
      blank: { name: known },
      fields: (at) => [text(`${at}.name`, { label: "Name", suggestions: [known] })],
    });
  return {
    id: "accelerators",
    title: "Accelerators",
    hint: "Libraries inside the engine that run parts of the graph. Their parameters are edited in the text.",
    fields: [
      integer("optimization.graph.level", {
        label: "Graph optimization level",
        placeholder: "0: the engine’s default",
      }),
    ],
    lists: [accelerators("gpu", "tensorrt"), accelerators("cpu", "openvino")],
  };
}
