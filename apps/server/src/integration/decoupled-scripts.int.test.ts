import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fp32, repeater, script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

/** Sends one answer, then fails. */
const breaking = script(
  "breaking",
  `max_batch_size: 0
input [ ${fp32("VALUE")} ]
output [ ${fp32("VALUE_OUT")} ]
model_transaction_policy { decoupled: true }`,
  `export async function execute([request]) {
  await request.send({ outputs: { VALUE_OUT: { shape: [1], data: [1] } } });
  await request.send({ error: { code: "UNAVAILABLE", message: "ran dry" } }, { final: true });
}`,
);

const twoAnswers = script(
  "two_answers",
  `max_batch_size: 0\ninput [ ${fp32("VALUE")} ]\noutput [ ${fp32("VALUE_OUT")} ]`,
  `export async function execute([request]) {
  const response = { outputs: { VALUE_OUT: { shape: [1], data: [1] } } };
  await request.send(response);
  return [response];
}`,
);

/** The example of docs/scripts.md, word for word. */
const guide = readFileSync(fileURLToPath(new URL("../../../../docs/scripts.md", import.meta.url)), "utf8");
const documented = /```js\n([\s\S]+?)```/.exec(guide)?.[1] ?? "";

beforeAll(async () => {
  server = await startTestServer({
    models: [repeater("repeat"), breaking, twoAnswers, script("documented", "", documented)],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

const inputs = (count: number, value = 1) => [
  tensor({ name: "COUNT", datatype: "INT32", shape: [1], data: [count] }),
  tensor({ name: "VALUE", datatype: "FP32", shape: [1], data: [value] }),
];

describe("a decoupled model", () => {
  it("answers as often as it likes, each request's answers in order and with the last one marked", async () => {
    const stream = grpc.inferStream();
    await stream.send("repeat", { id: "three", inputs: inputs(3) });
    await stream.send("repeat", { id: "none", inputs: inputs(0) });
    await stream.send("repeat", { id: "one", inputs: inputs(1) }, { emptyFinalResponse: true });
    stream.end();
    const seen = new Map<string, unknown[]>();
    for await (const { response, final } of stream) {
      const index = response.outputs.length === 0 ? "end" : outputValues(response, "INDEX", "INT32")[0];
      seen.set(response.id, [...(seen.get(response.id) ?? []), [index, final]]);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        [
          "three",
          [
            [0, false],
            [1, false],
            [2, false],
          ],
        ],
        [
          "one",
          [
            [0, false],
            ["end", true],
          ],
        ],
      ]),
    );
    // Its end has no answer, and nobody asked for an empty one.
    expect(seen.has("none")).toBe(false);
  });

  it("streams events over HTTP, and one answer where one is asked for", async () => {
    const events: unknown[] = [];
    for await (const { INDEX } of http.generateStream("repeat", { COUNT: 4, VALUE: 2 })) events.push(INDEX);
    expect(events).toEqual([0, 1, 2, 3]);
    expect((await http.generate("repeat", { COUNT: 1, VALUE: 5 }))["VALUE_OUT"]).toBe(5);
    // The status is that of the first answer, as in Triton.
    expect(await http.generate("repeat", { COUNT: 2, VALUE: 5 })).toEqual({
      error: expect.stringContaining("exactly 1 response"),
    });
    await expect(http.generate("repeat", { COUNT: 0, VALUE: 5 })).rejects.toThrow(/exactly 1 response/);
  });

  it("is counted once a request, whatever number of answers it gives", async () => {
    const before = await server.api.statistics("repeat");
    for await (const _ of http.generateStream("repeat", { COUNT: 10, VALUE: 2 }));
    await waitUntil("the request is counted", async () => {
      const after = await server.api.statistics("repeat");
      return after.inference_stats.success.count === before.inference_stats.success.count + 1;
    });
  });

  it("is told that its client has gone, and its place is free again", async () => {
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of http.generateStream(
        "repeat",
        { COUNT: 1_000_000, VALUE: 2, delay_ms: 5 },
        { signal: stop.signal },
      ))
        stop.abort();
    })();
    await expect(reading).rejects.toThrow();
    expect((await http.generate("repeat", { COUNT: 1, VALUE: 5 }))["VALUE_OUT"]).toBe(5);
    await waitUntil("nothing of the request is left", async () => {
      const { versions } = await server.api.model("repeat");
      return versions.every(({ pending }) => pending === 0);
    });
  });

  it("that fails after some answers says so in the stream, and the stream goes on", async () => {
    const stream = grpc.inferStream();
    const value = [tensor({ name: "VALUE", datatype: "FP32", shape: [1], data: [1] })];
    await stream.send("breaking", { id: "b", inputs: value });
    await stream.send("repeat", { id: "r", inputs: inputs(1) });
    stream.end();
    const seen: string[] = [];
    for await (const message of stream)
      seen.push(message.error === undefined ? message.response.id : message.error.message);
    expect(seen).toEqual(expect.arrayContaining(["b", "r", expect.stringContaining("ran dry")]));
  });
});

describe("the script of the documentation", () => {
  it("declares itself, batches and answers", async () => {
    const answer = await http.infer("documented", {
      inputs: [tensor({ name: "TEXT", datatype: "BYTES", shape: [2, 1], data: ["four", "größer"] })],
    });
    expect([...outputValues(answer, "LENGTH", "INT32")]).toEqual([4, 6]);
    expect((await server.api.model("documented")).maxBatchSize).toBe(8);
  });
});

describe("a model that is not decoupled", () => {
  it("may not answer twice", async () => {
    const value = [tensor({ name: "VALUE", datatype: "FP32", shape: [1], data: [1] })];
    await expect(http.infer("two_answers", { inputs: value })).rejects.toMatchObject({
      code: "INTERNAL",
      message: expect.stringContaining("expected a single response, got 2"),
    });
  });
});
