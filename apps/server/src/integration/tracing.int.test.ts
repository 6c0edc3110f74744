import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { type OtlpCollector, startOtlpCollector } from "../testing/otlp-collector.ts";
import { ensemble, step } from "../testing/scripted-models.ts";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, parse } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let collector: OtlpCollector | undefined;

afterEach(async () => {
  await server.dispose();
  await collector?.close();
  collector = undefined;
});

interface Entry {
  readonly id: number;
  readonly model_name?: string;
  readonly model_version?: number;
  readonly request_id?: string;
  readonly error?: string;
  readonly timestamps?: readonly { readonly name: string; readonly ns: number }[];
  readonly activity?: string;
  readonly tensor?: Readonly<Record<string, string>>;
}

const MOMENTS = [
  "HTTP_RECV_START",
  "HTTP_RECV_END",
  "REQUEST_START",
  "QUEUE_START",
  "COMPUTE_START",
  "COMPUTE_INPUT_END",
  "COMPUTE_OUTPUT_START",
  "COMPUTE_END",
  "INFER_RESPONSE_COMPLETE",
  "REQUEST_END",
  "HTTP_SEND_START",
  "HTTP_SEND_END",
];

const configs = (...settings: string[]) => settings.map((setting) => `--trace-config=${setting}`);
const ask = (id = "", value = 1, headers: Record<string, string> = {}) =>
  server.api.infer("plus", floats("QUESTION", [[value, 2]]), { id, headers });
const settings = (body: unknown, model?: string) =>
  server.api.post(`/v2/${model === undefined ? "" : `models/${model}/`}trace/setting`, body);
const read = (file: string): Entry[] => JSON.parse(readFileSync(file, "utf8"));
const ids = (entries: readonly Entry[]) => [...new Set(entries.map(({ id }) => id))];

/** A server that traces into `trace.json` of its own directory. */
async function startTracing(...settingsOfTest: string[]): Promise<string> {
  const directory = testDirectory([offset("plus", 1), offset("other", 2)]);
  const file = join(directory, "trace.json");
  server = launchTestServer(directory, { args: configs(`triton,file=${file}`, ...settingsOfTest) });
  await server.ready();
  return file;
}

describe("trace files", () => {
  it("are valid JSON when the server is killed, with the moments of each request in their order", async () => {
    const file = await startTracing("level=TIMESTAMPS", "rate=1");
    for (let at = 1; at <= 20; at += 1) await ask(`request ${at}`);
    await waitUntil("all are in the file", () => existsSync(file) && readFileSync(file, "utf8").includes("request 20"));
    server.signal("SIGKILL");
    await server.exited;
    const entries = read(file);
    expect(ids(entries)).toHaveLength(20);
    const [head, times] = entries.filter(({ id }) => id === 20);
    expect(head).toEqual({ id: 20, model_name: "plus", model_version: 1, request_id: "request 20" });
    expect(times?.timestamps?.map(({ name }) => name)).toEqual(MOMENTS);
    for (const { timestamps = [] } of entries) {
      const moments = timestamps.map(({ ns }) => ns);
      expect(moments).toEqual([...moments].sort((a, b) => a - b));
    }
  });

  it("have the tensors at level TENSORS", async () => {
    const file = await startTracing("level=TENSORS", "rate=1");
    await ask("", 41);
    await server.stop();
    expect(read(file)).toEqual([
      { id: 1, model_name: "plus", model_version: 1 },
      {
        id: 1,
        activity: "TENSOR_QUEUE_INPUT",
        tensor: { name: "QUESTION", data: "41,2", shape: "1,2", dtype: "FP32" },
      },
      {
        id: 1,
        activity: "TENSOR_BACKEND_OUTPUT",
        tensor: { name: "ANSWER", data: "42,3", shape: "1,2", dtype: "FP32" },
      },
    ]);
  });

  it("end after trace_count traces, in the next numbered file", async () => {
    const file = await startTracing("level=TIMESTAMPS", "rate=2", "count=3");
    for (let at = 0; at < 12; at += 1) await ask();
    expect(parse<Record<string, unknown>>(await server.api.call("/v2/trace/setting"))["trace_count"]).toBe("0");
    await settings({ trace_count: "1" });
    for (let at = 0; at < 4; at += 1) await ask();
    await server.stop();
    expect(readdirSync(server.directory).filter((name) => name.startsWith("trace"))).toHaveLength(2);
    expect(ids(read(`${file}.0`))).toEqual([1, 2, 3]);
    expect(ids(read(`${file}.1`))).toEqual([4]);
    expect(existsSync(file)).toBe(false);
  });

  it("begin anew after log_frequency traces, and the last is written at the end", async () => {
    const file = await startTracing("level=TIMESTAMPS", "rate=1", "triton,log-frequency=2");
    for (let at = 0; at < 5; at += 1) await ask();
    await server.stop();
    expect(["0", "1", "2"].map((index) => ids(read(`${file}.${index}`)))).toEqual([[1, 2], [3, 4], [5]]);
    expect(readdirSync(server.directory).filter((name) => name.startsWith("trace"))).toHaveLength(3);
  });

  it("tell why a request failed", async () => {
    const file = await startTracing("level=TIMESTAMPS", "rate=1");
    await server.api.infer("plus", floats("NOTHING", [[1]]));
    await server.stop();
    const [head, times] = read(file);
    expect(head?.error).toContain("unexpected inference input 'NOTHING' for model 'plus'");
    expect(times?.timestamps?.map(({ name }) => name)).toEqual(["HTTP_RECV_START", "HTTP_RECV_END", "REQUEST_START"]);
  });

  it("that cannot be written cost traces, and nothing else", async () => {
    const directory = testDirectory([offset("plus", 1)]);
    const file = join(directory, "nowhere/trace.json");
    server = launchTestServer(directory, { args: configs(`triton,file=${file}`, "level=TIMESTAMPS", "rate=1") });
    await server.ready();
    for (let at = 0; at < 10; at += 1) expect((await ask()).status).toBe(200);
    await waitUntil("all are lost", async () => {
      return (await readMetricsPage(server)).value("nereid_traces_dropped_total") === 10;
    });
    const said = server.log.filter(({ msg }) => String(msg).includes("traces could not be written: ENOENT"));
    expect(said.length).toBeGreaterThan(0);
    expect(said.length).toBeLessThanOrEqual(5);
  });
});

describe("trace settings over HTTP", () => {
  it("trace one model and not the other, from the next request on", async () => {
    const file = await startTracing();
    await ask();
    const changed = parse(await settings({ trace_level: ["TIMESTAMPS"], trace_rate: "1" }, "plus"));
    expect(changed).toEqual({
      trace_level: ["TIMESTAMPS"],
      trace_rate: "1",
      trace_count: "-1",
      log_frequency: "0",
      trace_file: file,
      trace_mode: "triton",
    });
    await ask("traced");
    await server.api.infer("other", floats("QUESTION", [[1]]));
    expect(parse(await settings({ trace_level: null, trace_rate: null }, "plus"))).toMatchObject({
      trace_level: ["OFF"],
    });
    await ask();
    await server.stop();
    expect(read(file).flatMap(({ request_id }) => request_id ?? [])).toEqual(["traced"]);
    expect(ids(read(file))).toEqual([1]);
  });

  it("refuse with Triton's classes and texts", async () => {
    server = await startTestServer({ models: [offset("plus", 1)] });
    for (const [body, status, text] of [
      [{ trace_file: "/tmp/x" }, 501, "trace file location can not be updated through network protocol"],
      [{ trace_level: ["OFF", "TIMESTAMPS"] }, 400, "Expect only one trace level 'OFF' is specified"],
      [{ trace_rate: "fast" }, 400, "Unable to parse 'trace_rate', got: fast"],
      [{ trace_count: "-2" }, 400, "Unable to parse 'trace_count'. Expecting value >= -1, got:-2"],
      [{ log_frequency: 5 }, 500, "attempt to access JSON non-string as string"],
      [{ trace_level: ["TIMESTAMPS"] }, 400, "Attempting to set invalid trace setting :trace file name is not given"],
      ["", 500, "failed to parse the request JSON buffer: The document is empty. at 0"],
    ] as const) {
      const reply = await settings(body);
      expect([reply.status, errorOf(reply)]).toEqual([status, expect.stringContaining(text)]);
    }
    const unknown = await settings({}, "nobody");
    expect([unknown.status, errorOf(unknown)]).toEqual([404, "Request for unknown model: 'nobody' is not found"]);
    expect((await server.api.call("/v2/models/nobody/trace/setting")).status).toBe(404);
    expect((await server.api.call("/v2/models/plus/versions/1/trace/setting")).status).toBe(404);
  });

  it("are changed only with the management key, where there is one", async () => {
    server = await startTestServer({ args: ["--management-key=secret"] });
    expect((await server.api.call("/v2/trace/setting")).status).toBe(200);
    expect((await settings({ trace_rate: "1" })).status).toBe(401);
  });
});

describe("OpenTelemetry", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const SPAN = "b7ad6b7169203331";

  async function startOtel(...more: string[]): Promise<OtlpCollector> {
    collector = await startOtlpCollector();
    const args = configs(
      "mode=opentelemetry",
      "level=TIMESTAMPS",
      `opentelemetry,url=${collector.url}`,
      "opentelemetry,bsp_schedule_delay=50",
      ...more,
    );
    server = await startTestServer({ models: [offset("plus", 1)], args });
    return collector;
  }

  it("sends the spans InferRequest, model and compute, with Triton's attributes and events", async () => {
    const { spans, ...of } = await startOtel("rate=1", "opentelemetry,resource=service.name=mine");
    const beforeNs = BigInt(Date.now()) * 1_000_000n;
    await ask("id 7");
    await waitUntil("the spans are there", () => spans.length === 3);
    const afterNs = BigInt(Date.now() + 1) * 1_000_000n;
    const [root, model, compute] = ["InferRequest", "plus", "compute"].map((name) =>
      spans.find((span) => span.name === name),
    );
    if (root === undefined || model === undefined || compute === undefined) throw new Error("a span is missing");
    expect([root.parentSpanId, model.parentSpanId, compute.parentSpanId]).toEqual(["", root.spanId, model.spanId]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(model.attributes).toEqual({
      "triton.model_name": "plus",
      "triton.model_version": 1n,
      "triton.trace_id": 1n,
      "triton.trace_parent_id": 0n,
      "triton.request_id": "id 7",
    });
    expect(root.events).toEqual(["HTTP_RECV_START", "HTTP_RECV_END", "HTTP_SEND_START", "HTTP_SEND_END"]);
    expect(model.events).toEqual(["REQUEST_START", "QUEUE_START", "INFER_RESPONSE_COMPLETE", "REQUEST_END"]);
    expect(compute.events).toEqual(["COMPUTE_START", "COMPUTE_INPUT_END", "COMPUTE_OUTPUT_START", "COMPUTE_END"]);
    for (const [outer, inner] of [
      [root, model],
      [model, compute],
    ] as const) {
      expect(inner.startNs >= outer.startNs && inner.endNs <= outer.endNs).toBe(true);
    }
    expect(root.startNs >= beforeNs - 1_000_000_000n && root.endNs <= afterNs + 1_000_000_000n).toBe(true);
    expect(collector?.resource).toMatchObject({ "service.name": "mine" });
    expect(collector?.headers["content-type"]).toBe("application/x-protobuf");
    expect(of.url).toContain("/v1/traces");
  });

  it("joins the caller's trace, beyond the rate, when the caller records it", async () => {
    const { spans } = await startOtel("rate=0");
    await ask("not traced");
    await ask("not recorded", 1, { traceparent: `00-${TRACE}-${SPAN}-00` });
    await ask("recorded", 1, { traceparent: `00-${TRACE}-${SPAN}-01` });
    await waitUntil("the spans are there", () => spans.length >= 3);
    await server.stop();
    expect(spans.filter(({ name }) => name === "InferRequest")).toMatchObject([{ traceId: TRACE, parentSpanId: SPAN }]);
    expect(spans).toHaveLength(3);
  });

  it("marks failed requests, and sends what waits when the server ends", async () => {
    const { spans } = await startOtel("rate=1", "opentelemetry,bsp_schedule_delay=60000");
    await server.api.infer("plus", floats("NOTHING", [[1]]));
    await server.stop();
    const [model] = spans.filter(({ name }) => name === "plus");
    expect(model?.statusMessage).toContain("unexpected inference input 'NOTHING' for model 'plus'");
  });

  it("without a collector costs traces, and neither requests nor the end of the server", async () => {
    const args = configs(
      "mode=opentelemetry",
      "level=TIMESTAMPS",
      "rate=1",
      "opentelemetry,url=http://127.0.0.1:1/v1/traces",
      "opentelemetry,bsp_schedule_delay=50",
    );
    server = await startTestServer({ models: [offset("plus", 1)], args });
    for (let at = 0; at < 5; at += 1) expect((await ask()).status).toBe(200);
    // It stayed 0, whatever the collector did.
    const { metricsUrl } = server;
    const dropped = async () =>
      /^nereid_traces_dropped_total (\d+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1];
    await waitUntil("the lost traces are counted", async () => (await dropped()) === "5");
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it("shows its settings over HTTP", async () => {
    const { url } = await startOtel("rate=1");
    expect(parse(await server.api.call("/v2/trace/setting"))).toEqual({
      trace_level: ["TIMESTAMPS"],
      trace_rate: "1",
      trace_count: "-1",
      trace_mode: "opentelemetry",
      url,
      bsp_max_queue_size: "2048",
      bsp_schedule_delay: "50",
      bsp_max_export_batch_size: "512",
    });
  });
});

describe("a traced ensemble", () => {
  it("has a trace for each of its steps, with its own as their parent", async () => {
    const io =
      'input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ -1 ] } ]\noutput [ { name: "ANSWER" data_type: TYPE_FP32 dims: [ -1 ] } ]';
    const both = ensemble(
      "both",
      io,
      [
        step("plus", { in: { QUESTION: "QUESTION" }, out: { ANSWER: "between" } }),
        step("other", { in: { QUESTION: "between" }, out: { ANSWER: "ANSWER" } }),
      ],
      { maxBatchSize: 8 },
    );
    const directory = testDirectory([offset("plus", 1), offset("other", 2), both]);
    const file = join(directory, "trace.json");
    server = launchTestServer(directory, { args: configs(`triton,file=${file}`, "level=TIMESTAMPS", "rate=1") });
    await server.ready();
    expect((await server.api.infer("both", floats("QUESTION", [[1, 2]]), { id: "e" })).status).toBe(200);
    await server.stop();
    const heads = read(file).filter(({ model_name }) => model_name !== undefined);
    const parent = heads.find(({ model_name }) => model_name === "both");
    expect(heads).toHaveLength(3);
    expect(heads.filter((head) => head !== parent)).toEqual([
      expect.objectContaining({ model_name: "plus", request_id: "e", parent_id: parent?.id }),
      expect.objectContaining({ model_name: "other", request_id: "e", parent_id: parent?.id }),
    ]);
  });
});
