import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type InferCallInput, NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { accumulatorConfig, accumulatorModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, parse, type TestApi } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

interface Traffic {
  readonly weights: Readonly<Record<string, number>>;
  readonly shares: Readonly<Record<string, number>>;
}

let server: TestServer;
let client: NereidClient;
beforeAll(async () => {
  const sums = {
    name: "sums",
    files: {
      "config.pbtxt": accumulatorConfig({ strategy: "direct { }", slots: 4 }),
      "1/model.onnx": accumulatorModel(),
    },
  };
  server = await startTestServer({
    models: [...["split", "sticky", "down", "busy"].map((name) => offset(name, 1)), sums],
  });
  client = new NereidClient({ baseUrl: server.api.url.origin });
});
afterAll(() => server?.dispose());

const input: InferCallInput[] = [tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [0] })];
const divide = (model: string, weights: Readonly<Record<string, number>>, stickyHeader?: string) =>
  client.divideTraffic(model, { weights, ...(stickyHeader !== undefined && { stickyHeader }) });
/** Requests that were answered, by the name they count under. */
const answered = async (model: string, api: TestApi = server.api) =>
  (await api.statistics(model)).inference_stats.success.count;
const trafficOf = async (api: TestApi, model: string) =>
  parse<{ traffic: Traffic | null }>(await api.call(`/nereid/v1/models/${model}`)).traffic;

describe("a part of the traffic", () => {
  it("goes to a candidate exactly by its weight; clients see their model, statistics the candidate", async () => {
    await client.addCandidate("split", { name: "split_1", config: {} });
    const { traffic, warnings } = await divide("split", { "1": 3, "split_1/1": 1 });
    expect([traffic?.shares, warnings]).toEqual([{ "1": 0.75, "split_1/1": 0.25 }, []]);
    const names = new Set<string>();
    for (let index = 0; index < 40; index++) {
      const { modelName, modelVersion } = await client.infer("split", { inputs: input });
      names.add(`${modelName}/${modelVersion}`);
    }
    const grpc = new GrpcClient({ address: server.grpcAddress });
    for (let index = 0; index < 40; index++) names.add((await grpc.infer("split", { inputs: input })).modelName);
    await grpc.close();
    expect([...names]).toEqual(["split/1", "split"]);
    expect([await answered("split"), await answered("split_1")]).toEqual([60, 20]);
    const refused = await Promise.all(
      [1, 2, 3, 4].map(() => server.api.infer("split", [{ name: "NO", datatype: "FP32", shape: [1, 1], data: [0] }])),
    );
    for (const reply of refused) expect(errorOf(reply)).toMatch(/for model 'split'|'split'/);
    for (const reply of refused) expect(errorOf(reply)).not.toContain("split_1");
    expect((await client.candidates())[0]?.inUse).toBe("traffic");
  });

  it("must end before the candidate can be removed; then its part is gone, and all goes to the model", async () => {
    await expect(client.removeCandidate("split_1")).rejects.toMatchObject({ code: "CONFLICT" });
    await divide("split", { "1": 1, "split_1/1": 0 });
    await client.removeCandidate("split_1");
    expect((await trafficOf(server.api, "split"))?.weights).toEqual({ "1": 1 });
    await expect(divide("split", { "1": 1, "split_1/1": 1 })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "model 'split' has no candidate 'split_1/1'",
    });
  });

  it("sticks to the header's value", async () => {
    await client.addCandidate("sticky", { name: "sticky_1", config: {} });
    await divide("sticky", { "1": 50, "sticky_1/1": 50 }, "x-user");
    const tenOf = async (user: string) => {
      const before = await answered("sticky_1");
      for (let index = 0; index < 10; index++)
        await client.infer("sticky", { inputs: input }, { headers: { "x-user": user } });
      return (await answered("sticky_1")) - before;
    };
    const counts = [];
    for (const user of ["a", "b", "c", "d", "e", "f", "g", "h"]) counts.push(await tenOf(user));
    expect(new Set(counts)).toEqual(new Set([0, 10]));
  });

  it("goes to the others while the candidate is down, and not to it when the model is unloaded", async () => {
    await client.addCandidate("down", { name: "down_1", config: {} });
    await divide("down", { "1": 1, "down_1/1": 1 });
    const pid = await server.api.runnerPid("down_1");
    process.kill(pid, "SIGSTOP");
    await waitUntil(
      "the silence is noticed",
      async () => (await trafficOf(server.api, "down"))?.shares["down_1/1"] === undefined,
    );
    for (let index = 0; index < 4; index++) await client.infer("down", { inputs: input });
    expect(await answered("down")).toBe(4);
    process.kill(pid, "SIGCONT");
    await waitUntil("it answers again", async () => (await trafficOf(server.api, "down"))?.shares["down_1/1"] === 0.5);
    await server.api.unload("down");
    expect((await server.api.infer("down", floats("QUESTION", [[0]]))).status).toBe(404);
  });

  it("keeps sequences with who began them, whatever the weights become", async () => {
    await client.addCandidate("sums", { name: "sums_1", config: {} });
    const say = async (id: bigint, value: number, mark: { start?: boolean; end?: boolean } = {}) => {
      const parameters = { sequence_id: id, sequence_start: mark.start ?? false, sequence_end: mark.end ?? false };
      const inputs = [tensor({ name: "INPUT", datatype: "INT32", shape: [1, 1], data: [value] })];
      return Number(outputValues(await client.infer("sums", { inputs, parameters }), "SUM", "INT32")[0]);
    };
    await divide("sums", { "1": 0, "sums_1/1": 1 });
    expect(await say(7n, 1, { start: true })).toBe(1);
    await divide("sums", { "1": 1, "sums_1/1": 0 });
    expect(await say(8n, 100, { start: true })).toBe(100);
    expect([await say(7n, 2), await say(8n, 1)]).toEqual([3, 101]);
    // Begun anew elsewhere: what was left of it no longer counts.
    expect([await say(7n, 10, { start: true }), await say(7n, 1, { end: true })]).toEqual([10, 11]);
  });
});

it("no request fails while weights change, the model is loaded anew, and the candidate goes", async () => {
  await client.addCandidate("busy", { name: "busy_1", config: { max_batch_size: 4 } });
  const ended = new AbortController();
  let sent = 0;
  const clients = Array.from({ length: 6 }, async () => {
    while (!ended.signal.aborted) {
      await client.infer("busy", { inputs: input });
      sent += 1;
    }
  });
  const atLeast = (more: number) => {
    const until = sent + more;
    return waitUntil("more were answered", async () => sent >= until);
  };
  for (const weight of [50, 5, 95, 0, 100]) {
    await divide("busy", { "1": 100 - weight, "busy_1/1": weight });
    await atLeast(40);
  }
  const config = JSON.stringify({ backend: "onnxruntime", max_batch_size: 8 });
  expect((await server.api.post("/v2/repository/models/busy/load", { parameters: { config } })).status).toBe(200);
  await client.addCandidate("busy", { name: "busy_1", config: { max_batch_size: 2 } });
  await atLeast(40);
  await divide("busy", { "1": 100, "busy_1/1": 0 });
  await client.removeCandidate("busy_1");
  await atLeast(40);
  ended.abort();
  // Rejects with the first failure.
  await Promise.all(clients);
  expect((await server.api.statistics("busy")).inference_stats.fail.count).toBe(0);
});

it("neither candidates nor their part of the traffic outlive the server; the other weights decide then", async () => {
  const directory = testDirectory([offset("kept", 1)]);
  const args = [`--state-dir=${join(directory, "state")}`];
  const first = launchTestServer(directory, { args });
  await first.ready();
  const before = new NereidClient({ baseUrl: first.api.url.origin });
  await before.addCandidate("kept", { name: "kept_1", config: {} });
  await before.divideTraffic("kept", { weights: { "1": 9, "kept_1/1": 1 } });
  first.signal("SIGKILL");
  await first.exited;
  const second = launchTestServer(directory, { args });
  try {
    await second.ready();
    expect((await trafficOf(second.api, "kept"))?.weights).toEqual({ "1": 9 });
    expect(parse(await second.api.call("/nereid/v1/candidates"))).toEqual({ candidates: [] });
    const left = [join(directory, "tmp"), join(directory, "repository", ".nereid-staging")]
      .filter((path) => existsSync(path))
      .flatMap((path) => readdirSync(path, { recursive: true, encoding: "utf8" }));
    expect(left.filter((name) => name.includes("candidate-"))).toEqual([]);
  } finally {
    await second.dispose();
  }
});
