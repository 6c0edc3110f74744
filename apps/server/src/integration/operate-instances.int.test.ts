import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fp32, script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, numbersOf, type Tensor, whole } from "../testing/test-api.ts";
import { loop, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** More turns than any test waits for. */
const ENDLESS = 1e15;

const withInstances = (model: TestModel, count: number): TestModel => ({
  ...model,
  files: {
    ...model.files,
    "config.pbtxt": String(model.files["config.pbtxt"]).replace("count: 1", `count: ${count}`),
  },
});

/** Gives `VALUE` back with the number of the thread that answered, which grows with every start; a value below 0 takes for ever. */
const TELLER = `import { threadId } from "node:worker_threads";
export async function execute(requests) {
  return Promise.all(requests.map(async ({ inputs: { VALUE } }) => {
    const value = VALUE.data[0];
    if (value < 0) await new Promise((resolve) => setTimeout(resolve, -value));
    const one = (number) => ({ shape: VALUE.shape, data: [number] });
    return { outputs: { VALUE_OUT: one(value), THREAD: one(threadId) } };
  }));
}`;
const teller = (name: string, count: number) =>
  script(
    name,
    `max_batch_size: 0
input [ ${fp32("VALUE", "1")} ]
output [ ${fp32("VALUE_OUT", "1")}, ${fp32("THREAD", "1")} ]
instance_group [ { count: ${count} kind: KIND_CPU } ]`,
    TELLER,
  );

const value = (number: number): Tensor[] => [{ name: "VALUE", datatype: "FP32", shape: [1], data: [number] }];

const sequences = (name: string): TestModel => {
  const model = teller(name, 2);
  const config = String(model.files["config.pbtxt"]).replace(
    "instance_group",
    "sequence_batching { oldest { max_candidate_sequences: 2 } }\ninstance_group",
  );
  return {
    ...model,
    files: { ...model.files, "config.pbtxt": config.replace("max_batch_size: 0", "max_batch_size: 1") },
  };
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [withInstances(loop("pair"), 2), loop("single"), teller("teller", 2), sequences("bound")],
  });
});
afterAll(() => server.dispose());

interface Fact {
  readonly index: number;
  readonly phase: string;
  readonly inFlight: number;
  readonly executions: number;
}

const instances = async (model: string): Promise<readonly Fact[]> =>
  JSON.parse((await server.api.call(`/nereid/v1/models/${model}/batching`)).text).versions[0].instances;
const phases = async (model: string) => (await instances(model)).map(({ phase }) => phase);
const operate = (model: string, path: string, body: object = {}) =>
  server.api.post(`/nereid/v1/models/${model}/instances/${path}`, body);
const events = async (model: string): Promise<readonly string[]> => {
  const rows = JSON.parse(
    (await server.api.call("/nereid/v1/events", { headers: { accept: "application/json" } })).text,
  ) as { readonly model: string; readonly kind: string }[];
  return rows.filter((row) => row.model === model && row.kind.startsWith("instance-")).map(({ kind }) => kind);
};

describe("draining one instance", () => {
  it("lets its batch end, gives it no further one, and takes it back on resume", async () => {
    const { api } = server;
    const slow = api.infer("teller", value(-1500));
    await waitUntil("it executes", async () => (await instances("teller")).some(({ inFlight }) => inFlight === 1));
    const busy = (await instances("teller")).find(({ inFlight }) => inFlight === 1)?.index ?? -1;
    const before = (await instances("teller"))[busy]?.executions ?? 0;

    const reply = await operate("teller", `${busy}/drain`);
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      200,
      { version: "1", instance: { index: busy, phase: "draining", inFlight: 1 } },
    ]);
    // The other one serves on while the batch of the drained one runs.
    for (let number = 0; number < 20; number++) expect((await api.infer("teller", value(number))).status).toBe(200);
    expect((await slow).status).toBe(200);
    await waitUntil("it is drained", async () => (await phases("teller"))[busy] === "drained");
    await Promise.all(Array.from({ length: 20 }, (_, number) => api.infer("teller", value(number))));
    expect((await instances("teller"))[busy]?.executions).toBe(before + 1);

    expect((await operate("teller", `${busy}/resume`)).status).toBe(200);
    await waitUntil("it works again", async () => {
      await Promise.all(Array.from({ length: 8 }, (_, number) => api.infer("teller", value(number))));
      return ((await instances("teller"))[busy]?.executions ?? 0) > before + 1;
    });
    expect(await events("teller")).toEqual(["instance-drained", "instance-resumed"]);
  });

  it("refuses the last one that serves; with force requests wait, and are answered after the resume", async () => {
    const { api } = server;
    const refused = await operate("single", "0/drain");
    expect(refused.status).toBe(409);
    expect(errorOf(refused)).toMatch(
      /^instance 0 \('single_0(_0)?'\) of model 'single' version 1 is the last one that serves/,
    );
    expect((await operate("single", "0/drain", { force: true })).status).toBe(200);
    const waiting = api.infer("single", whole("TURNS", 5));
    await waitUntil("it waits", async () => (await api.model("single")).versions[0]?.pending === 1);
    expect(await phases("single")).toEqual(["drained"]);
    await operate("single", "0/resume");
    expect(numbersOf(await waiting)).toEqual([5]);
  });

  it("is seen by who asks whether the model is ready, and a smaller number never leaves only drained ones (both hung in silence)", async () => {
    const { api } = server;
    const ready = async () => (await api.call("/v2/models/single/ready")).status;
    expect(await ready()).toBe(200);
    await operate("single", "0/drain", { force: true });
    expect(await ready()).toBe(400);
    expect((await api.model("single")).versions[0]).toMatchObject({
      ready: false,
      reason: expect.stringContaining("drained"),
    });
    await operate("single", "0/resume");
    expect(await ready()).toBe(200);

    await operate("pair", "0/drain");
    const { text, digest } = JSON.parse((await api.call("/nereid/v1/models/pair/config")).text);
    const smaller = (count: number) => text.replace(/count: \d+/, `count: ${count}`);
    const put = (body: object) =>
      api.call("/nereid/v1/models/pair/config", { method: "PUT", body: JSON.stringify(body) });
    const refused = await put({ text: smaller(1), ifDigest: digest });
    expect([refused.status, errorOf(refused)]).toEqual([400, expect.stringContaining("only drained instances (0)")]);
    expect((await api.infer("pair", whole("TURNS", 5))).status).toBe(200);
    expect(await phases("pair")).toEqual(["drained", "serving"]);
    await operate("pair", "0/resume");
  });

  it("says what stands against it", async () => {
    const unknown = await operate("teller", "7/drain");
    expect([unknown.status, errorOf(unknown)]).toEqual([404, "model 'teller' version 1 has no instance 7"]);
    const sequence = await operate("bound", "0/drain");
    expect(sequence.status).toBe(501);
    expect(errorOf(sequence)).toContain("binds sequences to its instances");
    for (const body of [{ force: "yes" }, { deadlineMs: -1 }, { version: 1 }])
      expect((await operate("teller", "0/drain", body)).status).toBe(400);
    expect((await operate("teller", "0/drain", { version: "9" })).status).toBe(404);
  });
});

describe("restarting one instance", () => {
  it("begins a new thread in the same process while the other serves, and loses no request", async () => {
    const { api } = server;
    const pid = await api.runnerPid("teller");
    let over = false;
    const statuses: number[] = [];
    const threads = new Set<number>();
    const client = async () => {
      while (!over) {
        const reply = await api.infer("teller", value(1));
        statuses.push(reply.status);
        const thread = JSON.parse(reply.text).outputs.find((output: { name: string }) => output.name === "THREAD");
        threads.add(thread.data[0]);
      }
    };
    const clients = Promise.all([client(), client(), client(), client()]);
    await waitUntil("both have answered", () => threads.size === 2);
    for (let round = 1; round <= 3; round++) {
      const reply = await operate("teller", `${round % 2}/restart`);
      expect([reply.status, JSON.parse(reply.text)]).toMatchObject([200, { instance: { phase: "serving" } }]);
      await waitUntil("the new thread answers", () => threads.size === 2 + round);
    }
    over = true;
    await clients;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await api.runnerPid("teller")).toBe(pid);
    expect((await events("teller")).filter((kind) => kind === "instance-restarted")).toHaveLength(3);
  });

  it("fails the batch that does not end by the deadline, once, and the other goes on", async () => {
    const { api } = server;
    const pid = await api.runnerPid("teller");
    const held = api.infer("teller", value(-1e8), { id: "held" });
    await waitUntil("it executes", async () => (await instances("teller")).some(({ inFlight }) => inFlight === 1));
    const busy = (await instances("teller")).find(({ inFlight }) => inFlight === 1)?.index ?? -1;
    const reply = await operate("teller", `${busy}/restart`, { deadlineMs: 50 });
    expect(reply.status).toBe(200);
    expect([(await held).status, errorOf(await held)]).toEqual([
      503,
      "[request id: held] the instance running this model ended while it held the request (it was restarted, and the batch took longer than the 50 ms it was given); the request was not answered and may be sent again",
    ]);
    expect(await api.runnerPid("teller")).toBe(pid);
    await Promise.all(Array.from({ length: 8 }, () => api.infer("teller", value(1))));
    expect(await phases("teller")).toEqual(["serving", "serving"]);
  });

  it("keeps a drained one drained, and works for graphs", async () => {
    const { api } = server;
    await operate("pair", "1/drain");
    expect(JSON.parse((await operate("pair", "1/restart")).text)).toMatchObject({ instance: { phase: "drained" } });
    const last = await operate("pair", "0/restart");
    expect(last.status).toBe(409);
    expect((await operate("pair", "0/restart", { force: true })).status).toBe(200);
    expect(numbersOf(await api.infer("pair", whole("TURNS", 5)))).toEqual([5]);
    await operate("pair", "1/resume");
    expect(await phases("pair")).toEqual(["serving", "serving"]);
  });

  it("that cannot end says so; once more begins it beside the thread that hangs", async () => {
    const { api } = server;
    const held = api.infer("pair", whole("TURNS", ENDLESS), { id: "held" });
    await waitUntil("it executes", async () => (await instances("pair")).some(({ inFlight }) => inFlight === 1));
    const busy = (await instances("pair")).find(({ inFlight }) => inFlight === 1)?.index ?? -1;
    const reply = await operate("pair", `${busy}/restart`, { deadlineMs: 0 });
    expect((await held).status).toBe(503);
    expect([reply.status, errorOf(reply)]).toEqual([503, expect.stringContaining("did not come back")]);
    expect((await phases("pair"))[busy]).toBe("down");
    expect((await operate("pair", `${busy}/resume`)).status).toBe(409);
    expect(numbersOf(await api.infer("pair", whole("TURNS", 5)))).toEqual([5]);
    expect((await events("pair")).at(-1)).toBe("instance-restart-failed");
    expect(JSON.parse((await operate("pair", `${busy}/restart`)).text)).toMatchObject({
      instance: { phase: "serving" },
    });
    expect(await phases("pair")).toEqual(["serving", "serving"]);
  });
});
