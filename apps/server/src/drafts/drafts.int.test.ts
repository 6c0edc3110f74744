import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Draft, PublishedDraft } from "@nereid/client";
import { archiveVersion, LocalRepository, stagingPaths } from "@nereid/model-repository";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DraftDeps } from "./draft-deps.ts";
import { DraftClient } from "./testing/draft-client.ts";
import { type DraftServer, startDraftServer } from "./testing/draft-server.ts";
import { externalTensor, field, modelOf, tensorInfo } from "./testing/onnx-bytes.ts";

const MODELS = fileURLToPath(new URL("../../../../model_repo/", import.meta.url));
let root: string;
let server: DraftServer;
let client: DraftClient;
let mnist: Buffer;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "nereid-drafts-"));
  mnist = await readFile(join(MODELS, "mnist/1/model.onnx"));
  await start();
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

async function start(deps: Partial<DraftDeps> = {}): Promise<void> {
  server = await startDraftServer(root, deps);
  client = new DraftClient(server.url);
}

async function restart(deps: Partial<DraftDeps> = {}): Promise<void> {
  await server.close();
  await start(deps);
}

async function models(): Promise<string[]> {
  return (await new LocalRepository([root]).list()).map(({ name }) => name);
}

/** What a draft's directory holds besides its record. */
async function leftIn(draft: string): Promise<string[]> {
  return (await readdir(join(stagingPaths(root).drafts, draft))).filter((name) => !name.includes("draft.json"));
}

/** Files below a directory, without the directories. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const publish = (draft: string, load = false) =>
  client.call<PublishedDraft>("POST", `/drafts/${draft}/publish`, { load });

describe("a draft", () => {
  it("goes from a single ONNX file to a published model with a proposed configuration", async () => {
    const draft = await client.open();
    await client.upload(draft, "my digits.onnx", mnist);
    const checked = await client.check(draft);
    expect(checked).toMatchObject({ state: "ready", problem: null, author: "ada" });
    expect(checked.report).toMatchObject({
      model: "my_digits",
      version: "1",
      newModel: true,
      files: [{ path: "model.onnx", bytes: mnist.length, sha256: createHash("sha256").update(mnist).digest("hex") }],
      config: { source: "proposed", before: null, beforeDigest: "" },
      trial: { outcome: "passed" },
    });
    expect(checked.report?.config.text).toMatchInlineSnapshot(`
      "name: "my_digits"
      backend: "onnxruntime"
      max_batch_size: 8
      input [
        {
          name: "image"
          data_type: TYPE_FP32
          dims: [ 784 ]
        }
      ]
      output [
        {
          name: "probabilities"
          data_type: TYPE_FP32
          dims: [ 10 ]
        }
      ]
      dynamic_batching { }
      "
    `);
    expect(await models()).toEqual([]);
    const { status, body } = await publish(draft, true);
    expect(status).toBe(200);
    expect(body).toMatchObject({ model: "my_digits", version: "1", loaded: true, loadError: null });
    expect(await readFile(join(root, "my_digits/1/model.onnx"))).toEqual(mnist);
    expect(await readFile(join(root, "my_digits/config.pbtxt"), "utf8")).toBe(checked.report?.config.text);
    expect((await client.call<Draft>("GET", `/drafts/${draft}`)).body).toMatchObject({
      state: "published",
      uploads: [],
    });
    expect(await leftIn(draft)).toEqual(["uploads"]);
  });

  it("whose configuration names a file outside is refused, and nothing is written there", async () => {
    const draft = await client.open();
    await client.upload(draft, "m.onnx", mnist);
    const config = Buffer.from('name: "evil" default_model_filename: "../../../../../escaped.onnx"\n');
    await client.upload(draft, "config.pbtxt", config);
    expect(await client.check(draft)).toMatchObject({ state: "refused", report: null });
    expect(await readdir(root)).toEqual([".nereid-staging"]);
    expect(await filesIn(root)).not.toContain("escaped.onnx");
  });

  it("publishes a new version of a model, from an archive, and refuses what is not the checked state any more", async () => {
    await mkdir(join(root, "mnist/1"), { recursive: true });
    await writeFile(join(root, "mnist/1/model.onnx"), mnist);
    const config = await readFile(join(MODELS, "mnist/config.pbtxt"));
    await writeFile(join(root, "mnist/config.pbtxt"), config);
    const chunks: Buffer[] = [];
    for await (const chunk of archiveVersion(join(MODELS, "mnist/1"), "mnist/1")) chunks.push(chunk);
    const drafts = [await client.open(), await client.open()];
    for (const draft of drafts) {
      await client.upload(draft, "mnist.tar.gz", gzipSync(Buffer.concat(chunks)));
      const checked = await client.check(draft);
      expect(checked).toMatchObject({ state: "ready" });
      expect(checked.report).toMatchObject({
        version: "2",
        newModel: false,
        duplicateOf: "1",
        config: { source: "existing" },
      });
      expect(checked.report?.findings.map(({ code }) => code)).toEqual(["version-renumbered", "duplicate"]);
    }
    const answers = await Promise.all(drafts.map((draft) => publish(draft)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await readFile(join(root, "mnist/config.pbtxt"))).toEqual(config);
    const third = await client.open({ version: "7" });
    await client.upload(third, "net.onnx", mnist);
    await client.call("PATCH", `/drafts/${third}`, {
      model: "mnist",
      configText: 'max_batch_size: 4\nbackend: "onnxruntime"\n',
    });
    expect(await client.check(third)).toMatchObject({ state: "ready", report: { config: { source: "draft" } } });
    await writeFile(join(root, "mnist/config.pbtxt"), "# by hand\n");
    expect((await publish(third)).status).toBe(409);
    expect(await readdir(join(root, "mnist"))).not.toContain("7");
    expect(await client.check(third)).toMatchObject({ state: "ready" });
    expect((await publish(third)).status).toBe(200);
    expect(await readFile(join(root, "mnist/config.pbtxt"), "utf8")).toContain("max_batch_size: 4");
  });

  it("says what is wrong with a configuration, and goes on once it is corrected", async () => {
    const draft = await client.open({ model: "m" });
    await client.upload(
      draft,
      "m/config.pbtxt",
      Buffer.from('max_batch_size: 4\ninput { name: "x" data_type: TYPE_FP32 dims: [ 784 ] }\n'),
    );
    await client.upload(draft, "m/1/model.onnx", mnist);
    const refused = await client.check(draft);
    expect(refused).toMatchObject({ state: "refused", report: { trial: { outcome: "skipped" } } });
    expect(refused.problem?.message).toMatch(/config\.pbtxt:\d+:\d+: unexpected inference input 'x'/);
    expect((await publish(draft)).status).toBe(409);
    const patched = await client.call<Draft>("PATCH", `/drafts/${draft}`, { configText: "max_batch_size: 4\n" });
    expect(patched.body).toMatchObject({ state: "open", report: null });
    expect(await client.check(draft)).toMatchObject({ state: "ready" });
  });

  it("is refused when the model does not run, and its load may fail without taking the version back", async () => {
    const failed = {
      outcome: "failed",
      reason: "it crashed",
      loadSeconds: null,
      rssBytes: null,
      inferences: [],
    } as const;
    let outcome: "failed" | "passed" = "failed";
    await restart({
      trial: async () => ({ ...failed, outcome }),
      load: () => Promise.reject(new Error("no memory")),
    });
    const draft = await client.open();
    await client.upload(draft, "net.onnx", mnist);
    expect(await client.check(draft)).toMatchObject({
      state: "refused",
      problem: { message: expect.stringMatching(/it crashed/) },
    });
    outcome = "passed";
    expect(await client.check(draft)).toMatchObject({ state: "ready" });
    expect((await publish(draft, true)).body).toMatchObject({ loaded: false, loadError: "no memory" });
    expect(await models()).toEqual(["net"]);
  });

  it.each([
    ["a truncated archive", "m.tar.gz", (whole: Buffer) => whole.subarray(0, whole.length / 2), /truncated|damaged/],
    ["something that is no model", "net.onnx", () => Buffer.from("hello, world"), /not a valid ONNX file/],
    ["no model at all", "net.pt", () => Buffer.from("torch"), /no ONNX file/],
  ])("refuses %s and keeps nothing of it", async (_name, path, bytes, text) => {
    const chunks: Buffer[] = [];
    for await (const chunk of archiveVersion(join(MODELS, "mnist/1"), "mnist/1")) chunks.push(chunk);
    const draft = await client.open();
    await client.upload(draft, path, bytes(gzipSync(Buffer.concat(chunks))));
    const refused = await client.check(draft);
    expect(refused).toMatchObject({
      state: "refused",
      report: null,
      problem: { message: expect.stringMatching(text), fix: expect.any(String) },
    });
    expect(await leftIn(draft)).toEqual(["uploads"]);
    expect(await models()).toEqual([]);
  });

  it("wants the files of external data", async () => {
    const model = modelOf(
      field(5, externalTensor("w", "w.bin")),
      field(11, tensorInfo("x", [2])),
      field(12, tensorInfo("y", [2])),
    );
    const draft = await client.open();
    await client.upload(draft, "net.onnx", model);
    expect((await client.check(draft)).problem?.message).toMatch(/'w\.bin', which was not uploaded/);
    await client.upload(draft, "w.bin", Buffer.from("weights"));
    expect((await client.check(draft)).report?.files.map(({ path }) => path)).toEqual(["model.onnx", "w.bin"]);
  });

  it("answers unknown drafts, wrong methods and wrong bodies", async () => {
    expect((await client.call("GET", "/drafts/x")).status).toBe(404);
    expect((await client.call("PUT", "/drafts")).status).toBe(405);
    expect((await client.call("POST", "/drafts", {})).status).toBe(400);
    expect((await client.call("POST", "/drafts", { author: "a", model: "../x" })).status).toBe(400);
    expect((await client.call("POST", "/drafts", { author: "a", version: "01" })).status).toBe(400);
    const draft = await client.open();
    expect((await client.call("POST", `/drafts/${draft}/check`)).status).toBe(409);
    expect((await publish(draft)).status).toBe(409);
    expect((await client.call("DELETE", `/drafts/${draft}`)).status).toBe(204);
    expect((await client.call("GET", "/drafts")).body).toEqual([]);
    expect(await readdir(stagingPaths(root).drafts)).toEqual([]);
  });

  it("finds its state again when the server ended in the middle of a check or a publication", async () => {
    const draft = await client.open();
    const record = join(stagingPaths(root).drafts, draft, "draft.json");
    const interrupted = async (state: string): Promise<string> => {
      await writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, "utf8")), state, step: "…" }));
      await restart();
      const { body } = await client.call<Draft>("GET", `/drafts/${draft}`);
      return `${body.state}${body.step}`;
    };
    await client.upload(draft, "net.onnx", mnist);
    expect(await interrupted("checking")).toBe("open");
    expect((await client.check(draft)).state).toBe("ready");
    expect(await interrupted("publishing")).toBe("ready");
    expect((await publish(draft)).status).toBe(200);
    expect(await interrupted("publishing")).toBe("published");
    expect(await models()).toEqual(["net"]);
  });

  it("has nothing left over when the server was killed before it could tidy up", async () => {
    const directory = (draft: string) => join(stagingPaths(root).drafts, draft);
    const leave = async (draft: string, state: string) => {
      const record = join(directory(draft), "draft.json");
      await writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, "utf8")), state }));
      for (const file of ["unpacked/a", "tree/net/1/model.onnx", "uploads/lost.part", "uploads/.half.json.tmp"]) {
        await mkdir(join(directory(draft), file, ".."), { recursive: true });
        await writeFile(join(directory(draft), file), "left over");
      }
    };
    const [checking, published] = [await client.open(), await client.open()];
    await client.upload(checking, "net.onnx", mnist);
    await client.upload(published, "net.onnx", mnist);
    await leave(checking, "checking");
    await leave(published, "published");
    await restart();
    expect(await leftIn(checking)).toEqual(["uploads"]);
    expect(await readdir(join(directory(checking), "uploads"))).toHaveLength(2);
    expect(await filesIn(directory(published))).toEqual(["draft.json"]);
    expect(await client.check(checking)).toMatchObject({ state: "ready" });
  });

  it("names the fix when the repository is read-only", async () => {
    await rm(stagingPaths(root).directory, { recursive: true, force: true });
    // A file in its place refuses the directory for every user, root too.
    await writeFile(stagingPaths(root).directory, "");
    expect((await client.call("POST", "/drafts", { author: "a" })).status).toBeGreaterThanOrEqual(500);
  });
});
