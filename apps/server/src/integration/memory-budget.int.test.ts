import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { childrenOf } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, type Tensor } from "../testing/test-api.ts";
import { network, offset, replaceFile } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const MB = 2 ** 20;
let server: TestServer;
afterEach(() => server?.dispose());

const EXPLICIT = "--model-control-mode=explicit";
const stateOf = async (model: string) => (await server.api.model(model)).versions[0]?.state;
const rssOf = async (model: string) => {
  const { versions } = (await server.api.model(model)) as unknown as {
    versions: { runner?: { memory: { currentBytes?: number } } }[];
  };
  return versions[0]?.runner?.memory.currentBytes ?? 0;
};
const zeros = (width: number): Tensor[] => [
  { name: "INPUT", datatype: "FP32", shape: [1, width], data: Array.from({ length: width }, () => 0) },
];
const evicted = () => server.log.filter(({ msg }) => msg === "model evicted").map(({ model }) => model);

describe("--model-memory-budget-bytes", () => {
  it("refuses a load that does not fit, says who holds what and what to do, and kills nothing", async () => {
    server = await startTestServer({
      models: [offset("first", 1), network("large", 100)],
      mode: [EXPLICIT, "--load-model=first"],
      args: [`--model-memory-budget-bytes=${250 * MB}`],
    });
    const { api } = server;
    const pid = await api.runnerPid("first");
    const reply = await api.load("large");
    expect(reply.status).toBe(503);
    expect(errorOf(reply)).toMatch(
      /^load failed for model 'large': version 1 is at UNAVAILABLE state: Unavailable: not enough memory for model 'large': it needs about 2\d\d MiB and \d+ MiB of the budget of 250 MiB are free; loaded models hold \d+ MiB \(most: first version 1 \d+ MiB\)\. Unload another model, or raise --model-memory-budget-bytes;\n$/,
    );
    expect((await api.index()).find(({ name }) => name === "large")).toMatchObject({
      state: "UNAVAILABLE",
      reason: expect.stringMatching(/^Unavailable: not enough memory/),
    });
    expect(await api.runnerPid("first")).toBe(pid);
    expect((await api.infer("first", floats("QUESTION", [[0]]))).status).toBe(200);
    // Room that is made is found.
    await api.unload("first");
    expect((await api.load("large")).status).toBe(200);
  });

  it("says of a reload that both copies are needed, and leaves the one that serves", async () => {
    server = await startTestServer({ models: [offset("first", 1)], args: [`--model-memory-budget-bytes=${130 * MB}`] });
    const { api } = server;
    replaceFile(join(server.repository, "first/1/model.onnx"), offset("", 2).files["1/model.onnx"] ?? "");
    const reply = await api.load("first");
    expect([reply.status, errorOf(reply)]).toEqual([503, expect.stringContaining("both are needed for a moment")]);
    expect((await api.infer("first", floats("QUESTION", [[0]]))).status).toBe(200);
  });

  it("lets loads in one after the other when all of them at once are too much", async () => {
    server = await startTestServer({
      models: [offset("a", 1), offset("b", 1), offset("c", 1)],
      mode: [EXPLICIT],
      args: [`--model-memory-budget-bytes=${235 * MB}`],
    });
    const { api } = server;
    const replies = await Promise.all(["a", "b", "c"].map((model) => api.load(model)));
    const sizes = await Promise.all(["a", "b", "c"].map(rssOf));
    const fits = sizes.reduce((sum, bytes) => sum + bytes, 0) <= 235 * MB;
    expect(fits).toBe(true);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
  });

  it("unloads models that were loaded on demand, the one not used for longest first, and never a person's", async () => {
    server = await startTestServer({
      models: [offset("person", 1), offset("older", 1), offset("newer", 1), network("next", 60)],
      mode: [EXPLICIT, "--load-model=person"],
      args: ["--load-on-demand=true", `--model-memory-budget-bytes=${350 * MB}`],
    });
    const { api } = server;
    const ask = (model: string) => api.infer(model, floats("QUESTION", [[0]]));
    expect((await ask("older")).status).toBe(200);
    expect((await ask("newer")).status).toBe(200);
    const held = (await Promise.all(["person", "older", "newer"].map(rssOf))).reduce((sum, bytes) => sum + bytes, 0);
    expect(held + 170 * MB).toBeGreaterThan(350 * MB);
    const width = Math.floor(Math.sqrt((60 * 1e6) / 8));
    const reply = await api.infer("next", zeros(width));
    // Whatever the names of its inputs are: it was loaded.
    expect(reply.status).not.toBe(503);
    expect(await stateOf("next")).toBe("READY");
    expect(evicted()[0]).toBe("older");
    expect(evicted()).not.toContain("person");
    expect(await stateOf("person")).toBe("READY");
    await waitUntil("what was evicted has ended", async () => childrenOf(server.pid).length <= 3);
  });
});
