import { afterEach, describe, expect, it } from "vitest";
import { childrenOf, processExists } from "../testing/processes.ts";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, whole } from "../testing/test-api.ts";
import { identity, loop, network, slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const ENDLESS = 1e15;

let server: TestServer;
afterEach(() => server.dispose());

describe("SIGTERM", () => {
  it("first turns readiness off, lets accepted requests finish, then leaves nothing behind", async () => {
    server = await startTestServer({ models: [slowEcho("slow", ""), identity("quick")] });
    const { api } = server;
    const runners = childrenOf(server.pid);
    expect(runners).toHaveLength(2);
    const slow = await api.runnerPid("slow");
    process.kill(slow, "SIGSTOP");
    const executing = api.infer("slow", whole("TURNS", 1, true));
    const waiting = api.infer("slow", whole("TURNS", 2, true));
    await waitUntil("one waits", async () => (await api.model("slow")).versions[0]?.pending === 1);

    server.signal("SIGTERM");
    const ready = await waitUntil("readiness is off", async () => {
      const reply = await api.call("/v2/health/ready");
      return reply.status === 200 ? undefined : reply;
    });
    expect([ready.status, errorOf(ready)]).toEqual([503, "Server exiting"]);
    expect(errorOf(await api.call("/v2/health/live"))).toBe("Server exiting");
    expect((await api.infer("quick", floats("INPUT_FP32", [[1]]))).status).toBe(503);
    expect((await api.load("quick")).status).toBe(503);

    process.kill(slow, "SIGCONT");
    expect([numbersOf(await executing), numbersOf(await waiting)]).toEqual([[1], [2]]);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await waitUntil("no runner is left", () => !runners.some(processExists));
    expect(server.leftovers()).toEqual([]);
  });

  it("a second time ends the process at once", async () => {
    server = await startTestServer({ models: [loop("endless")] });
    const { api } = server;
    const [runner = 0] = childrenOf(server.pid);
    const held = api.infer("endless", whole("TURNS", ENDLESS)).catch(() => "cut off");
    await waitUntil("it executes", async () => (await api.model("endless")).versions[0]?.instances[0]?.busy);
    server.signal("SIGTERM");
    await waitUntil("it is shutting down", () => server.stderr.includes("SIGTERM: shutting down"));
    server.signal("SIGTERM");
    expect((await server.exited).code).toBe(130);
    expect(await held).toBe("cut off");
    await waitUntil("the runner has ended too", () => !processExists(runner));
  });

  it("while models still load ends the process and every runner", async () => {
    server = launchTestServer(testDirectory([network("large", 60), identity("small")]));
    await waitUntil("the runners start", () => childrenOf(server.pid).length === 2);
    const runners = childrenOf(server.pid);
    expect((await server.stop()).code).toBe(0);
    await waitUntil("no runner is left", () => !runners.some(processExists));
    expect(server.leftovers()).toEqual([]);
  });
});

describe("a server that is killed", () => {
  it("takes its runners with it", async () => {
    server = await startTestServer({ models: [loop("endless"), identity("idle")] });
    const { api } = server;
    const held = api.infer("endless", whole("TURNS", ENDLESS)).catch(() => "cut off");
    await waitUntil("it executes", async () => (await api.model("endless")).versions[0]?.instances[0]?.busy);
    const runners = childrenOf(server.pid);
    server.signal("SIGKILL");
    expect(await held).toBe("cut off");
    await waitUntil("no runner is left", () => !runners.some(processExists));
  });
});
