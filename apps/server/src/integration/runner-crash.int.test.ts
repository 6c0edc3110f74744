import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childrenOf } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, whole } from "../testing/test-api.ts";
import { identity, loop } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** More turns than any test waits for. */
const ENDLESS = 1e15;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [loop("killed"), identity("crashing"), identity("bystander"), identity("stopped")],
  });
});
afterAll(() => server.dispose());

/** Asks a model without pause until `done`; every answer must be right. Returns how many there were. */
async function useWithoutFault(model: string, done: () => boolean): Promise<number> {
  let answers = 0;
  for (; !done(); answers++) {
    expect(numbersOf(await server.api.infer(model, floats("INPUT_FP32", [[answers]])))).toEqual([answers]);
  }
  return answers;
}

describe("a runner that is killed", () => {
  it("fails what it held once with 503, is noticed at once, and comes back by itself", async () => {
    const { api } = server;
    let over = false;
    const bystander = useWithoutFault("bystander", () => over);
    const held = api.infer("killed", whole("TURNS", ENDLESS), { id: "held" });
    await waitUntil("the request executes", async () => (await api.model("killed")).versions[0]?.instances[0]?.busy);
    const queued = api.infer("killed", whole("TURNS", 3));
    await waitUntil("the next one waits", async () => (await api.model("killed")).versions[0]?.pending === 1);
    const pid = await api.runnerPid("killed");

    process.kill(pid, "SIGKILL");
    const reply = await held;
    expect(reply.status).toBe(503);
    expect(errorOf(reply)).toMatch(/^\[request id: held\] the process running this model ended/);
    // The contract is one second; the process's end itself is seen, so it is already so when the answer arrives.
    expect(await api.ready("killed")).toBe(false);
    expect(await api.ready()).toBe(false);
    expect((await api.index()).find(({ name }) => name === "killed")).toMatchObject({ state: "UNAVAILABLE" });

    await waitUntil("the model is ready again", () => api.ready("killed"));
    // What only waited was not lost: the new process answers it.
    expect(numbersOf(await queued)).toEqual([3]);
    expect(await api.ready()).toBe(true);
    expect(numbersOf(await api.infer("killed", whole("TURNS", 5)))).toEqual([5]);
    expect((await api.model("killed")).versions[0]?.runner?.restarts).toBe(1);
    const events = JSON.parse((await api.call("/nereid/v1/runner-events")).text) as { kind: string; reason: string }[];
    expect(events).toMatchObject([{ kind: "ended", reason: "signal SIGKILL" }, { kind: "restarted" }]);
    over = true;
    expect(await bystander).toBeGreaterThan(0);
  });

  it("under load fails only what it held, and every request is answered exactly once", async () => {
    const { api } = server;
    const before = (await api.statistics("crashing")).inference_stats;
    let running = true;
    const statuses: number[] = [];
    const client = async (number: number) => {
      while (running) {
        const reply = await api.infer("crashing", floats("INPUT_FP32", [[number]]));
        statuses.push(reply.status);
        if (reply.status === 200) expect(numbersOf(reply)).toEqual([number]);
        else expect(errorOf(reply)).toMatch(/ended while it held the request|is not at ready state/);
      }
    };
    const clients = Promise.all(Array.from({ length: 16 }, (_, number) => client(number)));
    for (let kill = 1; kill <= 2; kill++) {
      const goal = statuses.filter((status) => status === 200).length + 50;
      await waitUntil("the model answers", () => statuses.filter((status) => status === 200).length >= goal);
      process.kill(await api.runnerPid("crashing"), "SIGKILL");
      await waitUntil(
        "the runner is back",
        async () => (await api.model("crashing")).versions[0]?.runner?.restarts === kill,
      );
    }
    running = false;
    await clients;
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    const { success, fail } = (await api.statistics("crashing")).inference_stats;
    expect(success.count - before.success.count).toBe(statuses.filter((status) => status === 200).length);
    expect(fail.count).toBeLessThanOrEqual(statuses.filter((status) => status === 503).length);
  });
});

describe("a runner that is killed while it loads", () => {
  it("fails that load with its reason, and the next load succeeds", async () => {
    const { api } = server;
    await api.unload("bystander");
    await waitUntil("its runner has ended", () => childrenOf(server.pid).length === 3);
    const others = new Set(childrenOf(server.pid));
    const load = api.load("bystander");
    const pid = await waitUntil("a runner starts", () => childrenOf(server.pid).find((child) => !others.has(child)));
    process.kill(pid, "SIGKILL");
    const reply = await load;
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatch(
      /version 1 is at UNAVAILABLE state: Unavailable: the runner process ended: signal SIGKILL/,
    );
    expect((await api.load("bystander")).status).toBe(200);
    expect(numbersOf(await api.infer("bystander", floats("INPUT_FP32", [[3]])))).toEqual([3]);
  });
});

describe("a runner that is stopped", () => {
  it("makes its model not ready within a second and a half, and ready again when it goes on", async () => {
    const { api } = server;
    const pid = await api.runnerPid("stopped");
    process.kill(pid, "SIGSTOP");
    try {
      // Heartbeats every 0.3 s, silence after 0.95 s: promised within 1.5 s; twice that for a busy test machine.
      await waitUntil("the model is not ready", async () => !(await api.ready("stopped")), 3_000);
      expect(await api.ready()).toBe(false);
      expect(await api.ready("bystander")).toBe(true);
      expect((await api.index()).find(({ name }) => name === "stopped")?.reason).toContain("heartbeats");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await waitUntil("the model is ready again", () => api.ready("stopped"));
    expect(await api.runnerPid("stopped")).toBe(pid);
    expect(numbersOf(await api.infer("stopped", floats("INPUT_FP32", [[1]])))).toEqual([1]);
    await waitUntil("the server is ready again", () => api.ready());
  });
});
