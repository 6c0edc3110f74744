import { NereidClient, outputValues, tensor } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { processExists } from "../testing/processes.ts";
import { fp32, script } from "../testing/scripted-models.ts";
import { launchTestServer, startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const VALUE = `max_batch_size: 0
input [ ${fp32("VALUE")} ]
output [ ${fp32("VALUE_OUT")} ]`;

/** A model that speaks with the server itself, over a further connection of an instance, and does what `parameters.attack` says. */
const rogue = script(
  "rogue",
  VALUE,
  `import { spawn } from "node:child_process";
import { connect } from "node:net";
function open(index, receive) {
  const socket = connect(process.env.NEREID_RUNNER_SOCKET);
  const send = (message) => {
    const body = Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(4);
    header.writeUInt32LE(body.length);
    return socket.write(Buffer.concat([header, body]));
  };
  let buffered = Buffer.alloc(0);
  if (receive) socket.on("data", (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= 4 && buffered.length >= 4 + buffered.readUInt32LE(0)) {
      const end = 4 + buffered.readUInt32LE(0);
      receive(JSON.parse(buffered.subarray(4, end).toString()));
      buffered = buffered.subarray(end);
    }
  });
  socket.on("error", () => undefined);
  send({ type: "hello", role: "instance", protocol: 1, index });
  return { send, socket };
}
const attacks = {
  // Gives the errors of the answers back; ends after as many as there are messages.
  raw: ({ messages }) => new Promise((resolve) => {
    const asked = JSON.parse(messages);
    const told = [];
    const { send } = open(7, ({ error }) => {
      told.push(error?.message ?? "");
      if (told.length === asked.length) resolve(told);
    });
    for (const message of asked) send(message);
  }),
  "same-index": () => {
    open(0);
    return new Promise(() => undefined);
  },
  deaf: () => {
    const { send, socket } = open(7);
    const message = { type: "call-infer", model: "\\u0001".repeat(1000), inputs: [], outputs: [] };
    let at = 0;
    const more = () => {
      while (send({ ...message, call: at++ }));
      socket.once("drain", more);
    };
    more();
    return new Promise(() => undefined);
  },
  child: async () => spawn("sleep", ["1000"], { stdio: "ignore" }).pid,
  many: async ({ count }, { infer }) => {
    const QUESTION = { shape: [1, 1], data: new Float32Array([1]) };
    const settled = await Promise.allSettled(
      Array.from({ length: count }, () => infer({ model: "plus_one", inputs: { QUESTION } })),
    );
    const refused = settled.filter(({ status }) => status === "rejected");
    return { answered: settled.length - refused.length, reasons: [...new Set(refused.map(({ reason }) => reason.code + ": " + reason.message))] };
  },
};
export async function execute([{ parameters }], context) {
  const told = await attacks[parameters.attack](parameters, context);
  return [{ outputs: { VALUE_OUT: { shape: [1], data: [1] } }, parameters: { told: JSON.stringify(told) } }];
}`,
);

const metered = script(
  "metered",
  VALUE,
  `let words;
export function initialize({ metric }) {
  words = metric({ name: "test_metered", description: "Words" });
}
export async function execute() {
  return [{ outputs: { VALUE_OUT: { shape: [1], data: [await words.increment(1)] } } }];
}`,
);

/** Asks itself, and has one instance only. */
const selfish = script(
  "selfish",
  `${VALUE}\ninstance_group [ { count: 1 kind: KIND_CPU } ]`,
  `export async function execute([{ inputs: { VALUE }, parameters, signal }], { infer }) {
  if (parameters.within === undefined) return [{ outputs: { VALUE_OUT: { shape: VALUE.shape, data: VALUE.data } } }];
  const until = AbortSignal.any([signal, AbortSignal.timeout(parameters.within)]);
  await infer({ model: "selfish", inputs: { VALUE }, signal: until });
}`,
);

const waiting = script(
  "waiting",
  VALUE,
  `export async function initialize({ isReady }) { await isReady("plus_one"); }
export function execute() { return []; }`,
);

const talk = script(
  "talk",
  `max_batch_size: 0
input [ { name: "text_input" data_type: TYPE_STRING dims: [ 1 ] }, { name: "max_tokens" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "text_output" data_type: TYPE_STRING dims: [ 1 ] } ]`,
  `export function execute(requests) {
  return requests.map(({ inputs }) => ({ outputs: { text_output: { shape: [1], data: [String(inputs.max_tokens.data[0])] } } }));
}`,
);

let server: TestServer;
let http: NereidClient;

beforeAll(async () => {
  const loaded = ["rogue", "metered", "selfish", "talk", "plus_one"].map((name) => `--load-model=${name}`);
  server = await startTestServer({
    mode: ["--model-control-mode=explicit", ...loaded],
    models: [rogue, metered, selfish, waiting, talk, offset("plus_one", 1)],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin, timeoutMs: 60_000 });
});

afterAll(() => server?.dispose());

const inputs = [tensor({ name: "VALUE", datatype: "FP32", shape: [1], data: [1] })];

/** What the rogue says that came of its attack. */
async function attack(name: string, more: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
  const { parameters } = await http.infer("rogue", { inputs, parameters: { attack: name, ...more } });
  return JSON.parse(String(parameters?.get("told")));
}

async function rogueIsBack(): Promise<void> {
  await waitUntil("the rogue is back", () => http.modelReady("rogue"), 40_000);
}

describe("a model that attacks the server which runs it", () => {
  it("cannot take an instance's place: its requests fail at once and do not hang", async () => {
    await expect(attack("same-index")).rejects.toThrow("opened a connection for instance 0, which it has already");
    await rogueIsBack();
  });

  it("is ended when it goes on calling and reads no answer, before it has filled the server's memory", async () => {
    await expect(attack("deaf")).rejects.toThrow("goes on calling and does not read the answers");
    await rogueIsBack();
  });

  it("may make more calls at once than are taken: the rest is refused, and the process goes on", async () => {
    const before = await server.api.runnerPid("rogue");
    expect(await attack("many", { count: 10_500 })).toEqual({
      answered: 10_000,
      reasons: [expect.stringContaining("UNAVAILABLE: the instance has 10000 calls of other models open")],
    });
    expect(await server.api.runnerPid("rogue")).toBe(before);
  });

  it("cannot have endless names of models repeated, neither in answers nor in the log", async () => {
    const model = "n".repeat(1 << 20);
    const messages = [
      { type: "call-infer", call: 1, model, inputs: [], outputs: [] },
      { type: "call-manage", call: 2, action: "load", model },
    ];
    const from = server.stderr.length;
    const told = await attack("raw", { messages: JSON.stringify(messages) });
    expect(told).toEqual([
      expect.stringContaining("names have at most 1024"),
      expect.stringContaining("names have at most 1024"),
    ]);
    expect(JSON.stringify(told).length).toBeLessThan(1_000);
    expect(server.stderr.length - from).toBeLessThan(10_000);
  });
});

describe("metrics of a model", () => {
  it("stay with it when it is loaded anew: the process that goes takes only its own", async () => {
    const pid = await server.api.runnerPid("metered");
    await http.infer("metered", { inputs });
    const tensors = (name: string) => [{ name, data_type: "TYPE_FP32", dims: [-1] }];
    const config = { backend: "javascript", max_batch_size: 0, input: tensors("VALUE"), output: tensors("VALUE_OUT") };
    await http.loadModel("metered", { config: { ...config, parameters: { another: { string_value: "one" } } } });
    await waitUntil("the old process is gone", () => !processExists(pid));
    expect((await readMetricsPage(server)).value("test_metered")).toBe(1);
    const [value] = outputValues(await http.infer("metered", { inputs }), "VALUE_OUT", "FP32");
    expect(value).toBe(2);
  });
});

describe("a script that waits for a call while it initializes", () => {
  it("is told that such an answer cannot come", async () => {
    await expect(http.loadModel("waiting")).rejects.toThrow("is answered only after that has returned");
  });
});

describe("a script that asks itself and has no instance left", () => {
  it("waits as long as its own signal says, or as its client waits, and is free again", async () => {
    await expect(http.infer("selfish", { inputs, parameters: { within: 200 } })).rejects.toThrow(
      "does not wait any more",
    );
    const client = new AbortController();
    const asked = http.infer("selfish", { inputs, parameters: { within: 1e6 } }, { signal: client.signal });
    await waitUntil("it executes", async () =>
      (await http.model("selfish")).versions.some(({ instances }) => instances.some(({ busy }) => busy)),
    );
    client.abort();
    await expect(asked).rejects.toThrow("cancelled");
    expect(outputValues(await http.infer("selfish", { inputs }), "VALUE_OUT", "FP32")[0]).toBe(1);
  });
});

describe("a number that the model's datatype cannot hold", () => {
  it("is refused by OpenAI's API instead of coming to the model as another", async () => {
    const ask = (tokens: number) =>
      fetch(new URL("/v1/completions", server.api.url), {
        method: "POST",
        body: JSON.stringify({ model: "talk", prompt: "hi", max_tokens: tokens }),
      });
    const refused = await ask(2 ** 40);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { param: "max_tokens", message: "'max_tokens' must be from -2147483648 to 2147483647" },
    });
    expect(await (await ask(2 ** 31 - 1)).text()).toContain('"text":"2147483647"');
  });
});

describe.runIf(process.platform === "linux")("a server that is killed", () => {
  it("leaves no runner behind, and the next one ends what a model had started", async () => {
    await rogueIsBack();
    const runner = await server.api.runnerPid("rogue");
    const child = Number(await attack("child"));
    expect(processExists(child)).toBe(true);
    server.signal("SIGKILL");
    await server.exited;
    await waitUntil("the runner is gone", () => !processExists(runner));
    const next = launchTestServer(server.directory, { mode: ["--model-control-mode=explicit"] });
    try {
      await next.ready();
      await waitUntil("what it started is gone", () => !processExists(child));
    } finally {
      await next.dispose();
    }
  });
});
