import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensemble, fp32, repeater, script, step } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, offset } from "../testing/test-model.ts";

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

const IO = (output = "ANSWER") => `input [ ${fp32("QUESTION")} ]\noutput [ ${fp32(output)} ]`;
const twice = (name: string, a: string, b: string) =>
  ensemble(
    name,
    IO(),
    [
      step(a, { in: { QUESTION: "QUESTION" }, out: { ANSWER: "between" } }),
      step(b, { in: { QUESTION: "between" }, out: { ANSWER: "ANSWER" } }),
    ],
    { maxBatchSize: 8 },
  );

/** Fails where the first number is negative; says how many requests it has seen. */
const picky = script(
  "picky",
  `max_batch_size: 8\n${IO()}\ninstance_group [ { count: 1 kind: KIND_CPU } ]`,
  `export function execute(requests) {
  return requests.map(({ inputs: { QUESTION } }) =>
    QUESTION.data[0] < 0
      ? { error: { code: "INVALID_ARGUMENT", message: "negative" } }
      : { outputs: { ANSWER: { shape: QUESTION.shape, data: [...QUESTION.data] } } });
}`,
);

/** Gives no output at all when it gets nothing but zeros. */
const shy = script(
  "shy",
  `max_batch_size: 0\n${IO()}`,
  `export function execute(requests) {
  return requests.map(({ inputs: { QUESTION } }) =>
    QUESTION.data.every((value) => value === 0) ? { outputs: {} } : { outputs: { ANSWER: { shape: QUESTION.shape, data: [...QUESTION.data] } } });
}`,
);

beforeAll(async () => {
  server = await startTestServer({
    models: [
      offset("plus1", 1),
      offset("plus10", 10),
      identity("same"),
      picky,
      shy,
      repeater("repeat"),
      twice("plus11", "plus1", "plus10"),
      twice("nested", "plus11", "plus11"),
      twice("fails", "plus1", "picky"),
      ensemble("unbatched", IO(), [step("shy", { in: { QUESTION: "QUESTION" }, out: { ANSWER: "ANSWER" } })]),
      ensemble("into_batch", IO(), [step("plus1", { in: { QUESTION: "QUESTION" }, out: { ANSWER: "ANSWER" } })]),
      ensemble(
        "stream",
        `input [ { name: "COUNT" data_type: TYPE_INT32 dims: [ 1 ] }, ${fp32("QUESTION")} ]\noutput [ ${fp32("ANSWER")} ]`,
        [
          step("repeat", { in: { COUNT: "COUNT", VALUE: "QUESTION" }, out: { VALUE_OUT: "each" } }),
          step("shy", { in: { QUESTION: "each" }, out: { ANSWER: "ANSWER" } }),
        ],
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

const question = (values: readonly number[], batch = true) =>
  tensor({
    name: "QUESTION",
    datatype: "FP32",
    shape: batch ? [1, values.length] : [values.length],
    data: [...values],
  });
const ask = async (model: string, values: readonly number[], batch = true) => {
  const answer = await http.infer(model, { inputs: [question(values, batch)] });
  return [...outputValues(answer, "ANSWER", "FP32")];
};

describe("an ensemble", () => {
  it("passes tensors from step to step", async () => {
    expect(await ask("plus11", [1, 2, 3])).toEqual([12, 13, 14]);
  });

  it("may be a step of another one", async () => {
    expect(await ask("nested", [1])).toEqual([23]);
  });

  it("answers each of many clients with its own answer while its steps batch", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => ask("nested", [index])));
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => [index + 22]));
    const statistics = await server.api.statistics("plus1");
    expect(statistics.execution_count).toBeLessThan(statistics.inference_count);
  });

  it("names itself and the step's own words when a step fails, and keeps the class of the failure", async () => {
    await expect(ask("fails", [-5])).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^in ensemble 'fails', .*negative$/),
    });
    expect(await ask("fails", [5])).toEqual([6]);
  });

  it("says so when a step leaves an output out that is needed", async () => {
    await expect(ask("unbatched", [0], false)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message:
        "in ensemble 'unbatched', unexpected deadlock, at least one output is not set while no more ensemble steps can be made",
    });
  });

  it("adds the batch dimension a step wants, and takes it away from the answer", async () => {
    const answer = await http.infer("into_batch", { inputs: [question([4], false)] });
    expect(answer.outputs.map(({ shape }) => shape)).toEqual([[1]]);
  });

  it("counts every request once, with the times of its steps", async () => {
    await ask("plus11", [1]);
    const statistics = await server.api.statistics("plus11");
    expect(statistics.inference_stats.success.count).toBe(statistics.execution_count);
    expect(statistics.inference_stats.compute_infer.ns).toBeGreaterThan(0);
  });

  it("with a decoupled step is decoupled itself and answers on a stream as often as that step does", async () => {
    const config = JSON.parse((await server.api.call("/v2/models/stream/config")).text);
    expect(config.model_transaction_policy).toEqual({ decoupled: true });
    const stream = grpc.inferStream();
    const count = tensor({ name: "COUNT", datatype: "INT32", shape: [1], data: [3] });
    await stream.send("stream", { id: "s", inputs: [count, question([7], false)] }, { emptyFinalResponse: true });
    stream.end();
    const seen: unknown[] = [];
    for await (const { response, final } of stream)
      seen.push([response.outputs.length === 0 ? [] : [...outputValues(response, "ANSWER", "FP32")], final]);
    expect(seen).toEqual([
      [[7], false],
      [[7], false],
      [[7], false],
      [[], true],
    ]);
  });
});
