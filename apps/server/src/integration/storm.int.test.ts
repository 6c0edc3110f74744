import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childrenOf } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { floats, numbersOf, type Reply } from "../testing/test-api.ts";
import { offset, replaceFile, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** Longer by NEREID_STORM_SECONDS, for a thorough look. */
const SECONDS = Number(process.env["NEREID_STORM_SECONDS"] ?? 20);
const CLIENTS = 12;

const modelFile = (by: number) => offset("", by).files["1/model.onnx"] ?? "";

/** Version n adds n, and n + 100, n + 200 … when it was replaced. */
function versioned(name: string): TestModel {
  const config =
    offset(name, 1, "version_policy { latest { num_versions: 2 } } dynamic_batching { }").files["config.pbtxt"] ?? "";
  return {
    name,
    files: {
      "config.pbtxt": config,
      "1/model.onnx": modelFile(1),
      "2/model.onnx": modelFile(2),
      "3/model.onnx": modelFile(3),
    },
  };
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [versioned("stormy"), versioned("coming")] });
});
afterAll(() => server?.dispose());

/** Repeatable: the seed is printed by a failure through the steps it led to. */
function* random(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe("a storm of changes under traffic", () => {
  it(`answers every request exactly once, and a model that somebody serves always has a version (${SECONDS} s)`, {
    timeout: (SECONDS + 60) * 1000,
  }, async () => {
    const { api } = server;
    const until = performance.now() + SECONDS * 1000;
    const dice = random(20_261_121);
    const steps: string[] = [];
    const put = (path: string, body: unknown) => api.call(path, { method: "PUT", body: JSON.stringify(body) });
    const pick = <T>(choices: readonly T[], fallback: T): T =>
      choices[Math.floor(dice.next().value * choices.length)] ?? fallback;

    const stormy = "/nereid/v1/models/stormy";
    // None of these may leave the model without a version: each ends with one that serves, or changes nothing.
    const changes: readonly (readonly [string, () => Promise<Reply>])[] = [
      [
        "weights",
        () =>
          put(`${stormy}/traffic`, {
            weights: { "1": 1, "2": pick([0, 3], 3), "3": pick([1, 9], 1) },
            stickyHeader: "x-user",
          }),
      ],
      ["weights off", () => put(`${stormy}/traffic`, { weights: null })],
      ["pin 1", () => put(`${stormy}/pin`, { versions: ["1"] })],
      ["pin 2 3", () => put(`${stormy}/pin`, { versions: ["2", "3"] })],
      ["pin off", () => put(`${stormy}/pin`, { versions: null })],
      ["load version", () => api.post(`${stormy}/versions/${pick(["1", "2", "3"], "1")}/load`)],
      [
        "reload",
        () => {
          const version = pick([1, 2, 3], 1);
          replaceFile(
            join(server.repository, `stormy/${version}/model.onnx`),
            modelFile(version + 100 * pick([0, 1, 2], 0)),
          );
          return api.load("stormy");
        },
      ],
      ["load", () => api.load("stormy")],
      ["bad pin", () => put(`${stormy}/pin`, { versions: ["9"] })],
      ["cancel", () => api.post(`${stormy}/load/cancel`)],
    ];
    const statuses = new Map<string, Set<number>>();
    const changer = async () => {
      while (performance.now() < until) {
        const [name, act] = pick(changes, ["load", () => api.load("stormy")] as const);
        steps.push(name);
        const { status } = await act();
        statuses.set(name, (statuses.get(name) ?? new Set()).add(status));
      }
    };
    // This one does go away and come back; only that is a reason to be refused.
    const unloader = async () => {
      while (performance.now() < until) {
        expect((await api.load("coming")).status).toBe(200);
        const before = served;
        await waitUntil("it has served for a while", () => served > before + 200 || performance.now() > until);
        expect((await api.unload("coming")).status).toBe(200);
      }
    };
    let asked = 0;
    let answered = 0;
    let served = 0;
    let refused = 0;
    const client = async (user: number) => {
      for (let turn = 0; performance.now() < until; turn++) {
        const value = user * 10_000 + (turn % 1000) * 10;
        asked += 1;
        const reply = await api.infer("stormy", floats("QUESTION", [[value]]), { headers: { "x-user": `u${user}` } });
        expect([reply.status, reply.status === 200 ? "" : reply.text, steps.slice(-6)]).toEqual([
          200,
          "",
          expect.anything(),
        ]);
        // Its own answer, of one of the copies that there are.
        expect([1, 2, 3]).toContain(((numbersOf(reply)[0] ?? 0) - value) % 100);
        answered += 1;
        const other = await api.infer("coming", floats("QUESTION", [[value]]));
        if (other.status === 200) {
          expect([2, 3]).toContain((numbersOf(other)[0] ?? 0) - value);
          served += 1;
        } else {
          expect([404, 503]).toContain(other.status);
          refused += 1;
        }
      }
    };
    await Promise.all([
      changer(),
      changer(),
      unloader(),
      ...Array.from({ length: CLIENTS }, (_, user) => client(user)),
    ]);
    expect(answered).toBe(asked);
    console.log(
      `${SECONDS} s: ${asked} requests answered under ${steps.length} changes, ${served} answered and ${refused} refused by the model that came and went`,
    );
    for (const name of ["weights", "weights off"]) expect([...(statuses.get(name) ?? [200])]).toEqual([200]);
    // Nothing is left behind: one process for each version that is served.
    expect((await put(`${stormy}/traffic`, { weights: null })).status).toBe(200);
    expect((await put(`${stormy}/pin`, { versions: ["2"] })).status).toBe(200);
    await api.unload("coming");
    await waitUntil("what was replaced has ended", () => childrenOf(server.pid).length === 1, 40_000);
    expect(
      (await api.model("stormy")).versions.filter(({ state }) => state === "READY").map(({ version }) => version),
    ).toEqual(["2"]);
    expect((await api.model("stormy")).versions.filter(({ pending }) => pending > 0)).toEqual([]);
    expect(served).toBeGreaterThan(0);
  });
});
