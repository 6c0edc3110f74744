import { spawnSync } from "node:child_process";
import { runClosedLoop } from "../load/closed-loop.ts";
import { openHttpLane } from "../load/http-lane.ts";
import { floatRequest } from "../load/infer-request.ts";
import type { ScriptedModel } from "./bench-server.ts";
import type { BenchContext } from "./measure.ts";
import { type BenchRow, median } from "./report.ts";

const CONFIG = `max_batch_size: 64
input [ { name: "INPUT_FP32" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT_FP32" data_type: TYPE_FP32 dims: [ -1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
`;

/** The identity model, in each language that models are written in. */
export const SCRIPTED_IDENTITIES: readonly ScriptedModel[] = [
  {
    name: "identity_script",
    config: `backend: "javascript"\n${CONFIG}`,
    file: "model.mjs",
    source: `export const execute = (requests) =>
  requests.map(({ inputs: { INPUT_FP32 } }) => ({ outputs: { OUTPUT_FP32: { shape: INPUT_FP32.shape, data: INPUT_FP32.data } } }));
`,
  },
  {
    name: "identity_python",
    config: `backend: "python"\n${CONFIG}`,
    file: "model.py",
    source: `import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            tensor = pb_utils.get_input_tensor_by_name(request, "INPUT_FP32")
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT_FP32", tensor.as_numpy())]))
        return responses
`,
  },
];

const SIZES = [16, 150_528] as const;

/** What a request costs through a model in another language than ONNX: p50 over one connection, small and 602 KB, and bytes copied. */
export async function scriptedIdentities({ server, rounds, roundMs }: BenchContext): Promise<BenchRow> {
  const python = spawnSync("python3", ["-c", "import numpy"]).status === 0;
  const names = ["identity", "identity_script", ...(python ? ["identity_python"] : [])];
  for (const name of names) await server.client.loadModel(name);
  const values: Record<string, number> = {};
  const parts: string[] = [];
  for (const elements of SIZES) {
    const p50 = new Map<string, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const name of names) {
        const request = floatRequest(name, { name: "INPUT_FP32", shape: [1, elements], value: 1 });
        const load = await runClosedLoop({
          open: () => openHttpLane({ port: server.port, request }),
          concurrency: 1,
          warmUpMs: 500,
          durationMs: roundMs / 2,
        });
        p50.get(name)?.push(load.p50Us);
      }
    const ofOnnx = median(p50.get("identity") ?? []);
    const size = `${((elements * 4) / 1000).toFixed(elements > 1000 ? 0 : 2)} KB`;
    values[`onnx${elements}Us`] = ofOnnx;
    parts.push(`${size}: ONNX ${ofOnnx.toFixed(0)} µs`);
    for (const name of names.slice(1)) {
      const added = median(p50.get(name) ?? []) - ofOnnx;
      values[`${name}${elements}AddedUs`] = added;
      parts.push(`${name.replace("identity_", "")} ${added >= 0 ? "+" : ""}${added.toFixed(0)} µs`);
    }
  }
  for (const name of names) {
    const { records } = await flightsOf(server.port, name);
    const copied = records[0]?.bytes.copied;
    if (copied !== undefined) values[`${name}CopiedIn`] = copied;
    parts.push(`${name}: ${copied ?? "?"} of 602,112 input bytes copied by the server`);
  }
  if (!python) parts.push("python: not measured, there is no python3 with numpy here");
  return {
    what: "identity in other languages, one connection: p50 added to ONNX",
    measured: parts.join("; "),
    bar: "",
    held: undefined,
    values,
  };
}

async function flightsOf(port: number, model: string): Promise<{ records: { bytes: { copied: number } }[] }> {
  const response = await fetch(`http://127.0.0.1:${port}/nereid/v1/requests?model=${model}`);
  return (await response.json()) as { records: { bytes: { copied: number } }[] };
}
