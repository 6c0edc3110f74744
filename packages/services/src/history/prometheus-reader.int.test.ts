import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { quantileFromSparse } from "@nereid/telemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prometheusReader } from "./prometheus-reader.ts";

const START = 1_700_000_040;
const STEP = 30;
const at = (...values: readonly (readonly [step: number, value: string])[]) =>
  values.map(([step, value]) => [START + (step + 1) * STEP, value]);

/** What a Prometheus 2.53 answered for these metrics, shortened to two steps; by a piece of the query. */
const RECORDED: readonly (readonly [RegExp, readonly { metric: object; values: readonly unknown[] }[]])[] = [
  [/^count\(nv_inference_request_success/, [{ metric: {}, values: at([0, "2"], [1, "2"]) }]],
  [
    /increase\(nv_inference_request_failure/,
    [
      { metric: { reason: "REJECTED" }, values: at([0, "2.0"]) },
      { metric: { reason: "BACKEND" }, values: at([0, "0"], [1, "1.02"]) },
    ],
  ],
  [
    /nereid_inference_request_duration_seconds_bucket/,
    [
      { metric: { le: "0.001" }, values: at([0, "0"], [1, "0"]) },
      { metric: { le: "0.01" }, values: at([0, "100"], [1, "50"]) },
      { metric: { le: "0.1" }, values: at([0, "200"], [1, "50"]) },
      { metric: { le: "+Inf" }, values: at([0, "200"], [1, "50"]) },
    ],
  ],
  [/avg_over_time\(nv_inference_pending/, [{ metric: {}, values: at([0, "1.5"], [1, "NaN"]) }]],
  [/max_over_time\(nv_inference_pending/, [{ metric: {}, values: at([0, "4"]) }]],
  [/increase\(nv_inference_request_success/, [{ metric: {}, values: at([0, "199.6"], [1, "50"]) }]],
  [/increase\(nv_inference_request_duration_us/, [{ metric: {}, values: at([0, "1000000"]) }]],
  [/increase\(nv_inference_exec_count/, [{ metric: {}, values: at([0, "50"]) }]],
  [/avg_over_time\(nv_cpu_utilization/, [{ metric: {}, values: at([0, "0.25"]) }]],
  [/avg_over_time\(nv_gpu_utilization/, [{ metric: { gpu_uuid: "GPU-1" }, values: at([0, "0.75"]) }]],
];

describe("history out of a Prometheus", () => {
  const asked: URLSearchParams[] = [];
  let failure: { status: number; body: string } | undefined;
  let server: Server;
  beforeAll(async () => {
    const answer = async (request: IncomingMessage) => {
      const parameters = new URLSearchParams(await text(request));
      asked.push(parameters);
      if (failure !== undefined) return failure;
      const query = parameters.get("query") ?? "";
      if (query.startsWith("group by (model)")) {
        const result = ["resnet", "bert"].map((model) => ({ metric: { model }, value: [START, "1"] }));
        return { status: 200, body: JSON.stringify({ status: "success", data: { resultType: "vector", result } }) };
      }
      const found = RECORDED.find(([piece]) => piece.test(query))?.[1] ?? [];
      if (query.startsWith("sum by (model")) {
        const result = found.map(({ metric, values }) => ({
          metric: { ...metric, model: "resnet" },
          value: values[0],
        }));
        return { status: 200, body: JSON.stringify({ status: "success", data: { resultType: "vector", result } }) };
      }
      const result = found;
      return { status: 200, body: JSON.stringify({ status: "success", data: { resultType: "matrix", result } }) };
    };
    server = createServer((request, response) => {
      void answer(request).then(({ status, body }) => response.writeHead(status).end(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  beforeEach(() => {
    asked.length = 0;
    failure = undefined;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const reader = () => {
    const { port } = server.address() as AddressInfo;
    return prometheusReader({ url: `http://127.0.0.1:${port}/`, clock: { now: () => (START + 3_600) * 1000 } });
  };
  const window = { node: "local", from: START, to: START + 2 * STEP };

  it("tells requests, failures, means, percentiles and the queue of each step, and where they are from", async () => {
    const answer = await reader().range({ ...window, model: 'a"b', version: "1" });
    expect(answer).toMatchObject({ source: "prometheus", step: STEP, partialFrom: null });
    const [first, second] = answer.series[0]?.points ?? [];
    expect(first).toMatchObject({
      t: START,
      seconds: STEP,
      merged: { success: 200, failure: 2, failures: { REJECTED: 2 }, executions: 50, pending: 4, pendingSum: 45 },
    });
    expect(first?.merged.sumNs.request).toBe(1e9);
    expect(second?.merged).toMatchObject({ success: 50, failure: 1, pendingSum: 0 });
    // 100 requests between 1 and 10 ms, 100 between 10 and 100 ms.
    const latency = first?.merged.latency ?? [];
    expect(latency.reduce((sum, [, count]) => sum + count, 0)).toBe(200);
    expect((quantileFromSparse(latency, 0.25) ?? 0) / 1e6).toBeCloseTo(5.5, 0);
    expect((quantileFromSparse(latency, 0.75) ?? 0) / 1e6).toBeGreaterThan(53);
    expect((quantileFromSparse(latency, 0.75) ?? 0) / 1e6).toBeLessThan(57);
    const success = asked.find((one) => /increase\(nv_inference_request_success/.test(one.get("query") ?? ""));
    expect(Object.fromEntries(success ?? [])).toEqual({
      query: 'sum by () (increase(nv_inference_request_success{nereid_node="",model="a\\"b",version="1"}[30s]))',
      start: String(START + STEP),
      end: String(START + 2 * STEP),
      step: "30",
    });
  });

  it("tells of the node, and which models had requests", async () => {
    expect((await reader().nodeRange({ ...window, node: "n2" })).points).toEqual([
      { t: START, seconds: STEP, cpu: 0.25, gpus: [{ index: 0, name: "GPU-1", utilization: 0.75 }] },
    ]);
    expect(asked.every((one) => (one.get("query") ?? "").includes('nereid_node="n2"'))).toBe(true);
    expect(await reader().models({ ...window, node: "all" })).toEqual(["bert", "resnet"]);
  });

  it("adds up what every model did in a window", async () => {
    const [resnet, ...others] = await reader().totals(window);
    expect(others).toEqual([]);
    expect(resnet).toMatchObject({ model: "resnet", sums: { success: 200, failure: 2, failures: { REJECTED: 2 } } });
    expect(resnet?.sums.sumNs.request).toBe(1e9);
    expect(resnet?.sums.latency.reduce((sum, [, count]) => sum + count, 0)).toBe(200);
    expect(asked.map((one) => one.get("query"))).toContain(
      'sum by (model) (increase(nv_inference_request_success{nereid_node=""}[60s]))',
    );
  });

  it.each([
    [400, '{"status":"error","errorType":"bad_data","error":"parse error at char 3"}', "parse error at char 3"],
    [502, "<html>bad gateway</html>", "status 502"],
    [200, '{"hello":1}', "not one of the Prometheus query API"],
  ])("a failure with status %s says why and what to do", async (status, body, why) => {
    failure = { status, body };
    await expect(reader().range(window)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(why),
      fix: expect.stringContaining("NEREID_PROMETHEUS_URL"),
    });
  });
});
