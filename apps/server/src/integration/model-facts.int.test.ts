import { request } from "node:http";
import { SseParser } from "@nereid/client";
import type { SecondBucket } from "@nereid/telemetry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { whole } from "../testing/test-api.ts";
import { identity, slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const TALKING = `
export function execute(requests) {
  console.log("saw password=geheim123 \\u001b[31mred\\u001b[0m");
  return requests.map(() => { throw new Error("this one fails"); });
}
`;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    models: [
      identity("rows", "dynamic_batching { max_queue_delay_microseconds: 50000 preferred_batch_size: [ 4 ] }"),
      slowEcho(
        "narrow",
        "dynamic_batching { priority_levels: 2 default_priority_level: 1 priority_queue_policy { key: 2 value { max_queue_size: 1 } } }",
      ),
      script(
        "talking",
        `max_batch_size: 0
        input [ { name: "X" data_type: TYPE_FP32 dims: [ -1 ] } ]
        output [ { name: "Y" data_type: TYPE_FP32 dims: [ -1 ] } ]
        instance_group [ { count: 1 kind: KIND_CPU } ]`,
        TALKING,
      ),
    ],
  });
});

afterAll(() => server.dispose());

const row = (length: number) => ({
  name: "INPUT_FP32",
  datatype: "FP32",
  shape: [1, length],
  data: Array(length).fill(1),
});

/** Events of a stream as they come, until `enough` of them have. */
function follow<T>(path: string, enough: (items: readonly T[]) => boolean): Promise<readonly T[]> {
  return new Promise((resolve, reject) => {
    const parser = new SseParser();
    const items: T[] = [];
    const { hostname, port } = server.api.url;
    const outgoing = request({ hostname, port, path, headers: { accept: "text/event-stream" } }, (response) => {
      response.setEncoding("utf8").on("data", (text: string) => {
        for (const event of parser.push(text)) if (event.data !== "{}") items.push(JSON.parse(event.data));
        if (!enough(items)) return;
        outgoing.destroy();
        resolve(items);
      });
      response.on("end", () => reject(new Error("the stream ended")));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

async function getJson<T>(path: string): Promise<T> {
  const { status, text } = await server.api.call(path);
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

interface Batching {
  readonly versions: readonly {
    readonly maxQueueDelayUs: number;
    readonly preferredBatchSizes: readonly number[];
    readonly executions: number;
    readonly batchSizes: readonly (readonly [number, number])[];
    readonly closed: Readonly<Record<string, number>>;
    readonly wait: readonly (readonly [number, number])[];
    readonly refusals: readonly Readonly<Record<string, number>>[];
    readonly instances: readonly { readonly busyShare10: number; readonly executions: number }[];
    readonly runner: { readonly threads: number; readonly rssBytes: number; readonly peakBytes: number };
  }[];
}

describe("facts about models", () => {
  it("tells, second by second, what closed batches, how busy instances were and how the machine stands", async () => {
    await Promise.all([1, 2, 3, 4].map(() => server.api.infer("rows", [row(3)])));
    const buckets = await follow<SecondBucket>("/nereid/v1/buckets", (items) =>
      items.some(({ series }) => series.some(({ model, success }) => model === "rows" && success > 0)),
    );
    const rows = buckets.flatMap(({ series }) => series.filter(({ model }) => model === "rows"));
    const executions = rows.flatMap(({ batchSizes }) => batchSizes ?? []).reduce((sum, [size, n]) => sum + size * n, 0);
    expect(executions).toBe(4);
    const closed = rows.flatMap((one) => Object.values(one.closed ?? {})).reduce((sum, count) => sum + count, 0);
    expect(closed).toBe(rows.reduce((sum, one) => sum + one.executions, 0));
    expect(rows.some(({ busyNs = 0, instances }) => busyNs > 0 && instances === 1)).toBe(true);
    const { node } = buckets.at(-1) ?? {};
    expect(node?.rssBytes).toBeGreaterThan(50e6);
    expect(node?.memoryTotalBytes).toBeGreaterThan(node?.rssBytes ?? 0);
    expect(node?.eventLoopLagMs).toBeGreaterThanOrEqual(0);
  });

  it("tells how batches came about and what each instance does", async () => {
    const { versions } = await getJson<Batching>("/nereid/v1/models/rows/batching");
    const [version] = versions;
    expect(version).toMatchObject({ maxQueueDelayUs: 50_000, preferredBatchSizes: [4] });
    expect(version?.batchSizes.reduce((sum, [, count]) => sum + count, 0)).toBe(version?.executions);
    expect(version?.wait.reduce((sum, [, count]) => sum + count, 0)).toBe(4);
    expect(version?.instances[0]?.busyShare10).toBeGreaterThan(0);
    expect(version?.runner.threads).toBeGreaterThan(1);
    expect(version?.runner.peakBytes).toBeGreaterThanOrEqual(version?.runner.rssBytes ?? Number.POSITIVE_INFINITY);
    expect((await server.api.call("/nereid/v1/models/nobody/batching")).status).toBe(404);
  });

  it("counts refusals by priority, and remembers their texts", async () => {
    // Stopped, its runner keeps the first request until the last one was refused.
    const pid = await server.api.runnerPid("narrow");
    process.kill(pid, "SIGSTOP");
    const ask = (id: string) =>
      server.api.post("/v2/models/narrow/infer", {
        id,
        inputs: whole("TURNS", 1, true),
        parameters: { priority: 2 },
      });
    const held = [ask("held")];
    await waitUntil("it executes", async () => (await server.api.model("narrow")).versions[0]?.instances[0]?.busy);
    held.push(ask("waiting"));
    await waitUntil("one waits", async () => (await server.api.model("narrow")).versions[0]?.pending === 1);
    const answers = await Promise.all(Array.from({ length: 3 }, (_, at) => ask(`r-${at}`)));
    process.kill(pid, "SIGCONT");
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    const { versions } = await getJson<Batching>("/nereid/v1/models/narrow/batching");
    expect(versions[0]?.refusals).toEqual([{ level: 2, rejected: 3, timedOut: 0, cancelled: 0, other: 0 }]);
    const { lines } = await getJson<{ lines: { text: string; requestId: string; level: string }[] }>(
      "/nereid/v1/logs?model=narrow&q=r-&level=warn",
    );
    expect(lines).toHaveLength(3);
    expect(lines[0]?.text).toMatch(/^UNAVAILABLE: .*exceeds maximum queue size/i);
  });

  it("remembers why a request was refused that did not fit its model", async () => {
    const wrong = { ...row(3), datatype: "INT32" };
    expect((await server.api.infer("rows", [wrong], { id: "wrong-1" })).status).toBe(400);
    const { lines } = await getJson<{ lines: { text: string; version: string }[] }>(
      "/nereid/v1/logs?model=rows&q=wrong-1",
    );
    expect(lines).toMatchObject([{ version: "1", text: expect.stringContaining("INVALID_ARGUMENT") }]);
  });

  it("counts requests by the shapes of their inputs", async () => {
    await Promise.all([5, 5, 7].map((length) => server.api.infer("rows", [row(length)])));
    interface Shapes {
      versions: { rows: { inputs: { shape: number[] }[]; count: number; p99Ns: number; cutShort: number }[] }[];
    }
    const { versions } = await getJson<Shapes>("/nereid/v1/models/rows/shapes");
    const counts = versions[0]?.rows.map(({ inputs, count }) => [inputs[0]?.shape.join(), count]);
    expect(counts).toEqual([
      ["3", 4],
      ["5", 2],
      ["7", 1],
    ]);
    expect(versions[0]?.rows.every(({ p99Ns }) => p99Ns > 0)).toBe(true);
  });

  it("keeps what a model prints without secrets or colours, streams it and goes on from a cursor", async () => {
    const start = (await getJson<{ next: number }>("/nereid/v1/logs?limit=1")).next;
    const heard = follow<{ id: number; text: string; source: string }>(
      `/nereid/v1/logs?model=talking&after=${start}`,
      (items) => items.some(({ source }) => source === "runner") && items.some(({ source }) => source === "request"),
    );
    const input = { name: "X", datatype: "FP32", shape: [1], data: [1] };
    expect((await server.api.infer("talking", [input], { id: "t-1" })).status).not.toBe(200);
    const lines = await heard;
    expect(lines.find(({ source }) => source === "runner")?.text).toBe("saw password=*** red");
    expect(lines.find(({ source }) => source === "request")?.text).toContain("this one fails");
    const last = lines.at(-1)?.id ?? 0;
    expect(await getJson(`/nereid/v1/logs?model=talking&after=${last}`)).toMatchObject({ lines: [], gap: false });
    expect(await getJson("/nereid/v1/logs?after=1&limit=1")).toMatchObject({ gap: true });
    expect((await server.api.call("/nereid/v1/logs?level=loud")).status).toBe(400);
  });

  it("remembers the memory of each load, also after the unload", async () => {
    interface Memory {
      loads: { loadedBytes: number; peakBytes?: number; currentBytes?: number; afterUnloadBytes?: number }[];
      estimates: { version: string; bytes: number; fileBytes: number }[];
      holders: { model: string; bytes: number }[];
    }
    expect((await server.api.load("narrow")).status).toBe(200);
    const before = await getJson<Memory>("/nereid/v1/models/narrow/memory");
    expect(before.estimates[0]?.bytes).toBeGreaterThan(before.estimates[0]?.fileBytes ?? Number.POSITIVE_INFINITY);
    expect(before.loads[0]?.currentBytes).toBeGreaterThan(0);
    expect(before.holders.map(({ model }) => model)).toContain("rows");
    await server.api.unload("narrow");
    await waitUntil("the process has ended", async () => {
      const { loads } = await getJson<Memory>("/nereid/v1/models/narrow/memory");
      return loads[0]?.afterUnloadBytes === 0;
    });
    const after = await getJson<Memory>("/nereid/v1/models/narrow/memory");
    expect(after.loads[0]?.peakBytes).toBeGreaterThanOrEqual(after.loads[0]?.loadedBytes ?? Number.POSITIVE_INFINITY);
    expect(after.loads[0]).not.toHaveProperty("currentBytes");
    expect(after.holders.map(({ model }) => model)).not.toContain("narrow");
  });
});
