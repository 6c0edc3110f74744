import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPerfCli } from "./testing/run-perf-cli.ts";
import { type ServedModels, serveModels } from "./testing/served-models.ts";

const TENSORS = `input [ { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
`;
const ANSWER = "{ outputs: { OUT: { shape: IN.shape, data: IN.data.slice() } } }";
const MODELS = {
  // The scheduler refuses a request of a sequence that has not begun; the model one that comes with another's number.
  counted: {
    config: `backend: "javascript"\nmax_batch_size: 4\nsequence_batching { max_sequence_idle_microseconds: 60000000 }\n${TENSORS}`,
    source: `export const execute = (requests) => requests.map(({ inputs: { IN } }) => (${ANSWER}));\n`,
  },
  thrice: {
    config: `backend: "javascript"\nmodel_transaction_policy { decoupled: true }\n${TENSORS}`,
    source: `export async function execute(requests) {
  for (const request of requests) {
    const { IN } = request.inputs;
    const data = IN.data.slice();
    for (let number = 0; number < 3; number += 1) await request.send({ outputs: { OUT: { shape: [1], data } } });
    request.end();
  }
}
`,
  },
} as const;

const directory = mkdtempSync(join(tmpdir(), "nereid-perf-scripted-"));
let server: ServedModels;
beforeAll(async () => {
  for (const [name, { config, source }] of Object.entries(MODELS)) {
    mkdirSync(join(directory, "models", name, "1"), { recursive: true });
    writeFileSync(join(directory, "models", name, "config.pbtxt"), config);
    writeFileSync(join(directory, "models", name, "1/model.mjs"), source);
  }
  server = await serveModels(join(directory, "models"));
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("nereid perf on a model of sequences", () => {
  it.each([
    ["closed loop, HTTP", () => ["-u", server.http, "--concurrency-range", "3"]],
    ["closed loop, gRPC stream", () => ["-u", server.grpc, "-i", "grpc", "--streaming", "--concurrency-range", "3"]],
    ["open loop", () => ["-u", server.http, "--request-rate-range", "300", "--num-of-sequences", "6"]],
  ])("%s: every request follows the one before it, and sequences end", async (_name, load) => {
    const length = ["--sequence-length", "5", "--sequence-length-variation", "0"];
    const { code, stdout } = await runPerfCli(["-m", "counted", ...load(), ...length, "--request-count", "100"]);
    expect(stdout).not.toContain("Failed request count");
    expect([code, /Request count: (\d+)/.exec(stdout)?.[1]]).toEqual([0, "100"]);
    const ended = Number(/Sequence count: (\d+)/.exec(stdout)?.[1]);
    // The sequences under way at the end have not ended.
    expect(ended).toBeGreaterThanOrEqual(14);
    expect(ended).toBeLessThanOrEqual(20);
  });
});

describe("nereid perf on a decoupled model", () => {
  it("counts all answers of a request, and ends it with the last", async () => {
    const file = join(directory, "export.json");
    const args = ["-m", "thrice", "-u", server.grpc, "-i", "grpc", "--streaming", "--concurrency-range", "2"];
    const { code, stdout } = await runPerfCli([...args, "--request-count", "40", "--profile-export-file", file]);
    expect(code).toBe(0);
    expect(stdout).toContain("Detected decoupled model");
    const [, requests = "", responses = ""] =
      /Throughput: ([\d.]+) infer[\s\S]*?Response Throughput: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(responses) / Number(requests)).toBeCloseTo(3, 3);
    const { experiments } = JSON.parse(readFileSync(file, "utf8")) as {
      experiments: { requests: { response_timestamps: number[] }[] }[];
    };
    const times = experiments[0]?.requests.map((request) => request.response_timestamps.length) ?? [];
    expect(times).toEqual(Array(40).fill(3));
  });
});
