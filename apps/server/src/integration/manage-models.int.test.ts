import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { floats, numbersOf, parse, type Reply, type TestApi } from "../testing/test-api.ts";
import { offset, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

interface ConfigView {
  readonly text: string;
  readonly digest: string;
  readonly effective: string | null;
  readonly graph: { readonly inputs: readonly { readonly name: string }[] } | null;
}

interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A model whose version n adds n. */
function versioned(name: string, versions: readonly number[]): TestModel {
  const { files } = offset(name, 1);
  const models = versions.map((version) => [
    `${version}/model.onnx`,
    offset(name, version).files["1/model.onnx"] ?? "",
  ]);
  return { name, files: { "config.pbtxt": files["config.pbtxt"] ?? "", ...Object.fromEntries(models) } };
}

const put = (api: TestApi, path: string, body: unknown) =>
  api.call(path, { method: "PUT", body: JSON.stringify(body) });
const refusal = ({ text }: Reply): Refusal => JSON.parse(text) as Refusal;
const ask = async (api: TestApi, model: string) => numbersOf(await api.infer(model, floats("QUESTION", [[0]])))[0];
const readyVersions = async (api: TestApi, model: string) =>
  (await api.model(model)).versions.filter(({ state }) => state === "READY").map(({ version }) => version);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      versioned("rolled", [1, 2]),
      versioned("kept", [1, 2, 3]),
      versioned("edited", [1]),
      versioned("resized", [1]),
      versioned("deleted", [1, 2]),
    ],
  });
});
afterAll(() => server.dispose());

describe("single versions", () => {
  it("a pin rolls back under load without a failed request, and null follows the policy again", async () => {
    const { api } = server;
    expect(await ask(api, "rolled")).toBe(2);
    let running = true;
    const answers = new Set<number | undefined>();
    const clients = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (running) answers.add(await ask(api, "rolled"));
      }),
    );
    parse(await put(api, "/nereid/v1/models/rolled/pin", { versions: ["1"] }));
    expect(await ask(api, "rolled")).toBe(1);
    parse(await put(api, "/nereid/v1/models/rolled/pin", { versions: null }));
    expect(await ask(api, "rolled")).toBe(2);
    running = false;
    await clients;
    expect([...answers].sort()).toEqual([1, 2]);
  });

  it("are loaded and unloaded beside each other", async () => {
    const { api } = server;
    parse(await api.post("/nereid/v1/models/kept/versions/1/load"));
    expect(await readyVersions(api, "kept")).toEqual(["1", "3"]);
    parse(await api.post("/nereid/v1/models/kept/versions/3/unload"));
    expect(await readyVersions(api, "kept")).toEqual(["1"]);
    // Two at once: neither may undo the other.
    await Promise.all(["2", "3"].map((version) => api.post(`/nereid/v1/models/kept/versions/${version}/load`)));
    expect(await readyVersions(api, "kept")).toEqual(["1", "2", "3"]);
    const missing = await api.post("/nereid/v1/models/kept/versions/9/load");
    expect([missing.status, refusal(missing).error]).toEqual([404, "model 'kept' has no version 9"]);
    expect((await put(api, "/nereid/v1/models/kept/pin", { versions: [] })).status).toBe(400);
    const many = Array.from({ length: 100_000 }, (_, version) => String(version));
    const tooMany = await put(api, "/nereid/v1/models/kept/pin", { versions: many });
    expect(tooMany.status).toBe(400);
    expect(refusal(tooMany).error.length).toBeLessThan(200);
  });

  it("that are served cannot be deleted; others can, and their archive is a tar", async () => {
    const { api } = server;
    const remove = (path: string) => api.call(`/nereid/v1/models/deleted${path}`, { method: "DELETE" });
    expect((await remove("/versions/2")).status).toBe(409);
    expect((await remove("")).status).toBe(409);
    const archive = await api.call("/nereid/v1/models/deleted/versions/1/archive");
    expect(archive.headers["content-type"]).toBe("application/x-tar");
    expect(archive.body.subarray(0, 20).toString()).toBe("deleted/1/model.onnx");
    expect((await remove("/versions/1")).status).toBe(204);
    expect(existsSync(join(server.repository, "deleted/1"))).toBe(false);
    const versions = parse<{ version: string; digest: string }[]>(await api.call("/nereid/v1/models/deleted/versions"));
    expect(versions.map(({ version, digest }) => [version, digest.length])).toEqual([["2", 64]]);
    await api.unload("deleted");
    await waitUntil("it is unloaded", async () => (await readyVersions(api, "deleted")).length === 0);
    await waitUntil("it can be deleted", async () => (await remove("")).status === 204);
    expect((await api.index()).some(({ name }) => name === "deleted")).toBe(false);
  });
});

describe("a configuration", () => {
  const path = "/nereid/v1/models/edited/config";
  const state = async () => parse<ConfigView>(await server.api.call(path));
  const file = () => join(server.repository, "edited/config.pbtxt");
  const apply = async (text: string) => put(server.api, path, { text, ifDigest: (await state()).digest });

  it("is read with its completed form and the graph", async () => {
    const { text, effective, graph } = await state();
    expect(text).toBe(readFileSync(file(), "utf8"));
    expect(effective).toContain("max_batch_size");
    expect(graph?.inputs.map(({ name }) => name)).toEqual(["QUESTION"]);
  });

  it("with a mistake is refused with its findings, and nothing is written", async () => {
    const before = readFileSync(file(), "utf8");
    const reply = await apply(`${before}\nmax_batch_sise: 4\n`);
    expect(reply.status).toBe(400);
    expect(refusal(reply).details?.["diagnostics"]).toContainEqual(
      expect.objectContaining({ code: "unknown-field", line: 6 }),
    );
    expect(readFileSync(file(), "utf8")).toBe(before);
  });

  it.each([
    ['default_model_filename: "../../../outside.onnx"', /inside the version directory/],
    ['parameters { key: "intra_op_thread_count" value { string_value: "1000000" } }', /must be at most 1024/],
  ])("that says %s is refused without a try (one read foreign files, one took all memory)", async (line, message) => {
    const before = readFileSync(file(), "utf8");
    const reply = await apply(`${before}\n${line}\n`);
    expect(reply.status).toBe(400);
    expect(refusal(reply).error).toMatch(message);
    expect(readFileSync(file(), "utf8")).toBe(before);
  });

  it("of another base is a conflict that tells the digest", async () => {
    const before = readFileSync(file(), "utf8");
    const reply = await put(server.api, path, { text: `${before}# x\n`, ifDigest: "0".repeat(64) });
    expect([reply.status, refusal(reply).details?.["digest"]]).toEqual([409, (await state()).digest]);
  });

  it("that changes what is served reloads it, and says so before", async () => {
    const before = readFileSync(file(), "utf8");
    const text = `${before}\nparameters { key: "intra_op_thread_count" value { string_value: "1" } }\n`;
    const check = parse<{ change: { kind: string } }>(await server.api.post(`${path}/check`, { text }));
    expect(check.change.kind).toBe("reload");
    const pid = await server.api.runnerPid("edited");
    parse(await apply(text));
    expect(await server.api.runnerPid("edited")).not.toBe(pid);
    expect(await ask(server.api, "edited")).toBe(1);
  });

  it("that does not load is rolled back and says why; what served goes on", async () => {
    const before = readFileSync(file(), "utf8");
    const pid = await server.api.runnerPid("edited");
    const reply = await apply(`${before}\nparameters { key: "memory_limit_bytes" value { string_value: "1000" } }\n`);
    expect(reply.status).toBe(400);
    expect(refusal(reply).details).toMatchObject({ rolledBack: true });
    expect(refusal(reply).error).toContain("The old configuration is back");
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect(await server.api.runnerPid("edited")).toBe(pid);
    expect(await ask(server.api, "edited")).toBe(1);
    expect(readdirSync(join(server.repository, ".nereid-staging/config-intents"))).toEqual([]);
  });
});

describe("the number of instances", () => {
  it("changes in place under load: same process, nothing fails, surplus threads end", async () => {
    const { api } = server;
    const path = "/nereid/v1/models/resized/config";
    const pid = await api.runnerPid("resized");
    let running = true;
    const clients = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (running) expect(await ask(api, "resized")).toBe(1);
      }),
    );
    const base = parse<ConfigView>(await api.call(path)).text.replace(/instance_group[^\n]*\n?/g, "");
    for (const count of [3, 1, 2]) {
      const text = `${base}\ninstance_group [{ count: ${count} kind: KIND_CPU }]\n`;
      const { digest } = parse<ConfigView>(await api.call(path));
      const applied = parse<{ change: { kind: string } }>(await put(api, path, { text, ifDigest: digest }));
      expect(applied.change.kind).toBe("in-place");
      expect((await api.model("resized")).versions.at(-1)?.instances).toHaveLength(count);
      expect(await api.runnerPid("resized")).toBe(pid);
    }
    running = false;
    await clients;
    expect((await api.model("resized")).versions.at(-1)?.runner?.restarts).toBe(0);
  });
});

describe("what was changed", () => {
  it("is there after a kill and a restart: pins, unloads, and a change that was cut off is undone", async () => {
    const directory = testDirectory([versioned("pinned", [1, 2]), versioned("off", [1])]);
    const args = [`--state-dir=${join(directory, "state")}`];
    const first = launchTestServer(directory, { args });
    await first.ready();
    parse(await put(first.api, "/nereid/v1/models/pinned/pin", { versions: ["1"] }));
    await first.api.unload("off");
    // What a kill between writing a configuration and its load leaves behind.
    const config = join(directory, "repository/pinned/config.pbtxt");
    const before = readFileSync(config, "utf8");
    const intents = join(directory, "repository/.nereid-staging/config-intents");
    mkdirSync(intents, { recursive: true });
    const cut = "max_batch_size: 9999999\n";
    const after = createHash("sha256").update(cut).digest("hex");
    writeFileSync(join(intents, "cut.json"), JSON.stringify({ model: "pinned", before, after }));
    writeFileSync(config, cut);
    // A kill in the middle of writing an intent.
    writeFileSync(join(intents, ".half.json.tmp"), "{");
    first.signal("SIGKILL");
    await first.exited;
    const second = launchTestServer(directory, { args });
    try {
      await second.ready();
      expect(await readyVersions(second.api, "pinned")).toEqual(["1"]);
      expect(await readyVersions(second.api, "off")).toEqual([]);
      expect(readFileSync(config, "utf8")).toBe(before);
      expect(readdirSync(intents)).toEqual([]);
      expect((await second.api.load("pinned")).status).toBe(200);
      expect(await readyVersions(second.api, "pinned")).toEqual(["1"]);
    } finally {
      await second.dispose();
    }
  });
});
