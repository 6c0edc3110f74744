import { tunedModel } from "@nereid/perf";
import { describe, expect, it } from "vitest";
import { ANALYZE_HELP } from "./analyze-help.ts";
import { ANALYZE_KEYS } from "./analyze-keys.ts";
import { describeRecommended, lineDiff } from "./describe-recommended.ts";
import { expandParameters } from "./expand-parameters.ts";
import { parseAnalyze } from "./parse-analyze.ts";
import { perfArguments } from "./perf-arguments.ts";
import { planTuning } from "./plan-tuning.ts";
import { variantConfig } from "./triton-host.ts";

const MODEL = tunedModel("mnist", {
  name: "mnist",
  backend: "onnxruntime",
  max_batch_size: 64,
  instance_group: [{ name: "mnist_0", count: 2, kind: "KIND_CPU" }],
  dynamic_batching: { preferred_batch_size: [16], max_queue_delay_microseconds: 200 },
});

const parse = (args: string, file = "") => parseAnalyze(args.split(" "), { env: {}, readFile: () => file });
const plan = (args: string, file = "") => {
  const command = parse(args, file);
  const [order] = command.models;
  if (order === undefined) throw new Error("no model");
  return planTuning(order, { command, model: MODEL, processors: 2, offsetsMs: [] });
};

describe("parseAnalyze()", () => {
  it("takes options before the file, and a model's own before both", () => {
    const file = `
profile_models:
  mnist: { parameters: { concurrency: [2, 4] }, constraints: { perf_latency_p99: { max: 9 } } }
  other:
concurrency: 1,2,4,8
duration_seconds: 5
triton_launch_mode: remote
`;
    const command = parse("profile -f t.yml --duration-seconds 2 -v", file);
    expect(command.models.map(({ name, loads }) => [name, loads.concurrency])).toEqual([
      ["mnist", [2, 4]],
      ["other", [1, 2, 4, 8]],
    ]);
    expect(command.models[0]?.settings.number("duration_seconds")).toBe(2);
    expect(command.verbosity).toBe("verbose");
    expect(command.warnings).toEqual([
      "t.yml: triton_launch_mode is passed over: the server that runs is used, and nothing of it is restarted",
    ]);
  });

  it.each([
    ["", "is no verb"],
    ["tune", "is no verb"],
    ["profile --concurency 4", "did you mean concurrency?"],
    ["profile --run-config-profile-models-concurrently-enable", "one model after the other"],
    ["profile mnist", "is no option"],
    ["profile --duration-seconds", "needs a value"],
    ["profile --constraints x", "stands in the file only"],
    ["profile -n mnist --output-formats=doc", "output_formats has 'doc'"],
    ["profile -n mnist --client-protocol=udp", "use http, grpc"],
  ])("refuses '%s' and says what to do", (args, words) => {
    let told = "";
    try {
      parse(args);
    } catch (error) {
      told = `${String(error)} ${error instanceof Error && "fix" in error ? String(error.fix) : ""}`;
    }
    expect(told).toContain(words);
  });

  it.each([
    ["profle_models: mnist", "did you mean profile_models?"],
    ["profile_models: { mnist: { parameters: { rate: 3 } } }", "parameters.rate is not known"],
    ["[1, 2]", "has no settings"],
    ["{", "is no YAML"],
  ])("refuses the file '%s'", (file, words) => {
    let told = "";
    try {
      parse("profile -f t.yml", file);
    } catch (error) {
      told = `${String(error)} ${error instanceof Error && "fix" in error ? String(error.fix) : ""}`;
    }
    expect(told).toContain(words);
  });

  it("tells of every setting that is an option", () => {
    for (const [name, key] of Object.entries(ANALYZE_KEYS))
      if (!("fileOnly" in key)) expect(ANALYZE_HELP).toContain(`--${name.replaceAll("_", "-")}`);
  });
});

describe("planTuning()", () => {
  it("searches Model Analyzer's space by brute force", () => {
    const { space, search, spec } = plan("profile -n mnist --run-config-search-mode brute");
    // 5 instances x 8 batch sizes, and the present configuration; 1 to 1024 requests in flight.
    expect(space.configs).toHaveLength(41);
    expect(space.points).toHaveLength(41 * 11);
    expect(search.earlyExit).toBe(true);
    expect(spec.objectives).toEqual([{ metric: "perf_throughput", weight: 1 }]);
  });

  it("measures a part of it in the usual mode", () => {
    const { spec, space } = plan("profile -n mnist --good-within-ms 10");
    expect(spec.budget.measurements).toBeLessThanOrEqual(Math.ceil(space.points.length * 0.15));
    expect(spec.objectives).toEqual([{ metric: "goodput", weight: 1 }]);
  });

  it("tries exactly what the file says", () => {
    const file = `
profile_models:
  mnist:
    parameters: { concurrency: 4 }
    model_config_parameters:
      instance_group: [{ kind: KIND_CPU, count: [1, 3] }]
      dynamic_batching: { max_queue_delay_microseconds: [0, 100], preferred_batch_size: [[4], [4, 8]] }
latency_budget: 7
objectives: { perf_throughput: 2, perf_latency_p99: 1 }
`;
    const { space, spec } = plan("profile -f t.yml --run-config-search-mode brute", file);
    expect(space.configs).toHaveLength(1 + 2 * 2 * 2);
    expect(space.configs[1]).toMatchObject({
      id: "mnist_config_0",
      setting: { instances: 1, queueDelayUs: 0, preferred: [4], maxBatchSize: 64 },
    });
    expect(spec.constraints).toEqual([{ metric: "perf_latency_p99", min: null, max: 7 }]);
    expect(spec.objectives).toHaveLength(2);
  });

  it.each([
    ["--objectives speed", "objectives has 'speed'"],
    ["--run-config-search-mode fast", "use simulated, brute, quick or optuna"],
    ["--concurrency 4 --request-rate 10", "exclude each other"],
    ["--concurrency 0", "concurrency is '0'"],
    ["--busy-share x", "busy_share is 'x'"],
  ])("refuses %s", (args, words) => {
    let told = "";
    try {
      plan(`profile -n mnist ${args}`);
    } catch (error) {
      told = `${String(error)} ${error instanceof Error && "fix" in error ? String(error.fix) : ""}`;
    }
    expect(told).toContain(words);
  });
});

it("expandParameters() sweeps lists, and lists of lists where a list is one value", () => {
  expect(
    expandParameters({ max_batch_size: [1, 2], instance_group: [[{ count: 1 }], [{ count: 2 }, { count: 3 }]] }),
  ).toHaveLength(4);
  expect(expandParameters({ dynamic_batching: {} })).toEqual([{ dynamic_batching: {} }]);
  expect(() => expandParameters([])).toThrow("is no map");
});

it("a variant for a Triton server is a whole configuration under its own name, without what was taken away", () => {
  const config = {
    id: "mnist_config_3",
    setting: MODEL.present,
    fields: { dynamic_batching: null, max_batch_size: 1 },
  };
  const whole = variantConfig(config, MODEL);
  expect(whole).toMatchObject({ name: "mnist_config_3", max_batch_size: 1, backend: "onnxruntime" });
  expect(whole).not.toHaveProperty("dynamic_batching");
});

it("perfArguments() passes options on, but for those the tuning sets itself", () => {
  const place = { protocol: "http", server: "http://127.0.0.1:8000", grpc: "localhost:8001" } as const;
  expect(perfArguments(place, { shape: ["A:1", "B:2"], streaming: true, "input-data": "zero" })).toEqual(
    "-i http -u 127.0.0.1:8000 --shape A:1 --shape B:2 --streaming --input-data zero".split(" "),
  );
  expect(() => perfArguments(place, { "concurrency-range": 4 })).toThrow("is set by the tuning");
});

it("a recommendation tells the lines of config.pbtxt that change", () => {
  const fields = { max_batch_size: 8, dynamic_batching: null };
  const recommended = { config: "c", point: "c 1 1", fields, text: null, diff: [], why: [], confidence: 1 };
  const { diff, text } = describeRecommended(recommended, MODEL);
  expect(text).toContain("max_batch_size: 8");
  expect(diff).toContainEqual({ kind: "removed", text: "max_batch_size: 64" });
  expect(diff).toContainEqual({ kind: "added", text: "max_batch_size: 8" });
  expect(text).not.toContain("dynamic_batching");
  expect(lineDiff(["a", "b"], ["a", "c", "b"]).map(({ kind }) => kind)).toEqual(["same", "added", "same"]);
});
