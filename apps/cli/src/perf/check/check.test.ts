import { readFileSync } from "node:fs";
import type { LoadWindow } from "@nereid/perf";
import { describe, expect, it } from "vitest";
import { parsePerfCommand } from "../parse-perf-command.ts";
import { judgeScenario } from "./judge-scenario.ts";
import { junitXml } from "./junit.ts";
import { parseScenario } from "./scenario.ts";

const LEAST = "model: m\nload: { concurrency: 2 }\nduration: 3 s\nthresholds: { p99: 20 ms }\n";

describe("parseScenario()", () => {
  it("reads the documentation's example", () => {
    const page = readFileSync(new URL("../../../../../docs/load-tests.md", import.meta.url), "utf8");
    const [, text = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const scenario = parseScenario(text, "s.yaml");
    expect(scenario).toMatchObject({
      name: "mnist holds 500 a second",
      warmUpMs: 2000,
      durationMs: 30_000,
      goodWithinMs: 20,
      thresholds: [
        { kind: "latency", percentile: 50, atMostMs: 5 },
        { kind: "latency", percentile: 99, atMostMs: 20 },
        { kind: "throughput", atLeast: 490 },
        { kind: "error-share", atMost: 0.001 },
        { kind: "goodput", atLeast: 0.99 },
      ],
    });
    expect(parsePerfCommand(scenario.args)).toMatchObject({
      model: "mnist",
      percentile: 99,
      levels: { kind: "single", level: 500 },
      load: { kind: "rate", distribution: "poisson" },
    });
  });

  it("needs little", () => {
    expect(parseScenario(LEAST, "s.yaml")).toEqual({
      name: "s.yaml",
      args: ["-m", "m", "--concurrency-range", "2"],
      warmUpMs: 0,
      durationMs: 3000,
      goodWithinMs: undefined,
      thresholds: [{ kind: "latency", percentile: 99, atMostMs: 20 }],
    });
  });

  it.each([
    ["[", "no YAML"],
    ["just text", "it is no scenario"],
    [LEAST.replace("model: m", "name: x"), "'model' is missing"],
    [`${LEAST}modle: x\n`, "there is no 'modle'"],
    [LEAST.replace("{ concurrency: 2 }", "{}"), "neither or both of rate and concurrency"],
    [LEAST.replace("{ concurrency: 2 }", "{ concurrency: 2, rate: 5 }"), "neither or both"],
    [LEAST.replace("3 s", "3"), "'duration' is '3'"],
    [LEAST.replace("{ p99: 20 ms }", "{}"), "there are no thresholds"],
    [LEAST.replace("p99: 20 ms", "p99: 20"), "'thresholds.p99' is '20'"],
    [LEAST.replace("p99: 20 ms", "speed: 3"), "'thresholds.speed' is '3'"],
    [LEAST.replace("p99: 20 ms", "error-share: 5"), "'thresholds.error-share' is '5'"],
    [`${LEAST}options: --shape\n`, "'options' is no list"],
  ])("refuses %j", (text, problem) => {
    expect(() => parseScenario(text, "s.yaml")).toThrow(problem);
  });
});

describe("judgeScenario()", () => {
  const scenario = parseScenario(
    `${LEAST.replace("{ p99: 20 ms }", "{ p50: 10 ms, p99: 20 ms, throughput: 90, error-share: 1 %, goodput: 95 % }")}good-within: 15 ms\n`,
    "s.yaml",
  );
  /** 100 requests a second of which `slow` took 50 ms, from when they were due, and the others 5. */
  const window = (slow: number, failed: number): LoadWindow => {
    const request = (ms: number) => ({
      dueMs: 0,
      startMs: ms - 1,
      sentMs: ms - 1,
      firstMs: ms,
      endMs: ms,
      ok: true,
      late: false,
      sequenceId: 0,
      sequenceEnd: false,
      input: 0,
      outputTokens: 0,
      responsesMs: [ms],
    });
    const requests = Array.from({ length: 100 - failed }, (_, at) => request(at < slow ? 50 : 5));
    const generator = { cpu: 0, lagMs: 0, processes: 1, stolen: 0 };
    return { fromMs: 0, toMs: 1000, durationMs: 1000, requests, failed, late: 0, server: [], generator };
  };
  const holds = (slow: number, failed: number) =>
    judgeScenario(window(slow, failed), scenario, 1).map((one) => one.holds);

  it("holds each threshold against its figure", () => {
    expect(judgeScenario(window(0, 0), scenario, 1)).toEqual([
      { wanted: "p50 at most 10 ms", measured: "5 ms", holds: true },
      { wanted: "p99 at most 20 ms", measured: "5 ms", holds: true },
      { wanted: "throughput at least 90 a second", measured: "100.0 a second", holds: true },
      { wanted: "failed at most 1 %", measured: "0 %", holds: true },
      { wanted: "good within 15 ms at least 95 %", measured: "100 %", holds: true },
    ]);
    expect(holds(3, 0)).toEqual([true, false, true, true, true]);
    expect(holds(60, 0)).toEqual([false, false, true, true, false]);
    expect(holds(0, 1)).toEqual([true, true, true, true, true]);
    expect(holds(0, 20)).toEqual([true, true, false, false, false]);
  });

  it("takes no answers for no success", () => {
    expect(holds(0, 100)).toEqual([false, false, false, false, false]);
  });
});

it("junitXml() has a case for each threshold, and nothing that is no XML", () => {
  const judgements = [
    { wanted: "p99 at most 20 ms", measured: "5 ms", holds: true },
    { wanted: "failed at most 1 %", measured: '50 % <"&>\u0007', holds: false },
  ];
  expect(junitXml({ name: "a & b", seconds: 1.5, judgements, error: undefined })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="a &amp; b" tests="2" failures="1" errors="0" time="1.500">\n' +
      '  <testcase classname="a &amp; b" name="p99 at most 20 ms"></testcase>\n' +
      '  <testcase classname="a &amp; b" name="failed at most 1 %"><failure message="measured 50 % &lt;&quot;&amp;&gt; "/></testcase>\n' +
      "</testsuite>\n",
  );
  expect(junitXml({ name: "n", seconds: 0, judgements: [], error: "gone" })).toContain(
    'errors="1" time="0.000">\n  <testcase classname="n" name="is measured"><error message="gone"/>',
  );
});
