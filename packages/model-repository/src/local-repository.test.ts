import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LocalRepository } from "./local-repository.ts";
import type { ModelSnapshot } from "./snapshot.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "nereid-repository-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(path: string, text = ""): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), text);
}

async function read(repository: LocalRepository, name: string): Promise<ModelSnapshot> {
  const location = await repository.find(name);
  if (location?.kind !== "unique") throw new Error(`model ${name} not found`);
  return repository.read(location);
}

describe("LocalRepository", () => {
  it("reads versions, configuration and the entries of the first directory", async () => {
    await write("a/m/config.pbtxt", "max_batch_size: 4");
    await write("a/m/10/model.onnx");
    await write("a/m/2/model.onnx");
    await write("a/m/01/model.onnx");
    await write("a/m/warmup/sample");
    const snapshot = await read(new LocalRepository([join(root, "a")]), "m");
    expect(snapshot.versions.map(({ version }) => version).sort()).toEqual([10n, 2n]);
    expect(snapshot.configText).toBe("max_batch_size: 4");
    expect(snapshot.firstVersionEntries).toEqual(["model.onnx"]);
    expect(snapshot.ignored.map(({ name }) => name)).toEqual(["01"]);
  });

  it("prefers the named configuration", async () => {
    await write("a/m/config.pbtxt", "max_batch_size: 4");
    await write("a/m/configs/big.pbtxt", "max_batch_size: 64");
    const snapshot = await read(new LocalRepository([join(root, "a")], { configName: "big" }), "m");
    expect(snapshot.configText).toBe("max_batch_size: 64");
  });

  it("reports a model that stands in two repositories as ambiguous", async () => {
    await write("a/m/1/model.onnx");
    await write("b/m/1/model.onnx");
    const repository = new LocalRepository([join(root, "a"), join(root, "b")]);
    expect((await repository.list()).map(({ kind }) => kind)).toEqual(["ambiguous"]);
  });

  it("changes the fingerprint when a file is touched, added or removed", async () => {
    await write("a/m/1/model.onnx", "x");
    const repository = new LocalRepository([join(root, "a")]);
    const first = await read(repository, "m");
    expect((await read(repository, "m")).fingerprint).toBe(first.fingerprint);
    await utimes(join(root, "a/m/1/model.onnx"), 1, 1);
    const touched = await read(repository, "m");
    expect(touched.fingerprint).not.toBe(first.fingerprint);
    expect(touched.versions[0]?.fingerprint).not.toBe(first.versions[0]?.fingerprint);
    await write("a/m/labels.txt", "zero");
    expect((await read(repository, "m")).fingerprint).not.toBe(touched.fingerprint);
  });

  it.each(["..", "../x", "a/b", "", " .. ", "a\\b", ".", "x".repeat(300)])("refuses the name %j", async (name) => {
    await expect(new LocalRepository([root]).find(name)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("ignores files, hidden directories and missing roots", async () => {
    await write("a/readme.md");
    await write("a/.git/config");
    await write("a/m/1/model.onnx");
    const listed = await new LocalRepository([join(root, "a"), join(root, "missing")]).list();
    expect(listed.map(({ name }) => name)).toEqual(["m"]);
  });
});
