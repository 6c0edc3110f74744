import type { TestModel } from "./test-model.ts";

/** A model written in JavaScript, with its configuration. */
export function script(name: string, config: string, source: string): TestModel {
  return { name, files: { "config.pbtxt": `backend: "javascript"\n${config}\n`, "1/model.mjs": source } };
}

/** An ensemble: `steps` are the entries of `ensemble_scheduling { step [ … ] }`. */
export function ensemble(
  name: string,
  io: string,
  steps: readonly string[],
  more: { readonly maxBatchSize?: number; readonly scheduling?: string; readonly config?: string } = {},
): TestModel {
  return {
    name,
    files: {
      "config.pbtxt": `platform: "ensemble"\nmax_batch_size: ${more.maxBatchSize ?? 0}\n${io}\n${more.config ?? ""}\nensemble_scheduling { ${more.scheduling ?? ""} step [ ${steps.join(", ")} ] }\n`,
      // A version directory must be there, and needs no file.
      "1/.keep": "",
    },
  };
}

/** One step; maps are written `model name: tensor`. */
export function step(
  model: string,
  maps: {
    readonly in: Readonly<Record<string, string>>;
    readonly out: Readonly<Record<string, string>>;
    readonly version?: number;
  },
): string {
  const entries = (field: string, map: Readonly<Record<string, string>>) =>
    Object.entries(map)
      .map(([key, value]) => `${field} { key: "${key}" value: "${value}" }`)
      .join(" ");
  return `{ model_name: "${model}" model_version: ${maps.version ?? -1} ${entries("input_map", maps.in)} ${entries("output_map", maps.out)} }`;
}

/** `name` FP32 of these dims, as an entry of `input` or `output`. */
export function fp32(name: string, dims = "-1"): string {
  return `{ name: "${name}" data_type: TYPE_FP32 dims: [ ${dims} ] }`;
}

/**
 * Decoupled: `COUNT` answers, each with `INDEX` counting from 0 and `VALUE` given back; waits `parameters.delay_ms` before each. 0 gives
 * none.
 */
export function repeater(name: string, extra = ""): TestModel {
  return script(
    name,
    `max_batch_size: 0
input [ { name: "COUNT" data_type: TYPE_INT32 dims: [ 1 ] }, ${fp32("VALUE")} ]
output [ { name: "INDEX" data_type: TYPE_INT32 dims: [ 1 ] }, ${fp32("VALUE_OUT")} ]
model_transaction_policy { decoupled: true }
${extra}`,
    `export async function execute(requests) {
  for (const request of requests) void answer(request);
}
async function answer(request) {
  const count = request.inputs.COUNT.data[0];
  const value = [...request.inputs.VALUE.data];
  const delay = Number(request.parameters.delay_ms ?? 0);
  for (let index = 0; index < count; index++) {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (request.signal.aborted) break;
    await request.send({ outputs: { INDEX: { shape: [1], data: [index] }, VALUE_OUT: { shape: [value.length], data: value } } });
  }
  await request.end();
}
`,
  );
}
