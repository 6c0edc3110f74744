import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrpcJsClient } from "../testing/grpc-js-client.ts";
import { script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

/** Takes as long as it is told, and says as how manyeth it was executed. */
const worker = (name: string, config: string, instances = 1) =>
  script(
    name,
    `max_batch_size: 8
input [ { name: "MS" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "TURN" data_type: TYPE_INT32 dims: [ 1 ] } ]
instance_group [ { count: ${instances} kind: KIND_CPU } ]
${config}`,
    `let turn = 0;
export async function execute(requests) {
  const turns = requests.map(() => ++turn);
  await new Promise((resolve) => setTimeout(resolve, Math.max(...requests.map(({ inputs }) => inputs.MS.data[0]))));
  return turns.map((value) => ({ outputs: { TURN: { shape: [1, 1], data: [value] } } }));
}`,
  );

const parameter = (key: string, value: string) => `parameters { key: "${key}" value { string_value: "${value}" } }`;
const NO_BATCH = "preferred_batch_size: [ 1 ]";

beforeAll(async () => {
  server = await startTestServer({
    models: [
      worker(
        "levels",
        `dynamic_batching { ${NO_BATCH} priority_levels: 3 default_priority_level: 2 default_queue_policy { max_queue_size: 100 } }`,
      ),
      worker("in_order", `dynamic_batching { ${NO_BATCH} preserve_ordering: true }`, 2),
      worker(
        "delays",
        `dynamic_batching { ${NO_BATCH} default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 200000 } }`,
      ),
      worker(
        "rejects",
        `dynamic_batching { ${NO_BATCH} default_queue_policy { default_timeout_microseconds: 40000 allow_timeout_override: true } }`,
      ),
      worker("few", parameter("max_queue_requests", "2")),
      worker("quick", parameter("max_queue_wait_ms", "100")),
      worker("plain", ""),
      worker("crowded", ""),
      script(
        "classes",
        `max_batch_size: 0
input [ { name: "SIZE" data_type: TYPE_INT32 dims: [ -1 ] } ]
output [ { name: "TURN" data_type: TYPE_INT32 dims: [ 1 ] } ]
instance_group [ { count: 2 kind: KIND_CPU } ]
${parameter("cost_measure", "SIZE[0]")}
${parameter("cost_classes", "small:50:weight=4, large:*:queued=2:executing=1")}`,
        `export async function execute([{ inputs: { SIZE } }]) {
  await new Promise((resolve) => setTimeout(resolve, SIZE.shape[0]));
  return [{ outputs: { TURN: { shape: [1], data: [SIZE.shape[0]] } } }];
}`,
      ),
    ],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

const ms = (value: number) => [tensor({ name: "MS", datatype: "INT32", shape: [1, 1], data: [value] })];
const work = async (
  model: string,
  milliseconds: number,
  options: { id?: string; parameters?: Record<string, number>; signal?: AbortSignal } = {},
) => outputValues(await http.infer(model, { inputs: ms(milliseconds), ...options }), "TURN", "INT32")[0] ?? 0;
const pending = async (model: string) => (await server.api.model(model)).versions[0]?.pending ?? 0;
/** Keeps the model's one instance busy, and resolves once it is. */
const occupy = async (model: string, milliseconds: number) => {
  const before = (await server.api.model(model)).versions[0]?.instances.filter(({ busy }) => busy).length ?? 0;
  const done = work(model, milliseconds);
  // Whoever does not wait for it may end the server under it.
  done.catch(() => undefined);
  await waitUntil("the instance is busy", async () => {
    const { versions } = await server.api.model(model);
    return (versions[0]?.instances.filter(({ busy }) => busy).length ?? 0) > before;
  });
  return { done };
};
const queued = (model: string, count: number) =>
  waitUntil(`${count} requests wait`, async () => (await pending(model)) === count);

describe("a queue", () => {
  it("serves the higher priority first, whatever came first, and unknown ones as the default", async () => {
    const busy = await occupy("levels", 300);
    const asked: Promise<number>[] = [];
    for (const [index, priority] of [3, 0, 2, 99, 1].entries()) {
      asked.push(work("levels", 1, { parameters: { priority } }));
      await queued("levels", index + 1);
    }
    const first = await busy.done;
    expect((await Promise.all(asked)).map((turn) => turn - first)).toEqual([5, 2, 3, 4, 1]);
  });

  it("answers in the order of the requests where that is asked for, although a later one was done before", async () => {
    const finished: string[] = [];
    const slow = work("in_order", 250).then(() => finished.push("slow"));
    await waitUntil("the slow one runs", async () => {
      const { versions } = await server.api.model("in_order");
      return versions[0]?.instances.some(({ busy }) => busy) === true;
    });
    const fast = work("in_order", 1).then(() => finished.push("fast"));
    await Promise.all([slow, fast]);
    expect(finished).toEqual(["slow", "fast"]);
  });

  it("with DELAY keeps what has waited too long, and serves it behind those that have not", async () => {
    const busy = await occupy("delays", 600);
    const old = work("delays", 1);
    await queued("delays", 1);
    // It has waited for more than its 200 ms when a later one, that has not, is served before it.
    await new Promise((resolve) => setTimeout(resolve, 450));
    const fresh = work("delays", 1);
    await queued("delays", 2);
    const first = await busy.done;
    expect(await fresh).toBe(first + 1);
    expect(await old).toBe(first + 2);
  });

  it("with REJECT refuses what has waited too long, also while every instance is busy", async () => {
    const busy = await occupy("rejects", 400);
    await expect(work("rejects", 1)).rejects.toMatchObject({ code: "UNAVAILABLE", message: "Request timeout expired" });
    await expect(work("rejects", 1, { parameters: { timeout: 5000 } })).rejects.toThrow("Request timeout expired");
    expect(await busy.done).toBeGreaterThan(0);
  });

  it("of a model without batching may be limited, too, and says when to come back", async () => {
    const busy = await occupy("few", 400);
    const waiting = [work("few", 1), work("few", 1)];
    await queued("few", 2);
    const refused = await server.api.infer("few", [{ name: "MS", datatype: "INT32", shape: [1, 1], data: [1] }]);
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text).error).toMatch(/max_queue_requests|2/);
    await Promise.all([busy.done, ...waiting]);
    // Once it is known how long requests take, a refusal says when there will be room.
    const again = await occupy("few", 400);
    const more = [work("few", 1), work("few", 1)];
    await queued("few", 2);
    const told = await server.api.infer("few", [{ name: "MS", datatype: "INT32", shape: [1, 1], data: [1] }]);
    expect(Number(told.headers["retry-after"])).toBeGreaterThan(0);
    const client = new GrpcJsClient(server.grpcAddress);
    const failure = await client
      .call("modelInfer", {
        modelName: "few",
        inputs: [{ name: "MS", datatype: "INT32", shape: [1n, 1n] }],
        rawInputContents: [new Uint8Array(Int32Array.of(1).buffer)],
      })
      .then(
        () => undefined,
        (error: { code: number; metadata: { get(name: string): unknown[] } }) => error,
      );
    expect(failure?.code).toBe(14);
    expect(String(failure?.metadata.get("grpc-status-details-bin")[0])).toContain("google.rpc.RetryInfo");
    expect(Number(failure?.metadata.get("grpc-retry-pushback-ms")[0])).toBeGreaterThan(0);
    client.close();
    await Promise.all([again.done, ...more]);
  });

  it("may be limited by the time that a request would wait", async () => {
    for (let warm = 0; warm < 3; warm++) await work("quick", 150);
    const outcomes = await Promise.allSettled([work("quick", 150), work("quick", 150), work("quick", 150)]);
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  it("lets large requests hold only the instances that are meant for them", async () => {
    const sized = async (size: number) => {
      const inputs = [tensor({ name: "SIZE", datatype: "INT32", shape: [size], data: new Int32Array(size) })];
      return outputValues(await http.infer("classes", { inputs }), "TURN", "INT32")[0];
    };
    const finished: (number | undefined)[] = [];
    const note = (turn: number | undefined) => void finished.push(turn);
    const large = [sized(300).then(note), sized(300).then(note), sized(300).then(note)];
    await waitUntil("the large ones wait", async () => (await pending("classes")) === 2);
    await expect(sized(300)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    // One instance of two is left for small ones, however many large ones wait.
    await sized(1).then(note);
    await Promise.all(large);
    expect(finished).toEqual([1, 300, 300, 300]);
  });

  it("does not run what cannot be done before its client stops waiting", async () => {
    for (let warm = 0; warm < 5; warm++) await work("plain", 120);
    const before = await server.api.statistics("plain");
    const hurried = new NereidClient({ baseUrl: server.api.url.origin, headers: { "nereid-timeout-ms": "20" } });
    await expect(hurried.infer("plain", { inputs: ms(120) })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect((await server.api.statistics("plain")).execution_count).toBe(before.execution_count);
  });

  it("is free again when a thousand clients that waited have gone", async () => {
    await occupy("crowded", 10_000);
    const stop = new AbortController();
    const gone = Array.from({ length: 1000 }, () => work("crowded", 1, { signal: stop.signal }).catch(() => undefined));
    await waitUntil("all wait", async () => (await pending("crowded")) === 1000);
    stop.abort();
    await Promise.all(gone);
    await waitUntil("nobody waits", async () => (await pending("crowded")) === 0);
  });
});

describe("what happened to a request", () => {
  it("is remembered when it failed, by its id, with the batch it was in and its mates", async () => {
    const busy = await occupy("rejects", 300);
    await expect(work("rejects", 1, { id: "too-late" })).rejects.toThrow("Request timeout expired");
    await busy.done;
    const { records } = JSON.parse((await server.api.call("/nereid/v1/requests?id=too-late")).text);
    expect(records).toEqual([
      expect.objectContaining({
        id: "too-late",
        model: "rejects",
        version: "1",
        causes: ["failed"],
        outcome: "failed",
        error: { code: "UNAVAILABLE", message: "Request timeout expired" },
        shapes: [{ name: "MS", shape: [1, 1] }],
      }),
    ]);
    expect(records[0].queue.waitedNs).toBeGreaterThan(30e6);
    expect((await server.api.call("/nereid/v1/requests?cause=no")).status).toBe(400);
  });
});
