import { NereidClient, tensor } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TakenProfile } from "../profiling/profile-model.ts";
import { fp32, script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let http: NereidClient;

beforeAll(async () => {
  server = await startTestServer({
    models: [
      offset("adding", 1),
      script(
        "scripted",
        `max_batch_size: 0\ninput [ ${fp32("A")} ]\noutput [ ${fp32("B")} ]`,
        "export function execute() { return []; }",
      ),
    ],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
});

afterAll(() => server?.dispose());

const url = (path: string) => new URL(`/nereid/v1/models/${path}`, server.api.url);
const profile = (model: string, body: object) =>
  fetch(url(`${model}/profile`), { method: "POST", body: JSON.stringify(body) });

describe("a profile of a running model", () => {
  it("tells the time by operator and provider, while the model goes on serving", async () => {
    let answered = 0;
    let over = false;
    const traffic = (async () => {
      while (!over) {
        await http.infer("adding", {
          inputs: [tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 2], data: [1, 2] })],
        });
        answered += 1;
      }
    })();
    const response = await profile("adding", { seconds: 0.5 });
    over = true;
    await traffic;
    expect(response.status).toBe(200);
    const taken = (await response.json()) as TakenProfile;
    expect(taken).toMatchObject({ model: "adding", version: "1", seconds: 0.5 });
    expect(taken.runs).toBeGreaterThan(0);
    expect(taken.runs).toBeLessThanOrEqual(answered);
    expect(taken.operators).toEqual([
      { operator: "Add", provider: "CPUExecutionProvider", calls: taken.runs, totalUs: expect.any(Number) },
    ]);
    const trace = (await (await fetch(url(`adding/profiles/${taken.id}/trace`))).json()) as { name?: string }[];
    expect(trace.filter(({ name: event }) => event === "model_run")).toHaveLength(taken.runs);
    const [version] = (await http.model("adding")).versions;
    expect(version?.instances.map(({ name }) => name)).toEqual(["adding_0_0"]);
  });

  it("says so when nothing ran, and where there is nothing to profile", async () => {
    expect(await (await profile("adding", { seconds: 0.05 })).json()).toMatchObject({
      runs: 0,
      note: expect.stringContaining("no request came"),
    });
    expect(await (await profile("scripted", { seconds: 0.05 })).text()).toContain("only ONNX Runtime writes profiles");
    expect((await profile("adding", { seconds: 1e9 })).status).toBe(400);
    expect((await profile("nobody", {})).status).toBe(404);
    const unknown = "00000000-0000-0000-0000-000000000000";
    expect((await fetch(url(`adding/profiles/${unknown}/trace`))).status).toBe(404);
  });

  it("says at once that there is none when the runner ended meanwhile", async () => {
    const pid = await server.api.runnerPid("adding");
    const taken = profile("adding", { seconds: 1 });
    await waitUntil(
      "it is profiled",
      async () => (await server.api.model("adding")).versions[0]?.instances.length === 2,
    );
    process.kill(pid, "SIGKILL");
    const response = await taken;
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("the runner may have ended meanwhile");
    await waitUntil("the model is back", async () => (await server.api.model("adding")).versions[0]?.ready);
    expect((await server.api.model("adding")).versions[0]?.instances).toHaveLength(1);
  });
});
