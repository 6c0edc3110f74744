import { join } from "node:path";
import { tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { floats, numbersOf, parse, type Reply, type TestApi } from "../testing/test-api.ts";
import { offset, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

interface Traffic {
  readonly weights: Readonly<Record<string, number>>;
  readonly stickyHeader?: string;
  readonly shares: Readonly<Record<string, number>>;
}

interface Divided {
  readonly traffic: Traffic | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Version n adds n; versions 1, 2 and 3, of which the policy serves two. */
function versioned(name: string): TestModel {
  const model = (by: number) => offset(name, by).files["1/model.onnx"] ?? "";
  const config = offset(name, 1, "version_policy { latest { num_versions: 2 } }").files["config.pbtxt"] ?? "";
  return {
    name,
    files: { "config.pbtxt": config, "1/model.onnx": model(1), "2/model.onnx": model(2), "3/model.onnx": model(3) },
  };
}

const divide = async (api: TestApi, model: string, body: unknown): Promise<Reply> =>
  api.call(`/nereid/v1/models/${model}/traffic`, { method: "PUT", body: JSON.stringify(body) });
const trafficOf = async (api: TestApi, model: string) =>
  parse<{ traffic: Traffic | null }>(await api.call(`/nereid/v1/models/${model}`)).traffic;
const ask = async (api: TestApi, model: string, headers: Readonly<Record<string, string>> = {}) =>
  numbersOf(await api.infer(model, floats("QUESTION", [[0]]), { headers }))[0];

async function askMany(api: TestApi, model: string, count: number) {
  const found: Record<number, number> = {};
  for (let index = 0; index < count; index++) {
    const version = (await ask(api, model)) ?? 0;
    found[version] = (found[version] ?? 0) + 1;
  }
  return found;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: ["plain", "turns", "sticky", "crash", "refused", "grpc", "switched"].map(versioned),
  });
});
afterAll(() => server?.dispose());

describe("requests without a version", () => {
  it("go to the highest READY version as long as traffic is not divided", async () => {
    expect(await askMany(server.api, "plain", 5)).toEqual({ 3: 5 });
    expect(await trafficOf(server.api, "plain")).toBeNull();
  });

  it("are divided exactly by the weights, each counted once; those that name one are not touched", async () => {
    const { api } = server;
    const { traffic, warnings } = parse<Divided>(await divide(api, "turns", { weights: { "2": 3, "3": 1 } }));
    expect([traffic?.shares, warnings]).toEqual([{ "2": 0.75, "3": 0.25 }, []]);
    for (let index = 0; index < 3; index++)
      expect(numbersOf(await api.infer("turns/versions/3", floats("QUESTION", [[0]])))[0]).toBe(3);
    expect(await askMany(api, "turns", 40)).toEqual({ 2: 30, 3: 10 });
    parse<Divided>(await divide(api, "turns", { weights: { "2": 1, "3": 1 } }));
    const both = await Promise.all(Array.from({ length: 100 }, () => ask(api, "turns")));
    expect(both.filter((version) => version === 2)).toHaveLength(50);
    expect(await trafficOf(api, "turns")).toMatchObject({ weights: { "2": 1, "3": 1 } });
    parse<Divided>(await divide(api, "turns", { weights: null }));
    expect(await askMany(api, "turns", 4)).toEqual({ 3: 4 });
  });

  it("with the sticky header stay with a version, and move only to the one that gets more", async () => {
    const { api } = server;
    parse<Divided>(await divide(api, "sticky", { weights: { "2": 80, "3": 20 }, stickyHeader: "X-User" }));
    const users = Array.from({ length: 60 }, (_, index) => `user-${index}`);
    const versions = async () => Promise.all(users.map((user) => ask(api, "sticky", { "x-user": user })));
    const before = await versions();
    expect(await versions()).toEqual(before);
    expect(new Set(before)).toEqual(new Set([2, 3]));
    parse<Divided>(await divide(api, "sticky", { weights: { "2": 50, "3": 50 }, stickyHeader: "x-user" }));
    const after = await versions();
    after.forEach((version, index) => {
      if (version !== before[index]) expect([before[index], version]).toEqual([2, 3]);
    });
    // Without the header the turns decide.
    expect(await askMany(api, "sticky", 10)).toEqual({ 2: 5, 3: 5 });
  });

  it("over gRPC are divided and stick just so", async () => {
    const client = new GrpcClient({ address: server.grpcAddress });
    try {
      parse<Divided>(await divide(server.api, "grpc", { weights: { "2": 1, "3": 1 }, stickyHeader: "x-user" }));
      const inputs = [tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [0] })];
      const seen = [];
      for (let index = 0; index < 10; index++) seen.push((await client.infer("grpc", { inputs })).modelVersion);
      expect(seen.filter((version) => version === "2")).toHaveLength(5);
    } finally {
      await client.close();
    }
  });

  it("get no version whose runner is down: the others have its share until it is back", async () => {
    const { api } = server;
    parse<Divided>(await divide(api, "crash", { weights: { "2": 1, "3": 1 } }));
    const runner = async () =>
      (await api.model("crash")).versions.find(({ version }) => version === "3")?.runner ?? { pid: 0, restarts: 0 };
    const { pid } = await runner();
    process.kill(pid, "SIGSTOP");
    await waitUntil("the silence is noticed", async () => (await trafficOf(api, "crash"))?.shares["3"] === undefined);
    expect(await askMany(api, "crash", 10)).toEqual({ 2: 10 });
    process.kill(pid, "SIGCONT");
    await waitUntil("it answers again", async () => (await trafficOf(api, "crash"))?.shares["3"] === 0.5);
    const back = await askMany(api, "crash", 10);
    expect(back).toEqual({ 2: 5, 3: 5 });
  });

  it("go to a version of weight 0 rather than to none", async () => {
    const { api } = server;
    parse<Divided>(await divide(api, "switched", { weights: { "2": 1, "3": 0 } }));
    expect(await askMany(api, "switched", 3)).toEqual({ 2: 3 });
    parse(await api.post("/nereid/v1/models/switched/versions/2/unload"));
    expect(await askMany(api, "switched", 3)).toEqual({ 3: 3 });
    parse(await api.post("/nereid/v1/models/switched/versions/2/load"));
    expect(await askMany(api, "switched", 3)).toEqual({ 2: 3 });
  });
});

describe("weights", () => {
  it.each([
    [{ weights: {} }, 400, /at least one weight must be above 0/],
    [{ weights: { "2": 0 } }, 400, /at least one weight must be above 0/],
    [{ weights: { "2": -1 } }, 400, /whole number from 0/],
    [{ weights: { "2": 0.5 } }, 400, /whole number from 0/],
    [{ weights: { two: 1 } }, 400, /'two' is not a version/],
    [{ weights: { "9": 1 } }, 404, /has no version 9/],
    [{ weights: [1] }, 400, /'weights' must be an object/],
    [{}, 400, /'weights' must be an object/],
    [{ weights: { "2": 1 }, stickyHeader: "not a header" }, 400, /'stickyHeader' must be the name/],
  ])("%j are refused, and nothing changes", async (body, status, message) => {
    const reply = await divide(server.api, "refused", body);
    expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(message)]);
    expect(await trafficOf(server.api, "refused")).toBeNull();
  });

  it("of an unknown model are refused", async () => {
    expect((await divide(server.api, "nobody", { weights: { "1": 1 } })).status).toBe(404);
  });

  it("of a version that is not served give a warning, and hold after a restart", async () => {
    const directory = testDirectory([versioned("kept")]);
    const args = [`--state-dir=${join(directory, "state")}`];
    const first = launchTestServer(directory, { args });
    await first.ready();
    const { warnings } = parse<Divided>(await divide(first.api, "kept", { weights: { "1": 5, "2": 1, "3": 1 } }));
    expect(warnings).toEqual([expect.objectContaining({ code: "version-not-ready" })]);
    expect(await trafficOf(first.api, "kept")).toMatchObject({ shares: { "2": 0.5, "3": 0.5 } });
    first.signal("SIGKILL");
    await first.exited;
    const second = launchTestServer(directory, { args });
    try {
      await second.ready();
      expect(await trafficOf(second.api, "kept")).toMatchObject({ weights: { "1": 5, "2": 1, "3": 1 } });
      expect(await askMany(second.api, "kept", 10)).toEqual({ 2: 5, 3: 5 });
    } finally {
      await second.dispose();
    }
  });
});
