import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrpcJsClient } from "../testing/grpc-js-client.ts";
import { floatRequest, turnsRequest } from "../testing/grpc-requests.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { allocationBomb, offset, slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** With a limit, what waits does so in the queue: nothing is sent ahead to a busy instance. */
const WAITS = "dynamic_batching { default_queue_policy { max_queue_size: 100000 } }";

const MODELS = [
  slowEcho("slow", WAITS),
  slowEcho("quick", WAITS),
  slowEcho("short", "dynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }"),
  offset("plus", 1),
  allocationBomb("bomb", { memory_limit_bytes: String(512 << 20) }),
];

let server: TestServer;
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer({ models: MODELS });
  client = new GrpcJsClient(server.grpcAddress);
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

/** Stops a model's runner so that what it is sent waits for as long as the test wants. */
async function hold(model: string) {
  const pid = await server.api.runnerPid(model);
  process.kill(pid, "SIGSTOP");
  return () => process.kill(pid, "SIGCONT");
}

const pending = async (model: string) => (await server.api.model(model)).versions[0]?.pending;

describe("ModelStreamInfer", () => {
  it("answers in the order of the requests, whatever takes long, and every answer says that it is the last", async () => {
    const stream = client.stream();
    const free = await hold("slow");
    stream.send(turnsRequest("slow", 1, { id: "first" }));
    stream.send(turnsRequest("quick", 2, { id: "second" }));
    stream.send(turnsRequest("nobody", 2, { id: "third" }));
    stream.send(turnsRequest("quick", 3, { id: "fourth" }));
    await waitUntil(
      "the quick ones are done",
      async () => (await server.api.statistics("quick")).inference_count === 2,
    );
    expect(stream.answers).toEqual([]);
    free();
    stream.end();
    expect((await stream.ended).code).toBe(status.OK);
    expect(stream.summary).toEqual([
      "first:1",
      "second:2",
      "third!Request for unknown model: 'nobody' is not found",
      "fourth:3",
    ]);
    const finals = stream.answers.map(
      ({ inferResponse }) => inferResponse?.parameters["triton_final_response"]?.parameterChoice.value,
    );
    expect(finals).toEqual([true, true, undefined, true]);
    expect(stream.answers[0]?.inferResponse?.modelVersion).toBe("1");
  });

  it("says what failed before it was issued with the id alone, and goes on", async () => {
    const stream = client.stream();
    stream.send({ ...floatRequest("plus", [[1]], { id: "a" }), modelVersion: "x" });
    stream.send({ ...floatRequest("plus", [[1]], { id: "b" }), rawInputContents: [] });
    stream.send({ ...floatRequest("plus", [[1]], { id: "c" }), rawInputContents: [new Uint8Array(5)] });
    stream.send(floatRequest("plus", [[1]], { id: "d" }));
    stream.end();
    expect((await stream.ended).code).toBe(status.OK);
    expect(stream.answers.map(({ errorMessage }) => errorMessage)).toEqual([
      "failed to get model version from specified version string 'x' (details: stoll), version should be an integral value > 0",
      "unable to find data for input tensor 'QUESTION' for model 'plus' in request.",
      "[request id: c] input byte size mismatch for input 'QUESTION' for model 'plus'. Expected 4, got 5",
      "",
    ]);
    const heads = stream.answers.slice(0, 3).map(({ inferResponse }) => inferResponse);
    expect(heads.map((head) => [head?.id, head?.modelName, Object.keys(head?.parameters ?? {})])).toEqual([
      ["a", "", []],
      ["b", "", []],
      ["c", "", []],
    ]);
  });

  it("says what failed while it ran with the names of the request and the final flag", async () => {
    const stream = client.stream();
    const free = await hold("short");
    stream.send(turnsRequest("short", 1, { id: "running" }));
    await waitUntil("it executes", async () => (await server.api.model("short")).versions[0]?.instances[0]?.busy);
    stream.send(turnsRequest("short", 2, { id: "late", modelVersion: "1" }));
    await waitUntil("it expired", async () => (await server.api.statistics("short")).inference_stats.fail.count === 1);
    free();
    stream.end();
    expect((await stream.ended).code).toBe(status.OK);
    expect(stream.summary).toEqual(["running:1", "late!Request timeout expired"]);
    const failed = stream.answers[1]?.inferResponse;
    expect([failed?.modelName, failed?.modelVersion]).toEqual(["short", "1"]);
    expect(failed?.parameters["triton_final_response"]?.parameterChoice).toMatchObject({
      case: "boolParam",
      value: true,
    });
  });

  it("with triton_grpc_error ends at the first failed inference with its status, and not for what was never issued", async () => {
    const stream = client.stream({ triton_grpc_error: "true" });
    stream.send(turnsRequest("nobody", 1, { id: "never" }));
    await waitUntil("the refusal", () => stream.answers.length === 1);
    const free = await hold("short");
    stream.send(turnsRequest("short", 1, { id: "running" }));
    await waitUntil("it executes", async () => (await server.api.model("short")).versions[0]?.instances[0]?.busy);
    stream.send(turnsRequest("short", 2, { id: "late" }));
    expect(await stream.ended).toEqual({ code: status.UNAVAILABLE, details: "Request timeout expired" });
    free();
    expect(stream.summary).toEqual(["never!Request for unknown model: 'nobody' is not found"]);
  });

  it("finishes what was sent after the client has sent everything", async () => {
    const free = await hold("slow");
    const stream = client.stream();
    for (let number = 0; number < 5; number += 1) stream.send(turnsRequest("slow", number, { id: `n${number}` }));
    stream.end();
    await waitUntil("they wait", async () => ((await pending("slow")) ?? 0) >= 4);
    free();
    expect((await stream.ended).code).toBe(status.OK);
    expect(stream.summary).toEqual(["n0:0", "n1:1", "n2:2", "n3:3", "n4:4"]);
  });

  it("a cancelled stream takes its waiting requests with it; the one that ran is counted once", async () => {
    const before = await server.api.statistics("slow");
    const free = await hold("slow");
    const stream = client.stream();
    stream.send(turnsRequest("slow", 1));
    await waitUntil("one executes", async () => (await server.api.model("slow")).versions[0]?.instances[0]?.busy);
    for (let number = 0; number < 3; number += 1) stream.send(turnsRequest("slow", number));
    await waitUntil("three wait", async () => (await pending("slow")) === 3);
    stream.cancel();
    expect((await stream.ended).code).toBe(status.CANCELLED);
    await waitUntil("nothing waits", async () => (await pending("slow")) === 0);
    free();
    await waitUntil(
      "it is free",
      async () => (await server.api.model("slow")).versions[0]?.instances[0]?.busy === false,
    );
    const after = await server.api.statistics("slow");
    expect(after.inference_count - before.inference_count).toBe(1);
    expect(after.inference_stats.fail.count - before.inference_stats.fail.count).toBe(3);
  });

  it("carries thousands of requests without losing the order", async () => {
    const stream = client.stream();
    const total = 3000;
    for (let number = 0; number < total; number += 1)
      stream.send(turnsRequest(number % 3 === 0 ? "slow" : "quick", number % 7, { id: String(number) }));
    stream.end();
    expect((await stream.ended).code).toBe(status.OK);
    expect(stream.summary).toEqual(Array.from({ length: total }, (_, number) => `${number}:${number % 7}`));
  });

  it("answers what comes while the server ends with the text for it, and ends the stream", async () => {
    const own = await startTestServer({ models: [slowEcho("slow", WAITS)] });
    const other = new GrpcJsClient(own.grpcAddress);
    try {
      const stream = other.stream();
      const pid = await own.api.runnerPid("slow");
      process.kill(pid, "SIGSTOP");
      stream.send(turnsRequest("slow", 4, { id: "accepted" }));
      await waitUntil("it executes", async () => (await own.api.model("slow")).versions[0]?.instances[0]?.busy);
      own.signal("SIGTERM");
      await waitUntil("the server is exiting", async () => (await own.api.call("/v2/health/live")).status === 503);
      stream.send(turnsRequest("slow", 5, { id: "too late" }));
      process.kill(pid, "SIGCONT");
      await waitUntil("both are answered", () => stream.answers.length === 2);
      expect(stream.summary).toEqual([
        "accepted:4",
        "too late!GRPC server is shutting down and has stopped accepting new requests.",
      ]);
      expect((await stream.ended).code).toBe(status.UNAVAILABLE);
      expect((await own.exited).code).toBe(0);
    } finally {
      other.close();
      await own.dispose();
    }
  });
});
