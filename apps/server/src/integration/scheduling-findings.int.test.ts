import { type InferCallInput, NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensemble, fp32, repeater, script, step } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { replaceFile } from "../testing/test-model.ts";

const ONE = "instance_group [ { count: 1 kind: KIND_CPU } ]";
const XY = `input [ ${fp32("X", "1")} ]\noutput [ ${fp32("Y", "1")} ]`;
const ECHO =
  "export const execute = (requests) => requests.map(({ inputs: { X } }) => ({ outputs: { Y: { shape: X.shape, data: [...X.data] } } }));";

/** Takes more than half of the longest time that an execution may take. */
const leisurely = script(
  "leisurely",
  `max_batch_size: 1\n${XY}\ndynamic_batching { }\n${ONE}`,
  `export async function execute(requests) {
  await new Promise((resolve) => setTimeout(resolve, 1200));
  return requests.map(({ inputs: { X } }) => ({ outputs: { Y: { shape: X.shape, data: [...X.data] } } }));
}`,
);

const gathering = script(
  "gathering",
  `max_batch_size: 8\n${XY}\ndynamic_batching { max_queue_delay_microseconds: 1000000 }\n${ONE}`,
  ECHO,
);

/** `X` answers, all sent before `execute` returns. */
const blocking = script(
  "blocking",
  `max_batch_size: 0\n${XY}\nmodel_transaction_policy { decoupled: true }\n${ONE}`,
  `export async function execute([request]) {
  const count = request.inputs.X.data[0];
  for (let index = 0; index < count; index++) await request.send({ outputs: { Y: { shape: [1], data: [1] } } });
  request.end();
}`,
);

/** Adds up what a sequence sends, in an implicit state; 99 makes a state of another shape. */
const sum = (name: string, strategy: string) =>
  script(
    name,
    `max_batch_size: 4
${XY}
sequence_batching {
  max_sequence_idle_microseconds: 60000000
  ${strategy}
  state [ { input_name: "BEFORE" output_name: "AFTER" data_type: TYPE_FP32 dims: [ 1 ] } ]
}
${ONE}`,
    SUM,
  );

const SUM = `export function execute(requests) {
  return requests.map(({ inputs: { X, BEFORE } }) => {
    const data = [BEFORE.data[0] + X.data[0]];
    const AFTER = X.data[0] === 99 ? { shape: [1, 3], data: [7, 7, 7] } : { shape: [1, 1], data };
    return { outputs: { Y: { shape: [1, 1], data }, AFTER } };
  });
}`;

const reshaped = script(
  "reshaped",
  `max_batch_size: 4
input [ { name: "X" data_type: TYPE_FP32 dims: [ 2, 2 ] reshape { shape: [ 4 ] } } ]
output [ { name: "Y" data_type: TYPE_FP32 dims: [ 2, 2 ] reshape { shape: [ 4 ] } } ]`,
  `export const execute = (requests) =>
  requests.map(({ inputs: { X } }) => ({
    outputs: { Y: { shape: X.shape, data: [...X.data] } },
    parameters: { seen: X.shape.join() },
  }));`,
);

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

beforeAll(async () => {
  server = await startTestServer({
    models: [
      leisurely,
      gathering,
      blocking,
      repeater("in_order", `dynamic_batching { preserve_ordering: true }\n${ONE}`),
      ensemble("twice", `input [ ${fp32("X", "1")} ]\noutput [ ${fp32("Z", "1")} ]`, [
        step("blocking", { in: { X: "X" }, out: { Y: "T" } }),
        step("blocking", { in: { X: "T" }, out: { Y: "Z" } }),
      ]),
      sum("sum", "direct { }"),
      sum("sum_in_order", "oldest { max_candidate_sequences: 2 preserve_ordering: true }"),
      ensemble("sum_ensemble", XY, [step("sum", { in: { X: "X" }, out: { Y: "Y" } })], { maxBatchSize: 1 }),
      reshaped,
    ],
    args: ["--execution-timeout-secs=2"],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

const x = (value: number, shape: readonly number[] = [1, 1]): InferCallInput[] => [
  tensor({ name: "X", datatype: "FP32", shape, data: [value] }),
];

async function y(answer: ReturnType<NereidClient["infer"]>): Promise<number | undefined> {
  return outputValues(await answer, "Y", "FP32")[0];
}

/** How often each request of a stream was answered, the mark of its end included. */
async function answers(model: string, requests: ReadonlyMap<string, InferCallInput[]>): Promise<object> {
  const stream = grpc.inferStream();
  for (const [id, inputs] of requests) await stream.send(model, { id, inputs }, { emptyFinalResponse: true });
  stream.end();
  const seen: Record<string, number> = {};
  for await (const { response } of stream) seen[response.id] = (seen[response.id] ?? 0) + 1;
  return seen;
}

async function restartsOf(model: string): Promise<number | undefined> {
  return (await server.api.model(model)).versions[0]?.runner?.restarts;
}

describe("the longest time of an execution", () => {
  it("does not count for a batch sent ahead while it waits for the one before it", async () => {
    const values = [1, 2, 3, 4];
    await expect(Promise.all(values.map((value) => y(http.infer("leisurely", { inputs: x(value) }))))).resolves.toEqual(
      values,
    );
    expect(await restartsOf("leisurely")).toBe(0);
  });
});

describe("preserve_ordering", () => {
  it("does not stop a decoupled model whose held answers take all the room for answers", async () => {
    const inputs = (count: number) => [
      tensor({ name: "COUNT", datatype: "INT32", shape: [1], data: [count] }),
      tensor({ name: "VALUE", datatype: "FP32", shape: [1], data: [1] }),
    ];
    const requests = new Map([
      ["first", inputs(400)],
      ["second", inputs(500)],
    ]);
    expect(await answers("in_order", requests)).toEqual({ first: 401, second: 501 });
  });

  it("does not hold a sequence's answer for a request that waits for its slot", async () => {
    const sequence = async (id: bigint) => {
      const said: (number | undefined)[] = [];
      for (const value of [1, 2, 3]) {
        const place = { id, start: value === 1, end: value === 3 };
        said.push(await y(http.infer("sum_in_order", { inputs: x(value), sequence: place })));
      }
      return said;
    };
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => sequence(BigInt(index + 1))));
    expect(new Set(all.map(String))).toEqual(new Set(["1,3,6"]));
  });
});

describe("long parameters", () => {
  it("cost neither the process of the model nor those they share a batch with", async () => {
    const long = "x".repeat(24 << 20);
    const each = [1, 2, 3, 4].map((value) =>
      y(http.infer("gathering", { inputs: x(value), ...(value < 4 && { parameters: { long } }) })),
    );
    expect(await Promise.all(each)).toEqual([1, 2, 3, 4]);
    expect(await restartsOf("gathering")).toBe(0);
  });

  it("are refused where they do not fit into a message to the model", async () => {
    // Six bytes each in JSON.
    const long = "\u0001".repeat(11 << 20);
    await expect(grpc.infer("gathering", { inputs: x(1), parameters: { long } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("more than the 60 MiB that a model can be given"),
    });
    expect(await restartsOf("gathering")).toBe(0);
  });
});

describe("an ensemble", () => {
  it("does not stop when a decoupled model's answers wait for the same model's next turn", async () => {
    expect(await answers("twice", new Map([["many", x(600, [1])]]))).toEqual({ many: 601 });
  });

  it("keeps a sequence with the copy of its step's model that began it", async () => {
    expect(await y(http.infer("sum_ensemble", { inputs: x(1), sequence: { id: 70n, start: true } }))).toBe(1);
    replaceFile(`${server.repository}/sum/1/model.mjs`, SUM.replace("BEFORE.data[0] +", "1000 +"));
    expect((await server.api.load("sum")).status).toBe(200);
    expect(await y(http.infer("sum_ensemble", { inputs: x(2), sequence: { id: 70n } }))).toBe(3);
    expect(await y(http.infer("sum_ensemble", { inputs: x(3), sequence: { id: 70n, end: true } }))).toBe(6);
    const whole = { id: 70n, start: true, end: true };
    expect(await y(http.infer("sum_ensemble", { inputs: x(3), sequence: whole }))).toBe(1003);
  });
});

describe("a script", () => {
  it("sees an input as its reshape says, and its output is put back into the client's shape", async () => {
    const inputs = [tensor({ name: "X", datatype: "FP32", shape: [1, 2, 2], data: [1, 2, 3, 4] })];
    const { parameters, outputs } = await http.infer("reshaped", { inputs });
    expect(parameters?.get("seen")).toBe("1,4");
    expect(outputs[0]?.shape).toEqual([1, 2, 2]);
  });

  it("cannot leave a state that does not fit: the sequence goes on with the one before", async () => {
    expect(await y(http.infer("sum_in_order", { inputs: x(5), sequence: { id: 80n, start: true } }))).toBe(5);
    await expect(http.infer("sum_in_order", { inputs: x(99), sequence: { id: 80n } })).rejects.toThrow(
      "output 'AFTER' of model 'sum_in_order' has shape [1,3], but its configuration says [-1,1]",
    );
    expect(await y(http.infer("sum_in_order", { inputs: x(1), sequence: { id: 80n, end: true } }))).toBe(6);
  });
});
