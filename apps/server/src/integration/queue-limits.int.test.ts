import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, numbersOf, whole } from "../testing/test-api.ts";
import { slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const policy = (fields: string) => `dynamic_batching { default_queue_policy { ${fields} } }`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      slowEcho("limited", policy("max_queue_size: 2")),
      slowEcho("hurried", policy("default_timeout_microseconds: 150000")),
      slowEcho("patient", policy("default_timeout_microseconds: 60000000 allow_timeout_override: true")),
    ],
  });
});
afterAll(() => server.dispose());

/** Stops a model's runner with a request in it, so that what comes next waits for as long as the test wants. */
async function occupy(model: string) {
  const { api } = server;
  const pid = await api.runnerPid(model);
  process.kill(pid, "SIGSTOP");
  const held = api.infer(model, whole("TURNS", 1, true));
  await waitUntil("the request executes", async () => (await api.model(model)).versions[0]?.instances[0]?.busy);
  return { held, free: () => process.kill(pid, "SIGCONT") };
}

const pending = async (model: string) => (await server.api.model(model)).versions[0]?.pending;

describe("max_queue_size", () => {
  it("refuses what does not fit with 503; a client that leaves makes room", async () => {
    const { api } = server;
    const { held, free } = await occupy("limited");
    const leaving = new AbortController();
    const first = api.infer("limited", whole("TURNS", 2, true), { signal: leaving.signal }).catch(() => "left");
    const second = api.infer("limited", whole("TURNS", 3, true));
    await waitUntil("two wait", async () => (await pending("limited")) === 2);
    const refused = await api.infer("limited", whole("TURNS", 4, true), { id: "third" });
    expect([refused.status, errorOf(refused)]).toEqual([503, "[request id: third] Exceeds maximum queue size"]);

    leaving.abort();
    expect(await first).toBe("left");
    await waitUntil("one place is free", async () => (await pending("limited")) === 1);
    const fourth = api.infer("limited", whole("TURNS", 5, true));
    await waitUntil("it is taken", async () => (await pending("limited")) === 2);
    free();
    expect([numbersOf(await held), numbersOf(await second), numbersOf(await fourth)]).toEqual([[1], [3], [5]]);
    const { success, fail } = (await api.statistics("limited")).inference_stats;
    expect(success.count).toBe(3);
    // The client that left; the request that did not fit was never accepted.
    expect(fail.count).toBeLessThanOrEqual(2);
  });
});

describe("default_timeout_microseconds", () => {
  it("refuses what waited too long with 503, although no instance became free", async () => {
    const { held, free } = await occupy("hurried");
    const late = await server.api.infer("hurried", whole("TURNS", 2, true));
    expect([late.status, errorOf(late)]).toEqual([503, "Request timeout expired"]);
    free();
    expect(numbersOf(await held)).toEqual([1]);
  });

  it("may be shortened by a request where the policy allows it", async () => {
    const { api } = server;
    const { held, free } = await occupy("patient");
    const body = { inputs: whole("TURNS", 2, true), parameters: { timeout: 50_000 } };
    const late = await api.post("/v2/models/patient/infer", body);
    expect([late.status, errorOf(late)]).toEqual([503, "Request timeout expired"]);
    free();
    expect(numbersOf(await held)).toEqual([1]);
  });
});
