import { describe, expect, it } from "vitest";
import { GivenFlags } from "./given-flags.ts";
import { parseLogOptions } from "./log-options.ts";
import { DEFAULT_QUANTILES, parseMetricsConfig } from "./metrics-config.ts";
import { parseTraceOptions } from "./trace-options.ts";

const metrics = (...args: string[]) => parseMetricsConfig(new GivenFlags(args.map((arg) => `--metrics-config=${arg}`)));
const trace = (...args: string[]) => parseTraceOptions(new GivenFlags(args));

describe("parseMetricsConfig()", () => {
  it("keeps the defaults", () => {
    expect(metrics()).toEqual({
      counterLatencies: true,
      summaryLatencies: false,
      histogramLatencies: false,
      summaryQuantiles: DEFAULT_QUANTILES,
      named: new Map(),
      pinnedPoolBytes: 268_435_456,
      problems: [],
    });
  });

  it("knows only the exact texts false and true", () => {
    const config = metrics("counter_latencies=false", "summary_latencies=true", "histogram_latencies=True");
    expect([config.counterLatencies, config.summaryLatencies, config.histogramLatencies]).toEqual([false, true, false]);
    expect(metrics("counter_latencies=0").counterLatencies).toBe(true);
  });

  it("reads quantiles, and names those that are none", () => {
    const config = metrics("summary_quantiles=0.99:0.001,nonsense,0.5:0.05");
    expect(config.summaryQuantiles.map(({ quantile }) => quantile)).toEqual([0.5, 0.99]);
    expect(config.problems).toHaveLength(1);
    expect(config.problems[0]).toContain('"nonsense"');
    expect(metrics("summary_quantiles=0.5").summaryQuantiles).toEqual(DEFAULT_QUANTILES);
    expect(metrics("summary_quantiles=1.5:0.1").summaryQuantiles).toEqual(DEFAULT_QUANTILES);
  });

  it("keeps named settings apart, and takes a comma behind the equals sign for the value's", () => {
    const config = metrics("mine,key=value", "mine,other=a,b", "summary_quantiles=0.1:0.1,0.2:0.1");
    expect(config.named.get("mine")).toEqual(
      new Map([
        ["key", "value"],
        ["other", "a,b"],
      ]),
    );
    expect(config.summaryQuantiles).toHaveLength(2);
  });

  it("refuses what has no value, and names settings that are none", () => {
    expect(() => metrics("counter_latencies")).toThrow('Bad option: "--metrics-config"');
    expect(metrics("speed=1").problems[0]).toContain("'speed' is no setting");
  });

  it("reports the configured pool of pinned memory", () => {
    const given = new GivenFlags(["--pinned-memory-pool-byte-size=1024"]);
    expect(parseMetricsConfig(given).pinnedPoolBytes).toBe(1024);
  });
});

describe("parseTraceOptions()", () => {
  it("keeps the defaults", () => {
    const { opentelemetry, ...rest } = trace();
    expect(rest).toEqual({ mode: "triton", levels: [], rate: 1000, count: -1, file: "", logFrequency: 0 });
    expect(opentelemetry).toEqual({
      url: "http://localhost:4318/v1/traces",
      resource: new Map(),
      maxQueueSize: 2048,
      scheduleDelayMs: 5000,
      maxExportBatchSize: 512,
    });
  });

  it("reads settings of the server and of each mode", () => {
    const options = trace(
      "--trace-config=mode=opentelemetry",
      "--trace-config=level=TENSORS",
      "--trace-config=level=TIMESTAMPS",
      "--trace-config=rate=1",
      "--trace-config=count=100",
      "--trace-config=triton,file=/tmp/a,b=c.json",
      "--trace-config=triton,log-frequency=50",
      "--trace-config=opentelemetry,url=collector:4318/v1/traces",
      "--trace-config=opentelemetry,resource=service.name=mine",
      "--trace-config=opentelemetry,resource=a=b=c",
      "--trace-config=opentelemetry,bsp_schedule_delay=10",
    );
    expect(options).toMatchObject({
      mode: "opentelemetry",
      levels: ["TIMESTAMPS", "TENSORS"],
      rate: 1,
      count: 100,
      file: "/tmp/a,b=c.json",
      logFrequency: 50,
    });
    expect(options.opentelemetry.url).toBe("http://collector:4318/v1/traces");
    expect([...options.opentelemetry.resource]).toEqual([
      ["service.name", "mine"],
      ["a", "b=c"],
    ]);
    expect(options.opentelemetry.scheduleDelayMs).toBe(10);
  });

  it("reads the older single options, below --trace-config", () => {
    const old = [
      "--trace-file=/t",
      "--trace-level=MIN",
      "--trace-rate=5",
      "--trace-count=7",
      "--trace-log-frequency=3",
    ];
    expect(trace(...old)).toMatchObject({ file: "/t", levels: ["TIMESTAMPS"], rate: 5, count: 7, logFrequency: 3 });
    const both = trace(...old, "--trace-config=rate=9", "--trace-config=level=OFF");
    expect(both).toMatchObject({ rate: 9, levels: [], count: 7 });
  });

  it.each([
    ["--trace-config=rate", "expected <setting>=<value>"],
    ["--trace-config=speed=1", "'speed' is no setting"],
    ["--trace-config=jaeger,url=x", "'jaeger,url' is no setting"],
    ["--trace-config=rate=-1", "rate must be a whole number"],
    ["--trace-config=count=-2", "count must be a whole number of -1"],
    ["--trace-config=level=LOUD", "level must be OFF, TIMESTAMPS or TENSORS"],
    ["--trace-config=mode=zipkin", "mode must be triton or opentelemetry"],
    ["--trace-config=opentelemetry,url=ftp://x", "must be an http or https address"],
    ["--trace-config=opentelemetry,resource=alone", "must be <key>=<value>"],
    ["--trace-config=opentelemetry,bsp_max_queue_size=0", "must be a whole number of 1"],
  ])("refuses %s", (argument, text) => {
    expect(() => trace(argument)).toThrow(text);
  });
});

describe("parseLogOptions()", () => {
  const log = (...args: string[]) => parseLogOptions(new GivenFlags(args));

  it("keeps the defaults", () => {
    const defaults = { info: true, warning: true, error: true, verbose: 0, format: "default", file: "", access: false };
    expect(log()).toEqual(defaults);
  });

  it("reads the options", () => {
    const options = log("--log-format=ISO8601", "--log-file=/l", "--access-log", "--log-verbose=2", "--log-info=0");
    expect(options).toMatchObject({ format: "ISO8601", file: "/l", access: true, verbose: 2, info: false });
    expect(log("--log-verbose=True").verbose).toBe(1);
    expect(log("--log-verbose=off").verbose).toBe(0);
  });

  it("refuses a format and a verbosity that are none", () => {
    expect(() => log("--log-format=iso8601")).toThrow("expected default or ISO8601");
    expect(() => log("--log-verbose=loud")).toThrow("expected a number or a boolean");
  });
});
