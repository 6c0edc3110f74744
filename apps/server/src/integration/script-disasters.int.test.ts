import { NereidClient, outputValues, tensor } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fp32, script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** Does to itself what the request says, and gives its input back otherwise. */
const careless = script(
  "careless",
  `max_batch_size: 0
input [ ${fp32("VALUE")} ]
output [ ${fp32("VALUE_OUT")} ]
instance_group [ { count: 1 kind: KIND_CPU } ]
parameters { key: "execution_timeout_ms" value { string_value: "1500" } }
parameters { key: "memory_limit_bytes" value { string_value: "1500000000" } }`,
  `import { closeSync } from "node:fs";
const disasters = {
  exception: () => { throw new TypeError("not my day"); },
  late: () => { setTimeout(() => { throw new Error("nobody catches this"); }, 0); return new Promise(() => {}); },
  kill: () => { process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); },
  abort: () => { process.kill(process.pid, "SIGSEGV"); return new Promise(() => {}); },
  exit: () => process.exit(3),
  loop: () => { for (;;); },
  memory: () => { const held = []; for (let at = 0; at < 64; at++) held.push(Buffer.alloc(2 ** 30, 1)); return held; },
  pipes: () => { for (let fd = 3; fd < 200; fd++) try { closeSync(fd); } catch {} ; return new Promise(() => {}); },
};
export async function execute([{ inputs: { VALUE }, parameters }]) {
  await disasters[parameters.disaster]?.();
  return [{ outputs: { VALUE_OUT: { shape: VALUE.shape, data: VALUE.data } } }];
}`,
);

let server: TestServer;
let http: NereidClient;

beforeAll(async () => {
  server = await startTestServer({ models: [careless, offset("beside", 1)] });
  http = new NereidClient({ baseUrl: server.api.url.origin });
});

afterAll(() => server?.dispose());

async function ask(disaster = ""): Promise<readonly number[]> {
  const inputs = [tensor({ name: "VALUE", datatype: "FP32", shape: [2], data: [1, 2] })];
  return [...outputValues(await http.infer("careless", { inputs, parameters: { disaster } }), "VALUE_OUT", "FP32")];
}

/** Of another model, at the same time. */
async function beside(): Promise<readonly number[]> {
  const inputs = [tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [1] })];
  return [...outputValues(await http.infer("beside", { inputs }), "ANSWER", "FP32")];
}

describe("a script that does harm to its own process", () => {
  it.each([
    ["throws", "exception", /TypeError: not my day/, false],
    ["throws where nobody catches it", "late", /nobody catches this/, true],
    ["is killed", "kill", /signal SIGKILL/, true],
    ["crashes natively", "abort", /signal SIGSEGV/, true],
    ["leaves", "exit", /exit|ended with code 3/, true],
    ["never returns", "loop", /1500|longer|time/, true],
    ["asks for 64 GiB", "memory", /memory|allocat/i, undefined],
    ["closes its connections", "pipes", /ended|closed/, true],
  ] as const)(
    "%s: an error that says so, others go on, and it is there again",
    async (_what, disaster, words, respawns) => {
      const before = await server.api.runnerPid("careless");
      const [failure, other] = await Promise.all([
        ask(disaster).then(
          () => "answered",
          (error: Error) => error.message,
        ),
        beside(),
      ]);
      expect(failure).toMatch(words);
      expect(other).toEqual([2]);
      await waitUntil("it answers again", async () => {
        try {
          return (await ask()).length === 2;
        } catch {
          return false;
        }
      });
      if (respawns !== undefined) expect((await server.api.runnerPid("careless")) !== before).toBe(respawns);
      expect(await http.serverReady()).toBe(true);
    },
    60_000,
  );
});
