import { describe, expect, it } from "vitest";
import { fixtureData } from "./fixture-data.ts";
import { loadTestArgs, loadTestCommand, loadTestScenario } from "./load-test-args.ts";
import { levelsOf, loadTestSpec } from "./load-test-spec.ts";

const place = { address: "127.0.0.1:8000", inputFile: "requests.json", arrivalsFile: "arrivals.txt" };
const spec = (load: object, more: object = {}) => loadTestSpec.parse({ model: "mnist", load, ...more });
const argsOf = (load: object, more: object = {}) => loadTestArgs(spec(load, more), place).join(" ");

describe("the command of a load test", () => {
  it.each([
    [{ kind: "concurrency", from: 1, to: 8, step: 2 }, "--concurrency-range 1:8:2"],
    [{ kind: "concurrency", from: 4, to: 4 }, "--concurrency-range 4"],
    [{ kind: "rate", from: 100, to: 100 }, "--request-rate-range 100 --request-distribution poisson"],
    [
      { kind: "rate", from: 1, to: 3, step: 0.5, distribution: "constant" },
      "--request-rate-range 1:3:0.5 --request-distribution constant",
    ],
    [
      { kind: "bursts", from: 50, to: 50, size: 5 },
      "--request-rate-range 50 --request-distribution bursts --burst-size 5",
    ],
    [
      { kind: "knee", from: 100, to: 2000, factor: 2, limitMs: 20 },
      "--ramp-to-knee 100:2000:2 --request-distribution poisson -l 20 --percentile 99",
    ],
  ])("%j", (load, expected) => {
    expect(argsOf(load)).toBe(`-m mnist -u 127.0.0.1:8000 ${expected} -p 2778`);
  });

  it("has every option that is not the usual one, and quotes for the shell what needs it", () => {
    const one = spec(
      { kind: "recorded", seconds: 60 },
      {
        version: "3",
        protocol: "grpc",
        streaming: true,
        batch: 8,
        shapes: { "in put": [3, 224] },
        input: { kind: "json", text: "{}" },
        sequences: { length: 5 },
        goodWithinMs: 20,
      },
    );
    expect(loadTestCommand(one, place)).toBe(
      "npx nereid perf -m mnist -x 3 -u 127.0.0.1:8000 -i grpc --streaming -b 8 --recorded-arrivals arrivals.txt --input-data requests.json --shape 'in put:3,224' --sequence-length 5 --sequence-length-variation 20 --num-of-sequences 4 --goodput latency:20",
    );
  });

  it("as a scenario has one level, its thresholds, and the rest as options", () => {
    const one = spec(
      { kind: "bursts", from: 100, to: 300, size: 5 },
      { goodWithinMs: 20, input: { kind: "zero" }, duration: 30, batch: 2 },
    );
    const thresholds = [
      { kind: "latency", percentile: 99, atMostMs: 20 },
      { kind: "error-share", atMost: 0.001 },
      { kind: "throughput", atLeast: 490 },
    ] as const;
    expect(loadTestScenario(one, { ...place, level: 200, thresholds, title: "it: holds" })).toBe(`name: "it: holds"
model: mnist
url: "127.0.0.1:8000"
load: { rate: 200, arrivals: bursts }
warm-up: 2 s
duration: 30 s
good-within: 20 ms
thresholds:
  p99: 20 ms
  error-share: 0.1 %
  throughput: 490
options: ["-b", "2", "--input-data", zero, "--burst-size", "5"]
`);
    const recorded = spec({ kind: "recorded", seconds: 60 });
    expect(loadTestScenario(recorded, { ...place, level: 1, thresholds, title: "t" })).toBeNull();
  });
});

describe("a load test's form", () => {
  it("counts its levels as they will be tried", () => {
    expect(levelsOf(spec({ kind: "concurrency", from: 1, to: 8, step: 3 }).load)).toBe(3);
    expect(levelsOf(spec({ kind: "rate", from: 0.1, to: 0.3, step: 0.1 }).load)).toBe(3);
    expect(levelsOf(spec({ kind: "knee", from: 100, to: 800, factor: 2 }).load)).toBe(4);
  });

  it.each([
    [{ load: { kind: "concurrency", from: 8, to: 1 } }, "below the first"],
    [{ load: { kind: "rate", from: 1, to: 1000, step: 1 } }, "more than 100 levels"],
    [{ load: { kind: "concurrency", from: 1, to: 1 }, streaming: true }, "gRPC"],
    [{ load: { kind: "concurrency", from: 1, to: 1 }, duration: 3601 }, "3600"],
    [
      { load: { kind: "concurrency", from: 1, to: 1 }, input: { kind: "json", text: "x".repeat(2 ** 20 + 1) } },
      "1048576",
    ],
  ])("refuses %#", (form, message) => {
    expect(JSON.stringify(loadTestSpec.safeParse({ model: "m", ...form }).error?.issues)).toContain(message);
  });
});

describe("a fixture as requests to send", () => {
  const base64 = Buffer.from(new Float32Array([1, 2, 3, 4]).buffer).toString("base64");
  const inputs = [
    { name: "X", datatype: "FP32", shape: [2, 2], base64 },
    { name: "T", datatype: "BYTES", shape: [2, 1], text: ["a", "b"] },
  ] as const;
  const request = { inputs: inputs.map((one) => ({ ...one, shape: [...one.shape] })) } as Parameters<
    typeof fixtureData
  >[0];

  it("is one request for each row of its batch", () => {
    const half = (values: readonly number[]) => Buffer.from(new Float32Array(values).buffer).toString("base64");
    expect(JSON.parse(fixtureData(request, true))).toEqual({
      data: [
        { X: { content: { b64: half([1, 2]) }, shape: [2] }, T: { content: ["a"], shape: [1] } },
        { X: { content: { b64: half([3, 4]) }, shape: [2] }, T: { content: ["b"], shape: [1] } },
      ],
    });
  });

  it("of a model that does not batch is one", () => {
    expect(JSON.parse(fixtureData(request, false)).data).toEqual([
      { X: { content: { b64: base64 }, shape: [2, 2] }, T: { content: ["a", "b"], shape: [2, 1] } },
    ]);
  });
});
