import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { bundleForNode } from "@nereid/db/testing/bundle-for-node";
import { connectNode, getRollout, operateRollout, type RolloutView, saveFixture, startRollout } from "@nereid/services";
import { testContext } from "@nereid/services/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");

interface Model {
  readonly name: string;
  /** Milliseconds and factor of both versions. */
  readonly versions: readonly (readonly [ms: number, factor: number])[];
}

const MODELS: readonly Model[] = [
  {
    name: "equal",
    versions: [
      [5, 1],
      [5, 1],
    ],
  },
  {
    name: "slow",
    versions: [
      [20, 1],
      [26, 1],
    ],
  },
  {
    name: "wrong",
    versions: [
      [5, 1],
      [5, 1.5],
    ],
  },
  {
    name: "kept",
    versions: [
      [5, 1],
      [5, 1],
    ],
  },
  { name: "tuned", versions: [[5, 1]] },
];

/** A model that answers in less than a millisecond, twice the same. */
const FAST = "mnist";
const IMAGE = { name: "image", datatype: "FP32", shape: [1, 784], data: Array.from({ length: 784 }, () => 0.5) };
const TWO = { name: "X", datatype: "FP32", shape: [2], data: [1, 2] };

const modelText = (ms: number, factor: number) => `export async function execute(requests) {
  await new Promise((resolve) => setTimeout(resolve, ${ms}));
  return requests.map(({ inputs: { X } }) => ({ outputs: { Y: { shape: X.shape, data: X.data.map((x) => x * ${factor}) } } }));
}
`;

let directory: string;
let test: TestDatabase;
let program: string;
let server: ChildProcess;
let url = "";
const controllers = new Map<string, ChildProcess>();

async function startServer(port: string): Promise<void> {
  server = spawn(
    process.execPath,
    [
      join(ROOT, "apps/server/dist/server.js"),
      `--model-repository=${join(directory, "models")}`,
      `--state-dir=${join(directory, "state")}`,
      "--model-control-mode=explicit",
      "--load-model=*",
      "--http-address=127.0.0.1",
      `--http-port=${port}`,
      "--grpc-port=0",
      "--metrics-port=0",
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TMPDIR: directory } },
  );
  if (server.stdout === null) throw new Error("no output");
  const [line] = await once(createInterface(server.stdout), "line");
  url = `http://127.0.0.1:${JSON.parse(String(line)).http}`;
}

async function startController(name: string): Promise<void> {
  const child = spawn(process.execPath, [program, test.url, url, name], { stdio: ["ignore", "pipe", "inherit"] });
  controllers.set(name, child);
  if (child.stdout === null) throw new Error("no output");
  await once(createInterface(child.stdout), "line");
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "nereid-rollouts-"));
  for (const { name, versions } of MODELS) {
    for (const [place, [ms, factor]] of versions.entries()) {
      mkdirSync(join(directory, "models", name, String(place + 1)), { recursive: true });
      writeFileSync(join(directory, "models", name, String(place + 1), "model.mjs"), modelText(ms, factor));
    }
    const tensor = (label: string) => `{ name: "${label}" data_type: TYPE_FP32 dims: [ 2 ] }`;
    const text = `backend: "javascript"\nmax_batch_size: 0\nversion_policy { all { } }\ninstance_group [ { count: 4 kind: KIND_CPU } ]\ninput [ ${tensor("X")} ]\noutput [ ${tensor("Y")} ]\n`;
    writeFileSync(join(directory, "models", name, "config.pbtxt"), text);
  }
  const fast = join(directory, "models", FAST);
  cpSync(join(ROOT, "model_repo/mnist"), fast, { recursive: true });
  cpSync(join(fast, "1"), join(fast, "2"), { recursive: true });
  appendFileSync(join(fast, "config.pbtxt"), "\nversion_policy { all { } }\n");
  [test, program] = await Promise.all([
    createTestDatabase(),
    bundleForNode(join(import.meta.dirname, "testing/rollout-process.ts")),
    startServer("0"),
  ]);
  await Promise.all([startController("first"), startController("second")]);
}, 60_000);

afterAll(async () => {
  await Promise.all([...controllers.values(), server].map(kill));
  await test?.drop();
  rmSync(directory, { recursive: true, force: true });
});

function context() {
  const ctx = testContext(test.db);
  const link = connectNode(
    { name: "local", kind: "nereid", url, metricsUrl: null, grpcUrl: null, apiKey: null },
    { clock: { now: () => Date.now() }, pause: async () => {} },
  );
  const node = { ...ctx.node, ...bound(link.client) };
  return { ...ctx, clock: { now: () => Date.now() }, node, nodes: ctx.nodes.map((one) => ({ ...one, client: node })) };
}

/** The calls of a client as functions of their own. */
function bound(client: ReturnType<typeof connectNode>["client"]) {
  return {
    model: client.model.bind(client),
    divideTraffic: client.divideTraffic.bind(client),
    infer: client.infer.bind(client),
    modelConfigState: client.modelConfigState.bind(client),
    checkConfig: client.checkConfig.bind(client),
  };
}

const start = (model: string, more: object = {}) =>
  startRollout({
    ctx: context(),
    input: {
      model,
      baseline: "1",
      candidate: "2",
      rehearsalSeconds: 2,
      steps: [
        { percent: 10, seconds: 2, requests: 20 },
        { percent: 50, seconds: 5, requests: 100 },
        { percent: 100, seconds: 1, requests: 1 },
      ],
      ...more,
    },
  });

/** A rollout of the model with another number of instances. */
async function startConfig(model: string, instances: number, more: object = {}) {
  const { text, digest } = await context().node.modelConfigState(model);
  const config = { text: text.replace(/count: \d+/, `count: ${instances}`), ifDigest: digest };
  return start(model, { candidate: undefined, config, ...more });
}

/** Candidates that the server has. */
async function candidates(): Promise<readonly { readonly name: string }[]> {
  const answer = await fetch(`${url}/nereid/v1/candidates`);
  const { candidates: all } = (await answer.json()) as { candidates: { name: string }[] };
  return all;
}

/** Milliseconds from the decision to go back until all requests went to the baseline. */
function wayBackMs({ history }: RolloutView): number {
  const at = (phase: string) => history.findLast((entry) => entry.phase === phase)?.atMs ?? Number.NaN;
  return at("rolled-back") - at("rolling-back");
}

const look = (id: string) => getRollout({ ctx: context(), input: { id } });
const reach = (id: string, what: string, is: (view: RolloutView) => boolean) =>
  vi.waitFor(
    async () => {
      const view = await look(id);
      if (!is(view))
        throw new Error(`${what} was not reached: ${view.phase}, ${view.verdict} ${JSON.stringify(view.readings)}`);
      return view;
    },
    { timeout: 60_000, interval: 100 },
  );

const keepFixture = (model: string) =>
  saveFixture({
    ctx: context(),
    input: {
      model,
      name: "two numbers",
      request: {
        inputs: [
          {
            name: "X",
            datatype: "FP32",
            shape: [2],
            base64: Buffer.from(new Float32Array([1, 2]).buffer).toString("base64"),
          },
        ],
      },
    },
  });

/** Callers of a model that name no version, until they are stopped; answers how many requests were answered and which failed. */
function callers(model: string, count = 6, input: object = TWO) {
  let stopped = false;
  let answered = 0;
  const failed: string[] = [];
  const body = JSON.stringify({ inputs: [input] });
  const caller = async () => {
    while (!stopped) {
      try {
        const response = await fetch(`${url}/v2/models/${model}/infer`, { method: "POST", body });
        const text = await response.text();
        if (response.ok) answered += 1;
        else failed.push(text);
      } catch (error) {
        failed.push(String(error));
      }
    }
  };
  const all = Array.from({ length: count }, caller);
  return {
    answered: () => answered,
    stop: async () => {
      stopped = true;
      await Promise.all(all);
      return { answered, failed };
    },
  };
}

it("an equal candidate is promoted, with no failed request", async () => {
  await keepFixture("equal");
  const load = callers("equal");
  const { id } = await start("equal");
  await expect(start("equal")).rejects.toMatchObject({ code: "CONFLICT" });
  const view = await reach(id, "the end", ({ active }) => !active);
  expect([view.phase, view.verdict]).toEqual([
    "promoted",
    expect.stringMatching(/^Promoted after \d+ requests to version 2/),
  ]);
  expect(view.actual).toEqual({ "1": 0, "2": 100 });
  const { answered, failed } = await load.stop();
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  console.info(
    view.verdict,
    view.history.map(({ says }) => says),
  );
});

it("an equal candidate of a fast model was sent back: it had few requests, and its process was new", async () => {
  const load = callers(FAST, 2, IMAGE);
  await vi.waitFor(() => expect(load.answered()).toBeGreaterThan(2_000), { timeout: 60_000 });
  const steps = [2, 50, 100].map((percent) => ({ percent, seconds: 4, requests: percent === 100 ? 0 : 50 }));
  const { id } = await start(FAST, { steps });
  const view = await reach(id, "the end", ({ active }) => !active);
  expect([view.phase, view.verdict]).toEqual(["promoted", expect.stringContaining("which no gate found worse")]);
  expect((await load.stop()).failed).toEqual([]);
});

it("a candidate that is 30 % slower is rolled back by a latency gate, with no failed request", async () => {
  const load = callers("slow");
  const { id } = await start("slow");
  const view = await reach(id, "the end", ({ active }) => !active);
  expect(view.phase).toBe("rolled-back");
  expect(view.state).toMatchObject({ cause: { kind: "gate", gate: expect.stringContaining("latency") } });
  expect(view.actual).toEqual({ "1": 100 });
  expect((await load.stop()).failed).toEqual([]);
  console.info(view.verdict, `${wayBackMs(view)} ms back`);
});

it("a candidate with wrong outputs gets no request at all", async () => {
  await keepFixture("wrong");
  const load = callers("wrong", 2);
  const { id } = await start("wrong");
  const view = await reach(id, "the end", ({ active }) => !active);
  expect(view.state).toMatchObject({ kind: "rolled-back", cause: { kind: "gate", gate: "outputs" } });
  expect(view.verdict).toContain("fixture two numbers: output Y differs in 2 of 2 values");
  expect(view.history.map(({ phase }) => phase)).not.toContain("running");
  expect(view.actual).toEqual({ "1": 100 });
  expect((await load.stop()).failed).toEqual([]);
});

it("a configuration is promoted: the model itself has it at the end, its candidate is gone, and no request failed", async () => {
  await keepFixture("tuned");
  const load = callers("tuned");
  const { id } = await startConfig("tuned", 5);
  const view = await reach(id, "the end", ({ active }) => !active);
  expect([view.phase, view.actual]).toEqual(["promoted", { "1": 100 }]);
  expect(view.history.map(({ phase }) => phase)).toEqual(expect.arrayContaining(["running", "applying", "returning"]));
  expect((await context().node.modelConfigState("tuned")).text).toContain("count: 5");
  const [entry] = await test.db.configEntry.findMany({
    where: { model: "tuned" },
    orderBy: { number: "desc" },
    take: 1,
  });
  expect(entry).toMatchObject({ source: "apply", reason: "promoted by a rollout", authorName: "rollout" });
  await vi.waitFor(async () => expect(await candidates()).toEqual([]), { timeout: 20_000 });
  const { answered, failed } = await load.stop();
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);
});

it("a configuration that makes requests wait is rolled back, and the file stays as it was", async () => {
  const before = await context().node.modelConfigState("tuned");
  const load = callers("tuned", 12);
  // With a tenth of the requests one instance may do.
  const { id } = await startConfig("tuned", 1, { steps: [{ percent: 60, seconds: 5, requests: 100 }] });
  const view = await reach(id, "the end", ({ active }) => !active);
  expect([view.phase, view.actual]).toEqual(["rolled-back", { "1": 100 }]);
  expect(view.state).toMatchObject({ cause: { kind: "gate" } });
  expect(await context().node.modelConfigState("tuned")).toEqual(before);
  await vi.waitFor(async () => expect(await candidates()).toEqual([]), { timeout: 20_000 });
  expect((await load.stop()).failed).toEqual([]);
  console.info(view.verdict, `${wayBackMs(view)} ms back`);
});

it("after kill -9 of a controller and of the server the weights are those of the record", async () => {
  const steps = [
    { percent: 10, seconds: 1, requests: 0 },
    { percent: 30, seconds: 3_600, requests: 0 },
    { percent: 100, seconds: 1, requests: 0 },
  ];
  const { id } = await start("kept", { steps });
  await reach(id, "the second step", ({ actual, step }) => step === 1 && actual?.["2"] === 30);
  const lease = async () => await test.db.lease.findUniqueOrThrow({ where: { name: "rollouts" } });
  const { holder, fence } = await lease();
  const child = controllers.get(holder);
  if (child === undefined) throw new Error(`nobody is called ${holder}`);
  await kill(child);
  // Somebody sets other weights while nobody looks.
  await context().node.divideTraffic("kept", { weights: { "1": 1, "2": 1 } });
  await reach(id, "the weights of the record", ({ actual }) => actual?.["2"] === 30 && actual["1"] === 70);
  const next = await lease();
  expect([next.holder === holder, next.fence]).toEqual([false, fence + 1]);

  const { port } = new URL(url);
  await kill(server);
  rmSync(join(directory, "state"), { recursive: true, force: true });
  await startServer(port);
  await reach(id, "the weights of the record", ({ actual, step }) => step === 1 && actual?.["2"] === 30);

  // Decided while the server is away; it follows when it is back.
  await kill(server);
  await operateRollout({ ctx: context(), input: { id, action: "abort" } });
  await startServer(port);
  const view = await reach(id, "the end", ({ active }) => !active);
  expect([view.phase, view.actual]).toEqual(["aborted", { "1": 100 }]);
});
