import { afterEach, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { floats, type Tensor, whole } from "../testing/test-api.ts";
import { offset, slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;

afterEach(() => server.dispose());

/** Nine rows are sent at once, fewer wait for more. */
const NINE = "dynamic_batching { preferred_batch_size: [ 9 ] max_queue_delay_microseconds: 20000000 }";

const rows = (count: number): Tensor[] =>
  floats(
    "QUESTION",
    Array.from({ length: count }, () => [1, 2]),
  );

const plus = (count = 1) => server.api.infer("plus", rows(count));

describe("the metrics page", () => {
  it("counts requests, inferences and executions of a merged batch as Triton does", async () => {
    server = await startTestServer({ models: [offset("plus", 1, NINE)] });
    expect((await Promise.all([plus(1), plus(8)])).map(({ status }) => status)).toEqual([200, 200]);
    const page = await readMetricsPage(server);
    const labels = '{model="plus",version="1"}';
    expect(page.value(`nv_inference_request_success${labels}`)).toBe(2);
    expect(page.value(`nv_inference_count${labels}`)).toBe(9);
    expect(page.value(`nv_inference_exec_count${labels}`)).toBe(1);
    expect(page.value(`nv_inference_pending_request_count${labels}`)).toBe(0);
    expect(page.value(`nv_inference_request_duration_us${labels}`)).toBeGreaterThan(0);
    expect(page.value(`nv_model_load_duration_secs${labels}`)).toBeGreaterThan(0);
    expect(page.value(`nereid_inference_request_duration_seconds_count${labels}`)).toBe(2);
    expect(page.text).not.toContain("summary_us");
    expect(page.text).not.toContain("first_response");
  });

  it("does not count a refused request, and counts one that waited too long as rejected", async () => {
    const queue = "dynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }";
    server = await startTestServer({ models: [slowEcho("slow", queue)] });
    const pid = await server.api.runnerPid("slow");
    process.kill(pid, "SIGSTOP");
    const held = server.api.infer("slow", whole("TURNS", 1, true));
    await waitUntil(
      "the request executes",
      async () => (await server.api.model("slow")).versions[0]?.instances[0]?.busy,
    );
    expect((await server.api.infer("slow", whole("TURNS", 2, true))).status).toBe(503);
    expect((await server.api.infer("slow", [])).status).toBe(400);
    process.kill(pid, "SIGCONT");
    expect((await held).status).toBe(200);
    const page = await readMetricsPage(server);
    const failure = (reason: string) =>
      page.value(`nv_inference_request_failure{model="slow",reason="${reason}",version="1"}`);
    expect(["REJECTED", "CANCELED", "BACKEND", "OTHER"].map(failure)).toEqual([1, 0, 0, 0]);
    expect(page.value('nv_inference_request_success{model="slow",version="1"}')).toBe(1);
    expect(page.value('nv_inference_pending_request_count{model="slow",version="1"}')).toBe(0);
  });

  it("grows by no series for names that only clients use", async () => {
    // The gauges of the machine would come with the first interval, in the middle of it on a slow machine.
    server = await startTestServer({ models: [offset("plus", 1)], args: ["--metrics-interval-ms=600000"] });
    await server.api.call("/v2/models/nobody/infer", { method: "POST", body: "{}" });
    await server.api.call("/v2/nothing");
    await server.api.call("/v2/models/nobody/stats");
    const before = (await readMetricsPage(server)).series;
    await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        Promise.all([
          server.api.post(`/v2/models/model-${at}/versions/${at + 1}/infer`, "{}"),
          server.api.call(`/v2/models/model-${at}/stats`),
          server.api.call(`/v2/path-${at}`, { headers: { [`x-${at}`]: "1" } }),
        ]),
      ),
    );
    const after = (await readMetricsPage(server)).series;
    expect(after.filter((series) => !before.includes(series))).toEqual([]);
  });

  it("has summaries, a first-response histogram with the model's bounds, and tags, where they are asked for", async () => {
    const config = `dynamic_batching { }
      metric_tags { key: "team" value: "a\\"b" }
      model_metrics { metric_control [ {
        metric_identifier { family: "nv_inference_first_response_histogram_ms" }
        histogram_options { buckets: [ 10000, 60000 ] } } ] }`;
    server = await startTestServer({
      models: [offset("plus", 1, config)],
      args: [
        "--metrics-config=summary_latencies=true",
        "--metrics-config=histogram_latencies=true",
        "--metrics-config=summary_quantiles=0.5:0.05,0.75:0.01",
      ],
    });
    for (let at = 0; at < 3; at += 1) await plus();
    const page = await readMetricsPage(server);
    const labels = '_team="a\\"b",model="plus",version="1"';
    expect(page.value(`nv_inference_request_success{${labels}}`)).toBe(3);
    expect(page.value(`nv_inference_first_response_histogram_ms_bucket{${labels},le="10000"}`)).toBe(3);
    expect(page.value(`nv_inference_first_response_histogram_ms_bucket{${labels},le="100"}`)).toBeUndefined();
    expect(page.value(`nv_inference_request_summary_us_count{${labels}}`)).toBe(3);
    const quantiles = page.series.filter((series) => series.startsWith("nv_inference_request_summary_us{"));
    expect(quantiles).toEqual(["0.5", "0.75"].map((q) => `nv_inference_request_summary_us{${labels},quantile="${q}"}`));
    const [request, infer] = ["request", "compute_infer"].map((phase) =>
      page.value(`nv_inference_${phase}_summary_us{${labels},quantile="0.75"}`),
    );
    expect(infer).toBeGreaterThan(0);
    expect(request).toBeGreaterThan(infer ?? 0);
  });

  it("stops counting requests without latency counters", async () => {
    server = await startTestServer({ models: [offset("plus", 1)], args: ["--metrics-config=counter_latencies=false"] });
    await plus();
    const page = await readMetricsPage(server);
    expect(page.value('nv_inference_request_success{model="plus",version="1"}')).toBe(0);
    expect(page.text).not.toContain("duration_us");
    expect((await server.api.statistics("plus")).inference_count).toBe(1);
  });

  it("loses the series of a model with its unload, and starts again at 0", async () => {
    server = await startTestServer({ models: [offset("plus", 1)] });
    await plus();
    const success = 'nv_inference_request_success{model="plus",version="1"}';
    expect((await readMetricsPage(server)).value(success)).toBe(1);
    await server.api.unload("plus");
    await waitUntil("the series are gone", async () => !(await readMetricsPage(server)).text.includes("plus"));
    await server.api.load("plus");
    expect((await readMetricsPage(server)).value(success)).toBe(0);
  });

  it("shows the server itself: connections, requests by operation, bodies, event loop, processor", async () => {
    server = await startTestServer({ args: ["--metrics-interval-ms=50", "--pinned-memory-pool-byte-size=4096"] });
    await server.api.call("/v2/health/live");
    await server.api.call("/v2/models/nobody/ready");
    await waitUntil(
      "the gauges were read",
      async () => (await readMetricsPage(server)).value("nv_cpu_utilization") !== undefined,
    );
    const page = await readMetricsPage(server);
    expect(page.value('nereid_http_requests_total{code="200",operation="serverLive"}')).toBe(1);
    expect(page.value('nereid_http_requests_total{code="404",operation="modelReady"}')).toBe(1);
    expect(page.value('nereid_open_connections{protocol="http"}')).toBe(1);
    expect(page.value('nereid_requests_in_flight{protocol="http"}')).toBe(0);
    expect(page.value("nereid_request_body_bytes")).toBe(0);
    expect(page.value("nereid_request_body_limit_bytes")).toBeGreaterThan(0);
    expect(page.value("nereid_event_loop_delay_seconds_count")).toBeGreaterThan(0);
    expect(page.value("nereid_event_loop_utilization")).toBeLessThanOrEqual(1);
    expect(page.value("nereid_server_memory_bytes")).toBeGreaterThan(2 ** 20);
    expect(page.value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(page.value("nv_cpu_utilization")).toBeLessThanOrEqual(1);
    expect(page.value("nv_cpu_memory_total_bytes")).toBeGreaterThan(page.value("nv_cpu_memory_used_bytes") ?? 0);
    expect(page.value("nv_pinned_memory_pool_total_bytes")).toBe(4096);
    expect(page.value("nv_pinned_memory_pool_used_bytes")).toBe(0);
  });

  it("answers other paths with nothing, and other methods with 405", async () => {
    server = await startTestServer({ args: ["--allow-cpu-metrics=false"] });
    const other = await fetch(new URL("/other", server.metricsUrl));
    expect([other.status, await other.text()]).toEqual([200, ""]);
    expect((await fetch(server.metricsUrl, { method: "POST" })).status).toBe(405);
    const slash = await fetch(`${server.metricsUrl}/`);
    expect(slash.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await slash.text()).not.toContain("nv_cpu_");
  });
});
