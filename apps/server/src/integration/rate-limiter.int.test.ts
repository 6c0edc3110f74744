import { afterEach, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { parse, type Reply } from "../testing/test-api.ts";
import type { TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server.dispose());

/** Takes MS milliseconds, and says when it began and ended, by the clock of the machine. */
const timed = (name: string, group: string): TestModel =>
  script(
    name,
    `max_batch_size: 0
input [ { name: "MS" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "AT" data_type: TYPE_FP64 dims: [ 2 ] } ]
instance_group [ { kind: KIND_CPU ${group} } ]`,
    `const now = () => Number(process.hrtime.bigint());
export async function execute(requests) {
  return Promise.all(requests.map(async ({ inputs: { MS } }) => {
    const from = now();
    await new Promise((resolve) => setTimeout(resolve, MS.data[0]));
    return { outputs: { AT: { shape: [2], data: [from, now()] } } };
  }));
}`,
  );

const needs = (resources: string, priority = 1) => `rate_limiter { resources [ ${resources} ] priority: ${priority} }`;
const GLOBAL = '{ name: "R" global: true count: 1 }';
const ON = "--rate-limit=execution_count";

const work = (model: string, ms: number): Promise<Reply> =>
  server.api.infer(model, [{ name: "MS", datatype: "INT32", shape: [1], data: [ms] }]);
const spanOf = (reply: Reply) => {
  const [from = 0, to = 0] = parse<{ outputs: { data: number[] }[] }>(reply).outputs[0]?.data ?? [];
  return { from, to };
};
const inFlight = async (model: string) =>
  (await readMetricsPage(server)).value(
    `nereid_instance_in_flight{instance="${model}_0_0",model="${model}",version="1"}`,
  );

describe("--rate-limit=execution_count", () => {
  it("lets models that need one resource execute one after the other, and shows what is held", async () => {
    server = await startTestServer({
      models: [timed("a", `count: 2 ${needs(GLOBAL)}`), timed("b", `count: 1 ${needs(GLOBAL)}`)],
      args: [ON],
    });
    const held = work("a", 300);
    const page = await waitUntil("it is held", async () => {
      const now = await readMetricsPage(server);
      return now.value('nereid_rate_limiter_resource_used{device="global",resource="R"}') === 1 && now;
    });
    expect(page.value('nereid_rate_limiter_resource_limit{device="global",resource="R"}')).toBe(1);
    const replies = await Promise.all([held, ...["a", "b", "a", "b", "a", "b"].map((model) => work(model, 20))]);
    const spans = replies.map(spanOf).sort((x, y) => x.from - y.from);
    spans.slice(1).forEach(({ from }, at) => {
      expect(from).toBeGreaterThanOrEqual(spans[at]?.to ?? 0);
    });
    const after = await readMetricsPage(server);
    expect(after.value('nereid_rate_limiter_resource_used{device="global",resource="R"}')).toBe(0);
  });

  it("serves a model of priority 1 twice as often as one of priority 2", async () => {
    server = await startTestServer({
      models: [
        timed("gate", `count: 1 ${needs(GLOBAL)}`),
        timed("first", `count: 1 ${needs(GLOBAL, 1)}`),
        timed("second", `count: 1 ${needs(GLOBAL, 2)}`),
      ],
      args: [ON],
    });
    const gate = work("gate", 1500);
    await waitUntil("the gate is closed", async () => (await inFlight("gate")) === 1);
    const asked = ["first", "second"].flatMap((model) =>
      Array.from({ length: 20 }, async () => ({ model, ...spanOf(await work(model, 1)) })),
    );
    const done = await Promise.all(asked);
    const { to: opened } = spanOf(await gate);
    expect(Math.min(...done.map(({ from }) => from))).toBeGreaterThanOrEqual(opened);
    const order = done.sort((x, y) => x.from - y.from).map(({ model }) => model);
    const share = order.slice(0, 18).filter((model) => model === "first").length;
    expect([11, 12, 13]).toContain(share);
  });

  it("gives the resources of a runner that dies to others", async () => {
    server = await startTestServer({
      models: [timed("dying", `count: 1 ${needs(GLOBAL)}`), timed("other", `count: 1 ${needs(GLOBAL)}`)],
      args: [ON],
    });
    const lost = work("dying", 60_000);
    await waitUntil("it executes", async () => (await inFlight("dying")) === 1);
    const waiting = work("other", 1);
    await waitUntil("the other waits", async () => {
      return (await readMetricsPage(server)).value('nereid_queue_requests{model="other",version="1"}') === 1;
    });
    process.kill(await server.api.runnerPid("dying"), "SIGKILL");
    expect((await waiting).status).toBe(200);
    expect((await lost).status).toBe(503);
  });

  it("refuses to load what could never execute, with Triton's text", async () => {
    server = await startTestServer({
      models: [timed("fits", needs(GLOBAL)), timed("greedy", needs('{ name: "R" global: true count: 3 }'))],
      args: [ON, "--rate-limit-resource=R:2", "--exit-on-error=false"],
    });
    const text =
      'Resource count for "R" is limited to 2 which will prevent scheduling of one or more model instances, the minimum required count is 3';
    expect((await server.api.model("greedy")).lastLoadError).toContain(text);
    expect((await server.api.load("greedy")).status).toBe(400);
    expect((await work("fits", 1)).status).toBe(200);
  });
});

describe("--rate-limit=off", () => {
  it("is the default: resources are not looked at, and the load says so", async () => {
    server = await startTestServer({ models: [timed("a", needs('{ name: "R" count: 5 }'))] });
    expect((await work("a", 1)).status).toBe(200);
    expect((await server.api.model("a")).warnings.map(({ code }) => code)).toContain("rate-limit-off");
    expect((await readMetricsPage(server)).series.filter((name) => name.includes("rate_limiter"))).toEqual([]);
  });
});
