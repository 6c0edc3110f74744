import { readFileSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import { parseCheckArgs } from "./parse-check-args.ts";
import { parsePerfCommand } from "./parse-perf-command.ts";
import { PERF_FLAGS, REFUSED_FLAGS } from "./perf-flags.ts";
import { PERF_HELP } from "./perf-help.ts";

const parse = (line: string) => parsePerfCommand(line.split(" ").filter((word) => word !== ""));

describe("parsePerfCommand()", () => {
  it("has perf_analyzer's defaults", () => {
    expect(parse("-m mnist")).toMatchObject({
      model: "mnist",
      version: "",
      batch: 1,
      protocol: "http",
      host: "localhost",
      port: 8000,
      load: { kind: "concurrency" },
      levels: { kind: "single", level: 1 },
      measurement: { kind: "time_windows", intervalMs: 5000 },
      tolerance: 0.1,
      maxTrials: 10,
      percentile: undefined,
      input: { kind: "random" },
      stringLength: 128,
      outputSharedMemoryBytes: 102_400,
      sequences: { length: undefined, variation: 0.2, firstId: 1, endId: undefined, concurrent: 4 },
      goodput: undefined,
    });
    expect(parse("-m m -i gRPC").port).toBe(8001);
  });

  it("reads values however getopt would", () => {
    expect(parsePerfCommand(["-mm", "-p2000", "--percentile=95", "-b", "4"])).toMatchObject({
      model: "m",
      batch: 4,
      percentile: 95,
      measurement: { intervalMs: 2000 },
    });
    expect(parse("-m m --percentile -1").percentile).toBeUndefined();
  });

  it.each([
    ["--concurrency-range 1:8:2", { levels: { kind: "linear", start: 1, end: 8, step: 2 } }],
    ["--concurrency-range 4", { levels: { kind: "single", level: 4 } }],
    ["--concurrency-range 2:0 -l 20", { levels: { kind: "linear", start: 2, end: 0, step: 1 }, latencyLimitMs: 20 }],
    ["--concurrency-range 1:64 --binary-search -l 5", { levels: { kind: "binary", start: 1, end: 64, step: 1 } }],
    ["--request-rate-range 0.5:2:0.5", { load: { kind: "rate", distribution: "constant", burstSize: 10 } }],
    [
      "--request-rate-range 90 --request-distribution bursts --burst-size 3",
      { load: { kind: "rate", distribution: "bursts", burstSize: 3 }, levels: { kind: "single", level: 90 } },
    ],
    ["--ramp-to-knee 100:5000", { levels: { kind: "ramp", start: 100, end: 5000, factor: 1.5 } }],
    ["--request-intervals f", { load: { kind: "intervals", file: "f" } }],
    ["--recorded-arrivals f", { load: { kind: "recorded", file: "f" } }],
    ["--request-count 9", { measurement: { kind: "fixed", requests: 9 } }],
    ["--measurement-mode count_windows", { measurement: { kind: "count_windows", requests: 50 } }],
    ["-u http://[::1]:9000", { host: "::1", port: 9000 }],
    ["-u example.com:80", { host: "example.com", port: 80 }],
    [
      "--shape A:3,4 --shape B:1",
      {
        shapes: new Map([
          ["A", [3, 4]],
          ["B", [1]],
        ]),
      },
    ],
    ["-H X-A:b:c", { headers: { "X-A": "b:c" } }],
    [
      "--request-parameter n:5:int --request-parameter t:a:b:string --request-parameter f:true:bool",
      {
        parameters: new Map<string, unknown>([
          ["n", 5n],
          ["t", "a:b"],
          ["f", true],
        ]),
      },
    ],
    [
      "--sequence-id-range 5:9 --sequence-length 3",
      { sequences: { length: 3, firstId: 5, endId: 9, variation: 0.2, concurrent: 4 } },
    ],
    ["--collect-metrics", { metrics: { url: "http://localhost:8002/metrics", intervalMs: 1000 } }],
    ["--service-kind openai --streaming --goodput ttft:200 --goodput itl:50", { goodput: { ttftMs: 200, itlMs: 50 } }],
    ["-i grpc --streaming", { streaming: true, asynchronous: true }],
  ])("%s", (line, expected) => {
    expect(parse(`-m m ${line}`)).toMatchObject(expected);
  });

  it.each([
    ["", "which model?", "-m MODEL"],
    ["-m m extra", "'extra' is no option", "-m"],
    ["-m m -m n", "given twice", "once"],
    ["-m", "needs a value", "-m MODEL"],
    ["-m m --sync=1", "has no value", "--sync"],
    ["-m m --percentiles 4", "there is no option --percentiles", "--percentile?"],
    ["-m m --range-concurrency 1", "there is no option", "--concurrency-range?"],
    ["-m m -b 0", "--batch-size is '0'", "whole number"],
    ["-m m -s x", "--stability-percentage is 'x'", "number above 0"],
    ["-m m --percentile 100", "--percentile is '100'", "1 to 99"],
    ["-m m -i tcp", "--protocol is 'tcp'", "http or grpc"],
    ["-m m --streaming", "--streaming is of gRPC", "-i grpc"],
    ["-m m --shared-memory cuda", "cuda is not supported", "system"],
    ["-m m --service-kind triton_c_api", "not supported", "nereid serve"],
    ["-m m --service-kind torchserve", "not supported", "triton or openai"],
    ["-m m --concurrency-range 1:4 --request-rate-range 5", "exclude each other", "choose one"],
    ["-m m --concurrency-range 1:0", "has no end", "-l MS"],
    ["-m m --concurrency-range 1.5", "is '1.5'", "whole numbers"],
    ["-m m --concurrency-range 8:2", "ends below its start", "2:8"],
    ["-m m --concurrency-range 0", "is '0'", "start above 0"],
    ["-m m --binary-search -l 3", "nothing to search", "--concurrency-range S:E"],
    ["-m m --binary-search -l 3 --concurrency-range 4", "needs a start and an end", "1:64"],
    ["-m m --binary-search --concurrency-range 1:4", "there is none", "-l MS"],
    ["-m m --ramp-to-knee 1:9:1", "goes up by 1", "above 1"],
    ["-m m --concurrency-range 1:4 --request-count 5", "for one level", "single"],
    ["-m m -u https://a:1", "TLS is not supported", "proxy"],
    ["-m m -u a:1/path", "-u is", "host and port"],
    ["-m m --shape A", "--shape is 'A'", "NAME:"],
    ["-m m --shape A:0", "--shape is", "from 1"],
    ["-m m -H nope", "-H is 'nope'", "Name: value"],
    ["-m m --request-parameter a:b:int", "is 'a:b:int'", "max_tokens:256:int"],
    ["-m m --sequence-id-range 5:5", "is '5:5'", "above S"],
    ["-m m --goodput speed:3", "--goodput is 'speed:3'", "ttft"],
    ["-m m --input-data zero --input-data random", "given twice", "files"],
    ["-m m -i grpc --input-tensor-format json", "of HTTP", "-i http"],
    ["-m m --grpc-compression-algorithm gzip", "of gRPC", "-i grpc"],
    ["-m m --verbose-csv", "has no file", "-f FILE"],
  ])("refuses '%s' and names the fix", (line, problem, fix) => {
    try {
      parse(line);
      expect.unreachable("it was taken");
    } catch (error) {
      const refused = NereidError.from(error);
      expect(refused.message).toContain(problem);
      expect(refused.fix).toContain(fix);
      expect(refused.details["option"]).toBe(true);
    }
  });

  it.each(Object.entries(REFUSED_FLAGS))("refuses perf_analyzer's %s, saying: %s", (name, instead) => {
    expect(() => parse(`-m m ${name} 1`)).toThrow(
      expect.objectContaining({ fix: instead, message: `${name} is not supported` }),
    );
  });
});

describe("what is written about the options", () => {
  const page = readFileSync(new URL("../../../../docs/load-tests.md", import.meta.url), "utf8");
  const commands = [...page.matchAll(/^npx nereid perf (.+)$/gm)].map(([, words = ""]) => words);

  it("names every option in the help, within the width of a terminal", () => {
    for (const { names } of Object.values(PERF_FLAGS)) for (const name of names) expect(PERF_HELP).toContain(name);
    for (const line of PERF_HELP.split("\n")) expect(line.length).toBeLessThanOrEqual(145);
  });

  it("has commands", () => {
    expect(commands.length).toBeGreaterThan(5);
  });

  it.each(commands)("%s", (line) => {
    const words = line.split(" ");
    expect(parseCheckArgs(words) ?? parsePerfCommand(words)).toBeDefined();
  });

  it("lets a scenario speak for itself", () => {
    expect(parseCheckArgs(["--check", "s.yaml", "--junit=v.xml"])).toEqual({ file: "s.yaml", junit: "v.xml" });
    expect(() => parseCheckArgs(["--check", "s.yaml", "-m", "m"])).toThrow("no other option");
    expect(() => parse("-m m --junit v.xml")).toThrow("--junit is for scenarios");
  });

  it("names no option in the documentation that there is not", () => {
    const known = new Set([
      ...Object.values(PERF_FLAGS).flatMap(({ names }) => [...names]),
      ...Object.keys(REFUSED_FLAGS),
    ]);
    const named = [...page.matchAll(/`(--?[a-z][a-z-]*)/gi)].map(([, name = ""]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
