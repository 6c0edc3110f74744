import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOfText } from "../files/hash-file.ts";
import { recoverStaging } from "../staging/recover-staging.ts";
import { ensureStaging, stagingPaths } from "../staging/staging-paths.ts";
import { commitVersion } from "./commit-version.ts";
import { readConfigText, writeConfig } from "./config-text.ts";
import { deleteModel, deleteVersion } from "./delete-from-repository.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "nereid-commit-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function tree(name: string, version: string, text = name): Promise<string> {
  const directory = join((await ensureStaging(root)).drafts, name, "tree", "m");
  await mkdir(join(directory, version), { recursive: true });
  await writeFile(join(directory, version, "model.onnx"), text);
  return directory;
}

describe("commitVersion()", () => {
  it("lets exactly one of two publications of a version win", async () => {
    const trees = await Promise.all(["a", "b", "c"].map((name) => tree(name, "1")));
    const outcomes = await Promise.allSettled(
      trees.map((from) => commitVersion({ root, model: "m", version: "1", tree: from, configText: undefined })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "ALREADY_EXISTS" });
    expect(await readdir(stagingPaths(root).commits)).toEqual([]);
  });

  it("never replaces a version that appears at the last moment, and keeps the tree", async () => {
    const from = await tree("a", "2");
    await mkdir(join(root, "m", "1"), { recursive: true });
    const late = async (step: string) => {
      if (step !== "rename tree") return;
      await mkdir(join(root, "m", "2"));
      await writeFile(join(root, "m", "2", "model.onnx"), "theirs");
    };
    await expect(
      commitVersion({ root, model: "m", version: "2", tree: from, configText: "name: 'm'", steps: late }),
    ).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
    expect(await readFile(join(root, "m", "2", "model.onnx"), "utf8")).toBe("theirs");
    expect(await readConfigText(join(root, "m"))).toBeNull();
    expect(await readdir(join(from, "2"))).toEqual(["model.onnx"]);
  });

  it("answers CONFLICT with the digest when the configuration changed", async () => {
    const from = await tree("a", "2");
    await mkdir(join(root, "m", "1"), { recursive: true });
    await writeFile(join(root, "m", "config.pbtxt"), "theirs");
    const commit = {
      root,
      model: "m",
      version: "2",
      tree: from,
      configText: "mine",
      ifConfigDigest: digestOfText("old"),
    };
    await expect(commitVersion(commit)).rejects.toMatchObject({
      code: "CONFLICT",
      details: { digest: digestOfText("theirs") },
    });
    await commitVersion({ ...commit, ifConfigDigest: digestOfText("theirs") });
    expect(await readConfigText(join(root, "m"))).toBe("mine");
  });

  it("finishes in the next publication what failed behind the deciding rename", async () => {
    await mkdir(join(root, "m", "1"), { recursive: true });
    const failing = (step: string) => {
      if (step.endsWith("config.pbtxt")) throw new Error("disk fell off");
    };
    const first = await tree("a", "2");
    const commit = { root, model: "m", version: "2", tree: first, configText: "second" };
    await expect(commitVersion({ ...commit, steps: failing })).rejects.toThrow(/disk fell off/);
    expect(await readConfigText(join(root, "m"))).toBeNull();
    await expect(commitVersion({ ...commit, tree: await tree("b", "2") })).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
    });
    expect(await readConfigText(join(root, "m"))).toBe("second");
  });

  it.each(["01", "-1", "1.0", "", "../1", "9".repeat(30)])("refuses the version %j", async (version) => {
    const commit = commitVersion({ root, model: "m", version, tree: "/nowhere", configText: undefined });
    await expect(commit).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("writeConfig()", () => {
  it("replaces and removes the text, and refuses a stale digest", async () => {
    const modelDirectory = join(root, "m");
    await mkdir(modelDirectory);
    const first = await writeConfig({ modelDirectory, text: "a", ifDigest: "" });
    expect(first).toEqual({ digest: digestOfText("a"), before: null });
    const stale = writeConfig({ modelDirectory, text: "b", ifDigest: "" });
    await expect(stale).rejects.toMatchObject({ code: "CONFLICT", details: { digest: first.digest } });
    expect(await writeConfig({ modelDirectory, text: null, ifDigest: first.digest })).toEqual({
      digest: "",
      before: "a",
    });
    expect(await readdir(modelDirectory)).toEqual([]);
  });
});

describe("deleting", () => {
  it("removes versions and models, and says when there is nothing", async () => {
    await mkdir(join(root, "m", "1"), { recursive: true });
    await deleteVersion({ root, model: "m", version: "1" });
    await expect(deleteVersion({ root, model: "m", version: "1" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await deleteModel({ root, model: "m" });
    await expect(deleteModel({ root, model: "m" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(deleteModel({ root, model: ".nereid-staging" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("recoverStaging()", () => {
  it("keeps drafts of this week and drops older ones", async () => {
    const { drafts } = await ensureStaging(root);
    await mkdir(join(drafts, "d"));
    await writeFile(join(drafts, "d", "draft.json"), "{}");
    expect((await recoverStaging(root)).droppedDrafts).toEqual([]);
    const later = Date.now() + 8 * 24 * 3_600_000;
    expect((await recoverStaging(root, { nowMs: later })).droppedDrafts).toEqual(["d"]);
  });
});
