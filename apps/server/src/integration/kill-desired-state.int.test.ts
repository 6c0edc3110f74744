import { readFileSync } from "node:fs";
import { join } from "node:path";
import { offsetModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, expect, it } from "vitest";
import { after, elapsedMs, KillableServer } from "../testing/killable-server.ts";
import { parse, type Reply } from "../testing/test-api.ts";
import { offset, type TestModel } from "../testing/test-model.ts";

const OPERATIONS = 30;
const SEED = 20_260_701;
const VERSIONS = ["1", "2", "3"];
const base = offset("m", 1);
const CONFIGS = ["16", "32"].map((batch) =>
  String(base.files["config.pbtxt"]).replace("max_batch_size: 32", `max_batch_size: ${batch}`),
);
const MODEL: TestModel = {
  name: "m",
  files: {
    "config.pbtxt": CONFIGS[1] ?? "",
    ...Object.fromEntries(VERSIONS.map((version) => [`${version}/model.onnx`, offsetModel(Number(version))])),
  },
};

let server: KillableServer;
beforeAll(async () => {
  server = new KillableServer([MODEL]);
  await server.start();
});
afterAll(() => server.dispose());

/** What must hold after a restart. */
interface Desired {
  readonly loaded: boolean;
  readonly pin: readonly string[] | null;
  readonly config: string;
}

interface Operation {
  readonly name: string;
  readonly run: () => Promise<Reply>;
  readonly become: (before: Desired) => Desired;
}

const put = (path: string, body: unknown) => server.api.call(path, { method: "PUT", body: JSON.stringify(body) });

const load: Operation = {
  name: "load",
  run: () => server.api.load("m"),
  become: (before) => ({ ...before, loaded: true }),
};
const unload: Operation = {
  name: "unload",
  run: () => server.api.unload("m"),
  become: (before) => ({ ...before, loaded: false }),
};
const pin = (versions: readonly string[] | null): Operation => ({
  name: `pin ${versions}`,
  run: () => put("/nereid/v1/models/m/pin", { versions }),
  become: (before) => ({ ...before, loaded: true, pin: versions }),
});
const apply = (config: string): Operation => ({
  name: "apply",
  run: async () => {
    const { digest: ifDigest } = parse<{ digest: string }>(await server.api.call("/nereid/v1/models/m/config"));
    return put("/nereid/v1/models/m/config", { text: config, ifDigest });
  },
  become: (before) => ({ ...before, config }),
});
const POOL = [load, unload, pin(["1"]), pin(["1", "2"]), pin(["2"]), pin(null), ...CONFIGS.map(apply)];

/** What is served, remembered and written now. */
async function observed(): Promise<Desired & { served: readonly string[] }> {
  const text = readFileSync(join(server.stateDirectory, "desired-models.json"), "utf8");
  const journal = JSON.parse(text) as { unloaded: string[]; pins: Record<string, string[]> };
  const { versions } = await server.api.model("m");
  return {
    loaded: !journal.unloaded.includes("m"),
    pin: journal.pins["m"] ?? null,
    config: readFileSync(join(server.repository, "m/config.pbtxt"), "utf8"),
    served: versions.filter(({ state }) => state === "READY").map(({ version }) => version),
  };
}

function outcomeOf(desired: Desired): Awaited<ReturnType<typeof observed>> {
  return { ...desired, served: desired.loaded ? (desired.pin ?? ["3"]) : [] };
}

/** Pseudo-random numbers from 0 to 1, the same ones in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it("what was answered holds over a kill; what was not holds as a whole or not at all", async () => {
  const random = numbers(SEED);
  let desired: Desired = { loaded: true, pin: ["2"], config: CONFIGS[1] ?? "" };
  const usual = new Map<string, number>();
  for (const operation of [load, unload, ...POOL, pin(["2"])]) {
    const ms = await elapsedMs(async () => parseAny(await operation.run()));
    usual.set(operation.name, ms);
  }
  desired = POOL.reduce((before, { become }) => become(before), desired);
  desired = pin(["2"]).become(desired);
  expect(await observed()).toEqual(outcomeOf(desired));

  const seen = { answered: 0, took: 0 };
  for (let count = 0; count < OPERATIONS; count++) {
    const operation = POOL[Math.floor(random() * POOL.length)] ?? load;
    const answering = operation.run().catch(() => undefined);
    await after((usual.get(operation.name) ?? 0) * random() * 1.2);
    await server.kill();
    const answered = (await answering)?.status === 200;
    await server.start();

    const now = await observed();
    const wanted = operation.become(desired);
    const isNew = JSON.stringify(now) === JSON.stringify(outcomeOf(wanted));
    if (!isNew || answered) expect(now, `${count}: ${operation.name}`).toEqual(outcomeOf(answered ? wanted : desired));
    if (isNew) desired = wanted;
    seen.answered += answered ? 1 : 0;
    seen.took += isNew ? 1 : 0;
    expect(server.staged()).toEqual([]);
  }
  console.log(`${OPERATIONS} kills: ${seen.answered} after the answer; ${seen.took} of all operations hold`);
});

function parseAny({ status, text }: Reply): void {
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
}
