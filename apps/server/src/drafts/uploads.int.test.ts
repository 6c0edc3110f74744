import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Draft } from "@nereid/client";
import { stagingPaths } from "@nereid/model-repository";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hugeZip, linkTar, slipZip, zeroTar } from "./testing/bad-archives.ts";
import { DraftClient } from "./testing/draft-client.ts";
import { type DraftServer, startDraftServer } from "./testing/draft-server.ts";
import { field, message, modelOf, tensorInfo, varint } from "./testing/onnx-bytes.ts";
import { bundleDraftChild, type DraftProcess, spawnDraftServer } from "./testing/spawn-draft-server.ts";

const MODELS = fileURLToPath(new URL("../../../../model_repo/", import.meta.url));
const MiB = 1 << 20;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "nereid-uploads-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** What a draft's directory holds besides its record. */
async function leftIn(draft: string): Promise<string[]> {
  return (await readdir(join(stagingPaths(root).drafts, draft))).filter((name) => !name.includes("draft.json"));
}

/** Sends the beginning of a PATCH and cuts the connection once the server has that much. */
async function cutAfter(
  client: DraftClient,
  location: string,
  part: { from: number; bytes: Uint8Array; of: number },
): Promise<void> {
  const sending = request(client.url + location, {
    method: "PATCH",
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": part.from,
      "Content-Type": "application/offset+octet-stream",
      "Content-Length": part.of - part.from,
    },
  });
  sending.on("error", () => undefined);
  sending.write(part.bytes);
  const [draft] = (await client.call<Draft[]>("GET", "/drafts")).body;
  const received = async () =>
    (await client.call<Draft>("GET", `/drafts/${draft?.id}`)).body.uploads[0]?.receivedBytes ?? 0;
  while ((await received()) < part.from + part.bytes.byteLength) await new Promise((resolve) => setTimeout(resolve, 5));
  sending.destroy();
}

describe("uploads to a draft", () => {
  let server: DraftServer;
  let client: DraftClient;

  beforeEach(async () => {
    server = await startDraftServer(root, { mostUploadBytes: 128 * MiB, extraction: { mostBytes: 256 * MiB } });
    client = new DraftClient(server.url);
  });

  afterEach(async () => {
    await server.close();
  });

  it("go on where they were cut", async () => {
    const bytes = Buffer.alloc(4 * MiB, "weights");
    const draft = await client.open();
    const begun = await client.begin(draft, { path: "a.bin", bytes: bytes.length, sha256: sha256(bytes) });
    expect(begun.location).toMatch(/^\/nereid\/v1\/uploads\/[0-9a-f]{32}$/);
    const half = bytes.length / 2;
    await cutAfter(client, begun.location, { from: 0, bytes: bytes.subarray(0, half), of: bytes.length });
    expect(await client.offset(begun.location)).toBe(half);
    expect((await client.append(begun.location, 0, bytes)).status).toBe(409);
    expect((await client.append(begun.location, half, bytes.subarray(half))).status).toBe(204);
    const { body } = await client.call<Draft>("GET", `/drafts/${draft}`);
    expect(body.uploads).toMatchObject([{ path: "a.bin", receivedBytes: bytes.length, sha256: sha256(bytes) }]);
  });

  it("are dropped when they hash to something else", async () => {
    const draft = await client.open();
    const begun = await client.begin(draft, { path: "a.bin", bytes: 3, sha256: sha256(Buffer.from("abd")) });
    const done = await client.append(begun.location, 0, Buffer.from("abc"));
    expect(done).toMatchObject({
      status: 400,
      body: { code: "INVALID_ARGUMENT", error: expect.stringMatching(/arrived damaged/) },
    });
    expect((await client.call<Draft>("GET", `/drafts/${draft}`)).body.uploads).toEqual([]);
    expect(await readdir(join(stagingPaths(root).drafts, draft, "uploads"))).toEqual([]);
    await client.upload(draft, "a.bin", Buffer.from("abc"));
  });

  it("refuse a second upload of the same path, bad paths, sizes and drafts", async () => {
    const draft = await client.open();
    const file = { path: "a.bin", bytes: 3 };
    const begun = await Promise.all([client.begin(draft, file), client.begin(draft, file)]);
    expect(begun.map(({ status }) => status).sort()).toEqual([201, 409]);
    for (const path of ["../a", "/a", "a\\b", "", "C:/a"])
      expect((await client.begin(draft, { path, bytes: 1 })).status).toBe(400);
    expect((await client.begin("nope", file)).status).toBe(404);
    expect((await client.begin(draft, { path: "b", bytes: 129 * MiB })).status).toBe(413);
    expect((await client.begin(draft, { path: "b", bytes: 1, sha256: "x" })).status).toBe(400);
    expect((await client.tus("POST", "/nereid/v1/uploads", { "Upload-Defer-Length": "1" })).status).toBe(501);
    const [first] = begun.filter(({ status }) => status === 201);
    expect((await client.append(first?.location ?? "", 0, Buffer.alloc(10))).status).toBe(413);
    expect((await client.call("POST", `/drafts/${draft}/check`)).body["error"]).toMatch(
      /still uploading: 0 of 3 bytes/,
    );
    expect((await client.tus("DELETE", first?.location ?? "")).status).toBe(204);
    expect((await client.begin(draft, file)).status).toBe(201);
  });

  it("say what is missing when the disk has no room", async () => {
    await server.close();
    server = await startDraftServer(root, { mostUploadBytes: Number.MAX_SAFE_INTEGER });
    client = new DraftClient(server.url);
    const begun = await client.begin(await client.open(), { path: "a", bytes: 2 ** 52 });
    expect(begun).toMatchObject({
      status: 503,
      body: { code: "UNAVAILABLE", fix: expect.stringMatching(/free at least/) },
    });
  });

  it("answer that the disk is full, and go on once it is not", async () => {
    const draft = await client.open();
    const { location } = await client.begin(draft, { path: "a.bin", bytes: 3 });
    const part = join(stagingPaths(root).drafts, draft, "uploads", `${location.split("/").at(-1)}.part`);
    await rm(part);
    await symlink("/dev/full", part);
    const full = await client.append(location, 0, Buffer.from("abc"));
    expect(full).toMatchObject({
      status: 503,
      body: { code: "UNAVAILABLE", error: expect.stringMatching(/disk .* is full/) },
    });
    await rm(part);
    await writeFile(part, "");
    expect((await client.append(location, 0, Buffer.from("abc"))).status).toBe(204);
  });

  it.each([
    ["a path that leaves the archive", "x.zip", slipZip, /leaves the directory/],
    ["a link", "x.tar", linkTar, /is a symlink/],
    ["a million entries", "x.zip", hugeZip, /1000000 entries/],
    ["a bomb", "x.tar.gz", async () => gzipSync(await zeroTar(200 * MiB)), /1000 times/],
    ["more than the limit", "x.tar", async () => zeroTar(60 * MiB, 10), /unpacks to more than|damaged/],
  ])("refuse an archive with %s", async (_name, path, bytes, text) => {
    const draft = await client.open();
    await client.upload(draft, path, await bytes());
    expect(await client.check(draft)).toMatchObject({
      state: "refused",
      problem: { message: expect.stringMatching(text) },
    });
    expect(await leftIn(draft)).toEqual(["uploads"]);
    expect(await readdir(root)).toEqual([".nereid-staging"]);
  });
});

describe("a server process", () => {
  let child: DraftProcess;
  let bundle: string;
  let client: DraftClient;

  beforeEach(async () => {
    bundle = await bundleDraftChild(root);
    await spawn();
  });

  afterEach(async () => {
    await child.kill();
  });

  async function spawn(): Promise<void> {
    child = await spawnDraftServer(bundle, root);
    client = new DraftClient(child.url);
  }

  it("may be killed at each tenth of an upload, which then goes on", async () => {
    const model = await readFile(join(MODELS, "mnist/1/model.onnx"));
    // A field that no ONNX reader knows fills it up.
    const bytes = Buffer.concat([model, field(4000, Buffer.alloc(4 * MiB, "x"))]);
    const draft = await client.open();
    const { location } = await client.begin(draft, { path: "net.onnx", bytes: bytes.length, sha256: sha256(bytes) });
    for (let tenth = 1; tenth < 10; tenth++) {
      const from = await client.offset(location);
      const to = Math.floor((bytes.length * tenth) / 10);
      await cutAfter(client, location, { from, bytes: bytes.subarray(from, to), of: bytes.length });
      await child.kill();
      await spawn();
      expect(await client.offset(location)).toBe(to);
    }
    const offset = await client.offset(location);
    expect((await client.append(location, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await client.check(draft)).toMatchObject({ state: "ready", report: { files: [{ sha256: sha256(bytes) }] } });
    await child.kill();
    await spawn();
    expect((await client.call<Draft>("GET", `/drafts/${draft}`)).body.state).toBe("ready");
    expect((await client.call("POST", `/drafts/${draft}/publish`, { load: false })).status).toBe(200);
    expect((await readFile(join(root, "net/1/model.onnx"))).equals(bytes)).toBe(true);
  });

  it("takes and checks 2 GiB without keeping them in memory", async () => {
    const weights = 2 * 1024 * MiB;
    const graph = message(field(11, tensorInfo("x", [1])), field(12, tensorInfo("y", [1])));
    const head = Buffer.concat([modelOf(graph), varint(4000 * 8 + 2), varint(weights)]);
    const rss = async () => Number(await (await fetch(`${client.url}/rss`)).text());
    const draft = await client.open();
    // Warms up what the first upload and check load and compile.
    const small = await client.open();
    await client.upload(small, "net.onnx", Buffer.concat([modelOf(graph), field(4000, Buffer.alloc(64 * MiB))]));
    await client.check(small);
    const before = await rss();
    const { location } = await client.begin(draft, { path: "net.onnx", bytes: head.length + weights });
    let most = before;
    const zeros = Buffer.alloc(64 * MiB);
    expect((await client.append(location, 0, head)).status).toBe(204);
    for (let at = 0; at < weights; at += zeros.length) {
      expect((await client.append(location, head.length + at, zeros)).status).toBe(204);
      most = Math.max(most, await rss());
    }
    expect(await client.check(draft)).toMatchObject({ state: "ready" });
    most = Math.max(most, await rss());
    console.info(`RSS ${Math.round(before / MiB)} MiB before, at most ${Math.round(most / MiB)} MiB`);
    expect(most - before).toBeLessThan(64 * MiB);
  });
});
