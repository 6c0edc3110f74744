import { type InferCallInput, NereidClient, type ShadowStatus, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { accumulatorConfig, accumulatorModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensemble, fp32, repeater, script, step } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { offset, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** Version 1 adds 1, version 2 a little more. */
function versioned(name: string): TestModel {
  const { files } = offset(name, 1, "version_policy { all { } }\ndynamic_batching { }");
  return { name, files: { ...files, "2/model.onnx": offset(name, 1.25).files["1/model.onnx"] ?? "" } };
}

/** Version 1 gives its input back, version 2 does what `other` says. */
function scripted(name: string, other: string): TestModel {
  const config = `max_batch_size: 0\ninput [ ${fp32("X", "1")} ]\noutput [ ${fp32("Y", "1")} ]\nversion_policy { all { } }`;
  const source = (first: string) =>
    `export async function execute(requests) { ${first} return requests.map(({ inputs }) => ({ outputs: { Y: inputs.X } })); }`;
  const { files } = script(name, config, source(""));
  return { name, files: { ...files, "2/model.mjs": source(other) } };
}

const sums: TestModel = {
  name: "sums",
  files: {
    "config.pbtxt": accumulatorConfig({ strategy: "direct { }", slots: 4 }),
    "1/model.onnx": accumulatorModel(),
  },
};
const sumIo = `input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]\noutput [ { name: "SUM" data_type: TYPE_INT32 dims: [ 1 ] } ]`;

let server: TestServer;
let client: NereidClient;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      ...["other", "trial", "quick", "named"].map(versioned),
      scripted("slow", "await new Promise((resolve) => setTimeout(resolve, 150));"),
      scripted("broken", `throw new Error("no answer today");`),
      repeater("many"),
      sums,
      ensemble("chain", sumIo, [step("sums", { in: { INPUT: "INPUT" }, out: { SUM: "SUM" } })], { maxBatchSize: 4 }),
    ],
  });
  client = new NereidClient({ baseUrl: server.api.url.origin });
});
afterAll(() => server?.dispose());

const question = (...data: number[]): InferCallInput[] => [
  tensor({ name: "QUESTION", datatype: "FP32", shape: [1, data.length], data }),
];
const x: InferCallInput[] = [tensor({ name: "X", datatype: "FP32", shape: [1], data: [1] })];
const shadowOf = async (model: string): Promise<ShadowStatus> => {
  const status = await client.shadow(model);
  if (status === null) throw new Error(`'${model}' has no shadow`);
  return status;
};
const when = (model: string, holds: (status: ShadowStatus) => boolean) =>
  waitUntil(`the shadow of ${model} is so far`, async () => holds(await shadowOf(model)));
/** One request, and what became of all copies so far: on a busy machine those that come on end would be dropped. */
const inferAlone = async (model: string, inputs: InferCallInput[], copies: number) => {
  await client.infer(model, { inputs });
  await when(model, (status) => status.compared + status.failed + droppedOf(status) === copies);
};
const droppedOf = ({ dropped }: ShadowStatus) => Object.values(dropped).reduce((sum, count) => sum + count, 0);

describe("a shadow", () => {
  it("shows how a target that answers a little differently differs; clients see nothing of it", async () => {
    expect(await client.shadow("other")).toBeNull();
    await client.startShadow("other", { target: "1", percent: 100, absolute: 0.01, relative: 0.01, keepWorst: 2 });
    for (const value of [0, 5, 1000])
      expect((await client.infer("other", { inputs: question(value), id: `of-${value}` })).modelVersion).toBe("2");
    const grpc = new GrpcClient({ address: server.grpcAddress });
    await grpc.infer("other", { inputs: question(7), id: "over-grpc" });
    await grpc.close();
    await when("other", ({ compared }) => compared === 4);
    const status = await shadowOf("other");
    expect(status).toMatchObject({ mirrored: 4, failed: 0, agreed: 1, maxAbsolute: 0.25, target: "1", percent: 100 });
    expect([status.worst.length, droppedOf(status)]).toEqual([2, 0]);
    expect(status.worst[0]).toMatchObject({
      requestId: "of-0",
      output: "ANSWER",
      index: 0,
      primary: 1.25,
      shadow: 1,
      absolute: 0.25,
      relative: 0.2,
      inputs: [{ name: "QUESTION", datatype: "FP32", shape: [1, 1], first: [0] }],
    });
    expect(status.latency.primary?.p50Ms).toBeGreaterThan(0);
    expect(status.latency.shadow?.p99Ms).toBeGreaterThan(0);
    await client.stopShadow("other");
    expect(await client.shadow("other")).toBeNull();
  });

  it("goes to a candidate, which stays as long as it does, and counts anew when it is begun again", async () => {
    await client.addCandidate("trial", { name: "trial_1", config: { max_batch_size: 2 } });
    await client.startShadow("trial", { target: "trial_1/2", percent: 100 });
    for (let index = 0; index < 20; index++) await inferAlone("trial", question(index), index + 1);
    await when("trial", ({ compared }) => compared === 20);
    expect(await shadowOf("trial")).toMatchObject({ agreed: 20, maxAbsolute: 0, worst: [], failed: 0 });
    expect((await client.candidates())[0]?.inUse).toBe("shadow");
    await expect(client.removeCandidate("trial_1")).rejects.toMatchObject({ code: "CONFLICT" });
    await client.startShadow("trial", { target: "trial_1/2", percent: 25 });
    for (let index = 0; index < 20; index++) await inferAlone("trial", question(index), Math.floor((index + 1) / 4));
    await when("trial", ({ compared }) => compared === 5);
    await client.stopShadow("trial");
    await client.removeCandidate("trial_1");
  });

  it("has only requests that name no version, unless it is to have all", async () => {
    await client.startShadow("named", { target: "1", percent: 100 });
    await client.infer("named", { inputs: question(1) }, { version: "2" });
    await client.infer("named", { inputs: question(1) });
    await when("named", ({ compared }) => compared === 1);
    await client.startShadow("named", { target: "1", percent: 100, requests: "all" });
    await client.infer("named", { inputs: question(1) }, { version: "2" });
    await when("named", ({ compared }) => compared === 1);
    await client.stopShadow("named");
  });

  it("that fails is counted, and fails no request", async () => {
    await client.startShadow("broken", { target: "2", percent: 100 });
    for (let index = 0; index < 5; index++) await client.infer("broken", { inputs: x }, { version: "1" });
    await client.divideTraffic("broken", { weights: { "1": 1 } });
    for (let index = 0; index < 5; index++) await inferAlone("broken", x, index + 1);
    await when("broken", ({ failed }) => failed === 5);
    expect((await shadowOf("broken")).lastFailure).toContain("no answer today");
    expect((await server.api.statistics("broken")).inference_stats.fail.count).toBe(5);
  });

  it("drops requests when the target cannot keep up; the model's own are answered as before", async () => {
    await client.divideTraffic("slow", { weights: { "1": 1 } });
    await client.startShadow("slow", { target: "2", percent: 100 });
    for (let round = 0; round < 100; round++) await client.infer("slow", { inputs: x });
    const busy = await shadowOf("slow");
    expect(busy.mirrored).toBeGreaterThan(0);
    expect(busy.dropped["target-busy"]).toBeGreaterThan(50);
    await client.stopShadow("slow");
  });

  it("compares or counts as dropped each request that is mirrored, as fast as they come", async () => {
    await client.startShadow("quick", { target: "1", percent: 100 });
    for (let index = 0; index < 200; index++) await client.infer("quick", { inputs: question(index) });
    await when("quick", (status) => status.compared + status.failed + droppedOf(status) === 200);
    expect((await shadowOf("quick")).compared).toBeGreaterThan(0);
  });
});

describe("what is refused", () => {
  it.each([
    ["sums", { target: "1", percent: 5 }, "UNSUPPORTED", /keeps states of sequences/],
    ["chain", { target: "1", percent: 5 }, "UNSUPPORTED", /ensemble 'chain' uses model 'sums', which keeps states/],
    ["many", { target: "1", percent: 5 }, "UNSUPPORTED", /decoupled/],
    ["quick", { target: "9", percent: 5 }, "NOT_FOUND", /serves no '9'/],
    ["quick", { target: "nobody/1", percent: 5 }, "NOT_FOUND", /serves no 'nobody\/1'/],
    ["quick", { target: "other/1", percent: 5 }, "NOT_FOUND", /serves no 'other\/1'/],
    ["nobody", { target: "1", percent: 5 }, "NOT_FOUND", /is not found/],
    ["quick", { target: "1", percent: 0 }, "INVALID_ARGUMENT", /'percent' must be/],
  ])("%s to %j", async (model, request, code, message) => {
    const refusal = client.startShadow(model, request);
    await expect(refusal).rejects.toMatchObject({ message: expect.stringMatching(message) });
    // UNSUPPORTED has a status that other codes have too.
    if (code !== "UNSUPPORTED") await expect(refusal).rejects.toMatchObject({ code });
  });
});
