import { NO_REDIS, startRedis, type TestRedis } from "@nereid/inference-worker/testing/redis-server";
import { afterEach, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { ensemble, fp32, script, step } from "../testing/scripted-models.ts";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { floats, parse, type Reply, type StatisticsView } from "../testing/test-api.ts";
import { replaceFile, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const LOCAL = "--cache-config=local,size=1000000";
const CACHED = "response_cache { enable: true }";

/** Answers with its input plus `add`, and with how many times it was executed. */
const counting = (name: string, config = CACHED, add = 0): TestModel =>
  script(
    name,
    `max_batch_size: 8
input [ ${fp32("X")} ]
output [ ${fp32("Y")}, { name: "TURN" data_type: TYPE_INT32 dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
${config}`,
    `let turn = 0;
export const execute = (requests) => requests.map(({ inputs: { X } }) => ({
  outputs: {
    Y: { shape: X.shape, data: X.data.map((value) => value + ${add}) },
    TURN: { shape: [X.shape[0], 1], data: new Array(X.shape[0]).fill(++turn) },
  },
}));`,
  );

const servers: TestServer[] = [];
let redis: TestRedis | undefined;
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()));
  await redis?.stop();
  redis = undefined;
});

async function start(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...options);
  servers.push(server);
  return server;
}

interface Answer {
  readonly id?: string;
  readonly outputs: readonly { readonly name: string; readonly data: readonly number[] }[];
}
const output = (reply: Reply, name: string) => parse<Answer>(reply).outputs.find((one) => one.name === name)?.data;
const turn = (reply: Reply) => output(reply, "TURN")?.[0];
type CacheDurations = Readonly<Record<"cache_hit" | "cache_miss", { count: number; ns: number }>>;
const cacheStats = (view: StatisticsView) => view.inference_stats as unknown as CacheDurations;

describe("--cache-config=local", () => {
  it("answers the same question without executing, and says so in statistics and metrics", async () => {
    const server = await start({ models: [counting("m"), counting("plain", "")], args: [LOCAL] });
    const { api } = server;
    const first = await api.infer("m", floats("X", [[1, 2]]), { id: "a" });
    const second = await api.infer("m", floats("X", [[1, 2]]), { id: "b" });
    expect([turn(first), turn(second)]).toEqual([1, 1]);
    expect(output(second, "Y")).toEqual([1, 2]);
    expect(parse<Answer>(second).id).toBe("b");
    // The same bytes in another shape are another question.
    expect(turn(await api.infer("m", floats("X", [[1], [2]])))).toBe(2);
    const asked = { inputs: floats("X", [[1, 2]]), outputs: [{ name: "Y" }] };
    expect(parse<Answer>(await api.post("/v2/models/m/infer", asked)).outputs.map(({ name }) => name)).toEqual(["Y"]);

    const statistics = await api.statistics("m");
    expect(statistics).toMatchObject({ inference_count: 3, execution_count: 2 });
    expect(statistics.inference_stats.success.count).toBe(4);
    expect(statistics.inference_stats.queue.count).toBe(4);
    expect(statistics.inference_stats.compute_infer.count).toBe(2);
    expect([cacheStats(statistics).cache_hit.count, cacheStats(statistics).cache_miss.count]).toEqual([2, 2]);

    expect(turn(await api.infer("plain", floats("X", [[1]])))).toBe(1);
    expect(turn(await api.infer("plain", floats("X", [[1]])))).toBe(2);

    const page = await readMetricsPage(server);
    expect(page.value('nv_cache_num_hits_per_model{model="m",version="1"}')).toBe(2);
    expect(page.value('nv_cache_num_misses_per_model{model="m",version="1"}')).toBe(2);
    expect(page.value('nv_inference_request_success{model="m",version="1"}')).toBe(4);
    expect(page.series.filter((name) => name.startsWith("nv_cache") && name.includes("plain"))).toEqual([]);
    expect(page.value("nereid_cache_entries")).toBe(2);
    expect(page.value("nereid_cache_limit_bytes")).toBe(1_000_000);
    expect(page.value("nereid_cache_bytes")).toBeGreaterThan(0);
    expect(page.value("nereid_cache_evictions_total")).toBe(0);
  });

  it("does not answer with what a model said before it was loaded anew", async () => {
    const server = await start({ models: [counting("m")], args: [LOCAL] });
    const ask = async () => output(await server.api.infer("m", floats("X", [[1]])), "Y");
    expect(await ask()).toEqual([1]);
    const changed = counting("m", CACHED, 10).files["1/model.mjs"] ?? "";
    replaceFile(`${server.repository}/m/1/model.mjs`, changed);
    expect((await server.api.load("m")).status).toBe(200);
    expect(await ask()).toEqual([11]);
  });

  it("answers for an ensemble until a model of its steps is loaded anew", async () => {
    const io = `input [ ${fp32("IN")} ] output [ ${fp32("OUT")} ]`;
    const steps = [step("inner", { in: { X: "IN" }, out: { Y: "OUT" } })];
    const server = await start({
      models: [counting("inner", ""), ensemble("outer", io, steps, { maxBatchSize: 8, config: CACHED })],
      args: [LOCAL],
    });
    const ask = async () => output(await server.api.infer("outer", floats("IN", [[1]])), "OUT");
    expect([await ask(), await ask()]).toEqual([[1], [1]]);
    expect((await server.api.statistics("inner")).execution_count).toBe(1);
    expect(cacheStats(await server.api.statistics("outer")).cache_hit.count).toBe(1);
    replaceFile(`${server.repository}/inner/1/model.mjs`, counting("inner", "", 10).files["1/model.mjs"] ?? "");
    await server.api.load("inner");
    expect(await ask()).toEqual([11]);
  });

  it("keeps no failure", async () => {
    const failing = script(
      "failing",
      `max_batch_size: 0 input [ ${fp32("X")} ] output [ ${fp32("Y")} ] ${CACHED}`,
      `let turn = 0;
export const execute = (requests) => requests.map(({ inputs: { X } }) => ++turn === 1 ? { error: "not yet" } : { outputs: { Y: { shape: X.shape, data: [...X.data] } } });`,
    );
    const { api } = await start({ models: [failing], args: [LOCAL] });
    const inputs = [{ name: "X", datatype: "FP32", shape: [1], data: [1] }];
    expect((await api.infer("failing", inputs)).status).toBeGreaterThanOrEqual(400);
    expect((await api.infer("failing", inputs)).status).toBe(200);
  });
});

describe("without a cache", () => {
  it("a model that wants one is executed every time, and its load says which option is missing", async () => {
    const { api } = await start({ models: [counting("m")] });
    const warnings = (await api.model("m")).warnings.filter(({ message }) => message.includes("response_cache"));
    expect(warnings.map(({ code }) => code)).toEqual(["no-response-cache"]);
    expect(warnings[0]?.message).toContain("--cache-config=local,size=<bytes>");
    expect(turn(await api.infer("m", floats("X", [[1]])))).toBe(1);
    expect(turn(await api.infer("m", floats("X", [[1]])))).toBe(2);
  });
});

const without = NO_REDIS === undefined ? "" : ` (skipped: ${NO_REDIS})`;
describe.skipIf(NO_REDIS !== undefined)(`--cache-config=redis${without}`, () => {
  it("shares answers between servers, and none fails or waits when Redis goes", async () => {
    redis = await startRedis(0, "secret");
    const directory = testDirectory([counting("m")]);
    const args = ["host=127.0.0.1", `port=${redis.port}`, "password=secret", "ttl=600", "timeout_ms=2000"].map(
      (setting) => `--cache-config=redis,${setting}`,
    );
    const pair = [launchTestServer(directory, { args }), launchTestServer(directory, { args })] as const;
    servers.push(...pair);
    const [one, other] = pair;
    await Promise.all(pair.map((server) => server.ready()));
    for (const server of pair) {
      await waitUntil("Redis is connected", async () => {
        return (await readMetricsPage(server)).value("nereid_cache_connected") === 1;
      });
    }
    expect(turn(await one.api.infer("m", floats("X", [[5]])))).toBe(1);
    const hits = async () => cacheStats(await other.api.statistics("m")).cache_hit.count;
    await waitUntil("the other server has it, too", async () => {
      await other.api.infer("m", floats("X", [[5]]));
      return (await hits()) > 0;
    });
    await redis.stop();
    redis = undefined;
    const { execution_count: before } = await other.api.statistics("m");
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.api.infer("m", floats("X", [[5]]))));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await other.api.statistics("m")).execution_count).toBeGreaterThan(before);
  });

  it("starts and serves although there is no Redis", async () => {
    const { api } = await start({
      models: [counting("m")],
      args: ["--cache-config=redis,host=127.0.0.1", "--cache-config=redis,port=1"],
    });
    expect(turn(await api.infer("m", floats("X", [[1]])))).toBe(1);
    expect(turn(await api.infer("m", floats("X", [[1]])))).toBe(2);
  });
});
