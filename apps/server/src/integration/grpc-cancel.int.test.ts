import { type ClientUnaryCall, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, GrpcJsClient } from "../testing/grpc-js-client.ts";
import { turnsRequest } from "../testing/grpc-requests.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** With a limit, what waits does so in the queue: nothing is sent ahead to a busy instance. */
const WAITS = "dynamic_batching { default_queue_policy { max_queue_size: 100000 } }";

let server: TestServer;
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer({ models: [slowEcho("echo", WAITS)] });
  client = new GrpcJsClient(server.grpcAddress);
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

const version = async () => (await server.api.model("echo")).versions[0];
const idle = async () => {
  const now = await version();
  return now?.pending === 0 && now.instances[0]?.busy === false;
};

/** A request that executes for as long as the test wants, and how many of each kind there were before. */
async function occupy() {
  const before = await server.api.statistics("echo");
  const pid = await server.api.runnerPid("echo");
  process.kill(pid, "SIGSTOP");
  let held: ClientUnaryCall | undefined;
  const first = client.call("modelInfer", turnsRequest("echo", 1), {
    onCall: (call) => {
      held = call;
    },
  });
  first.catch(() => undefined);
  await waitUntil("it executes", async () => (await version())?.instances[0]?.busy);
  return {
    first,
    cancel: () => held?.cancel(),
    free: () => process.kill(pid, "SIGCONT"),
    changes: async () => {
      const after = await server.api.statistics("echo");
      return {
        inferences: after.inference_count - before.inference_count,
        failures: after.inference_stats.fail.count - before.inference_stats.fail.count,
      };
    },
  };
}

/** Sends a request that waits in the queue. */
async function queue(options: { deadlineMs?: number } = {}) {
  const waiting = (await version())?.pending ?? 0;
  let call: ClientUnaryCall | undefined;
  const answer = client.call("modelInfer", turnsRequest("echo", 2), {
    ...(options.deadlineMs !== undefined && { deadline: Date.now() + options.deadlineMs }),
    onCall: (started) => {
      call = started;
    },
  });
  answer.catch(() => undefined);
  await waitUntil("it waits", async () => (await version())?.pending === waiting + 1);
  return { answer, cancel: () => call?.cancel() };
}

describe("a client that goes away", () => {
  it("takes its request out of the queue at once, and only that one", async () => {
    const { first, free, changes } = await occupy();
    const leaving = await queue();
    const staying = await queue();
    leaving.cancel();
    expect((await failureOf(leaving.answer))[0]).toBe(status.CANCELLED);
    await waitUntil("one waits", async () => (await version())?.pending === 1);
    free();
    await first;
    await staying.answer;
    expect(await changes()).toEqual({ inferences: 2, failures: 1 });
  });

  it("while its request executes frees the instance once, and the next request is answered", async () => {
    const { first, cancel, free, changes } = await occupy();
    cancel();
    expect((await failureOf(first))[0]).toBe(status.CANCELLED);
    const next = await queue();
    free();
    expect(Buffer.from((await next.answer).rawOutputContents[0] ?? []).readBigInt64LE(0)).toBe(2n);
    await waitUntil("it is idle", idle);
    expect(await changes()).toEqual({ inferences: 2, failures: 0 });
  });

  it("with its connection takes all its requests", async () => {
    const { first, free, changes } = await occupy();
    const dying = new GrpcJsClient(server.grpcAddress, { channel: { "grpc.use_local_subchannel_pool": 1 } });
    const calls = [1, 2, 3].map(() => dying.call("modelInfer", turnsRequest("echo", 3)).catch(() => "gone"));
    await waitUntil("three wait", async () => (await version())?.pending === 3);
    dying.close();
    const stream = client.stream();
    stream.send(turnsRequest("echo", 4));
    await waitUntil("four wait", async () => (await version())?.pending === 4);
    stream.cancel();
    await waitUntil("three wait again", async () => (await version())?.pending === 3);
    free();
    await first;
    await Promise.all(calls);
    await waitUntil("it is idle", idle);
    expect(await changes()).toEqual({ inferences: 4, failures: 1 });
  });
});

describe("a deadline", () => {
  it("that passes in the queue drops the request and is told as DEADLINE_EXCEEDED", async () => {
    const { first, free, changes } = await occupy();
    const { answer } = await queue({ deadlineMs: 400 });
    expect((await failureOf(answer))[0]).toBe(status.DEADLINE_EXCEEDED);
    await waitUntil("nothing waits", async () => (await version())?.pending === 0);
    free();
    await first;
    expect(await changes()).toEqual({ inferences: 1, failures: 1 });
  });

  it("that has passed when the request comes leaves nothing behind", async () => {
    const late = client.call("modelInfer", turnsRequest("echo", 2), { deadline: Date.now() - 1 });
    expect((await failureOf(late))[0]).toBe(status.DEADLINE_EXCEEDED);
    await waitUntil("it is idle", idle);
  });
});
