import { type InferCallInput, NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { accumulatorConfig, accumulatorModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { replaceFile, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

const accumulator = (name: string, options: Parameters<typeof accumulatorConfig>[0]): TestModel => ({
  name,
  files: { "config.pbtxt": accumulatorConfig(options), "1/model.onnx": accumulatorModel() },
});

/** Runs each request three times before it answers how often it ran. */
const iterative = script(
  "iterative",
  `max_batch_size: 0
input [ { name: "INPUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "ROUNDS" data_type: TYPE_INT32 dims: [ 1 ] } ]
sequence_batching { iterative_sequence: true }`,
  `const rounds = new Map();
export function execute(requests) {
  return requests.map((request) => {
    const key = String(request.sequence.id);
    const round = (request.sequence.start ? 0 : (rounds.get(key) ?? 0)) + 1;
    rounds.set(key, round);
    if (round < 3) return request.reschedule() ?? null;
    rounds.delete(key);
    return { outputs: { ROUNDS: { shape: [1], data: [round] } } };
  });
}`,
);

beforeAll(async () => {
  server = await startTestServer({
    models: [
      accumulator("direct", { strategy: "direct { }", slots: 4 }),
      accumulator("oldest", { strategy: "oldest { max_candidate_sequences: 4 }", slots: 4 }),
      accumulator("one_slot", { strategy: "direct { }", slots: 1 }),
      accumulator("impatient", { strategy: "direct { }", slots: 4, idleUs: 300_000 }),
      iterative,
    ],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

interface Turn {
  readonly id: bigint | string;
  readonly start?: boolean;
  readonly end?: boolean;
  readonly value: number;
}

const number = (value: number): InferCallInput[] => [
  tensor({ name: "INPUT", datatype: "INT32", shape: [1, 1], data: [value] }),
];
const options = ({ id, start = false, end = false }: Turn) => ({
  parameters: { sequence_id: id, sequence_start: start, sequence_end: end },
});
const say = async (model: string, turn: Turn) => {
  const answer = await http.infer(model, { inputs: number(turn.value), ...options(turn) });
  return {
    sum: outputValues(answer, "SUM", "INT32")[0],
    seen: outputValues(answer, "SEEN", "INT32")[0],
    id: outputValues(answer, "ID", "UINT64")[0],
    outputs: answer.outputs.map(({ name }) => name),
  };
};

describe.each(["direct", "oldest"])("a sequence on the %s strategy", (model) => {
  it("keeps its own sum over its requests, and the model sees its controls", async () => {
    expect(await say(model, { id: 7n, start: true, value: 1 })).toEqual({
      sum: 1,
      seen: 101,
      id: 7n,
      outputs: ["SUM", "SEEN", "ID"],
    });
    expect(await say(model, { id: 7n, value: 10 })).toMatchObject({ sum: 11, seen: 100 });
    expect(await say(model, { id: 7n, end: true, value: 100 })).toMatchObject({ sum: 111, seen: 110 });
  });

  it("may begin and end with one request", async () => {
    expect(await say(model, { id: 8n, start: true, end: true, value: 5 })).toMatchObject({ sum: 5, seen: 111 });
  });

  it("runs beside many others without mixing with them", async () => {
    const one = async (id: number) => {
      const id64 = BigInt(1000 + id);
      await say(model, { id: id64, start: true, value: id });
      for (let turn = 0; turn < 5; turn++) await say(model, { id: id64, value: turn });
      return (await say(model, { id: id64, end: true, value: 0 })).sum;
    };
    const sums = await Promise.all(Array.from({ length: 24 }, (_, id) => one(id)));
    expect(sums).toEqual(Array.from({ length: 24 }, (_, id) => id + 10));
  });

  it("may run over a gRPC stream, with the requests sent ahead of the answers", async () => {
    const stream = grpc.inferStream();
    for (let turn = 1; turn <= 10; turn++)
      await stream.send(model, {
        inputs: number(turn),
        ...options({ id: 99n, start: turn === 1, end: turn === 10, value: turn }),
      });
    stream.end();
    const sums: (number | undefined)[] = [];
    for await (const { response } of stream) sums.push(outputValues(response, "SUM", "INT32")[0]);
    expect(sums).toEqual([1, 3, 6, 10, 15, 21, 28, 36, 45, 55]);
  });

  it("is refused without its start, without an id, or with a batch", async () => {
    await expect(say(model, { id: 4242n, value: 1 })).rejects.toThrow(
      `inference request for sequence 4242 to model '${model}' must specify the START flag on the first request of the sequence`,
    );
    await expect(http.infer(model, { inputs: number(1) })).rejects.toThrow(
      `inference request to model '${model}' must specify a non-zero or non-empty correlation ID`,
    );
    const two = [tensor({ name: "INPUT", datatype: "INT32", shape: [2, 1], data: [1, 2] })];
    await expect(http.infer(model, { inputs: two, ...options({ id: 5n, start: true, value: 0 }) })).rejects.toThrow(
      `inference request to model '${model}' must specify batch-size 1 due to requirements of sequence batcher`,
    );
  });
});

describe("sequences", () => {
  it("without a free slot wait until another one ends", async () => {
    await say("one_slot", { id: 1n, start: true, value: 1 });
    const second = say("one_slot", { id: 2n, start: true, end: true, value: 20 });
    expect(await say("one_slot", { id: 1n, value: 1 })).toMatchObject({ sum: 2 });
    await say("one_slot", { id: 1n, end: true, value: 1 });
    expect(await second).toMatchObject({ sum: 20 });
  });

  it("that fall silent lose their slot, and must begin anew", async () => {
    await say("impatient", { id: 3n, start: true, value: 1 });
    await waitUntil("the sequence has lost its slot", async () => {
      try {
        // Each of these is a sign of life, so they must be further apart than the limit.
        await new Promise((resolve) => setTimeout(resolve, 700));
        await say("impatient", { id: 3n, value: 1 });
        return false;
      } catch (error) {
        return String(error).includes("must specify the START flag");
      }
    });
  });

  it("under way stay with the version that began them while the model is reloaded", async () => {
    await say("direct", { id: 50n, start: true, value: 1 });
    // A change of the model's own file: a fresh copy is loaded, and the old one may only end its sequences.
    replaceFile(`${server.repository}/direct/config.pbtxt`, accumulatorConfig({ strategy: "direct { }", slots: 3 }));
    expect((await server.api.load("direct")).status).toBe(200);
    expect(await say("direct", { id: 50n, value: 2 })).toMatchObject({ sum: 3 });
    expect(await say("direct", { id: 51n, start: true, end: true, value: 9 })).toMatchObject({ sum: 9 });
    expect(await say("direct", { id: 50n, end: true, value: 4 })).toMatchObject({ sum: 7 });
  });

  it("that are iterative run again until the model has its answer, without an id of the client's", async () => {
    const inputs = [tensor({ name: "INPUT", datatype: "INT32", shape: [1], data: [1] })];
    const answers = await Promise.all(Array.from({ length: 5 }, () => http.infer("iterative", { inputs })));
    for (const answer of answers) expect([...outputValues(answer, "ROUNDS", "INT32")]).toEqual([3]);
  });
});
