import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesBelow } from "../files/describe-version.ts";
import { digestOfText } from "../files/hash-file.ts";
import { LocalRepository } from "../local-repository.ts";
import { recoverStaging } from "../staging/recover-staging.ts";
import { stagingPaths } from "../staging/staging-paths.ts";
import { bundleChild } from "../testing/bundle-child.ts";
import type { CrashJob } from "../testing/crash-child.ts";

const OLD = "max_batch_size: 1\n";
const NEW = "max_batch_size: 2\n";
let scratch: string;
let child: string;
let kills = 0;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "nereid-crash-"));
  child = await bundleChild(fileURLToPath(new URL("../testing/crash-child.ts", import.meta.url)), scratch);
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
  // Every step of every action was the last of some process.
  expect(kills).toBeGreaterThanOrEqual(100);
});

interface Place {
  readonly root: string;
  readonly tree: string;
}

async function put(root: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function place(files: Record<string, string>): Promise<Place> {
  const root = await mkdtemp(join(scratch, "root-"));
  await put(root, files);
  const tree = join(stagingPaths(root).drafts, "d", "tree", "m");
  await put(tree, {
    "2/model.onnx": "two",
    "2/weights.bin": "weights",
    "labels.txt": "new labels",
    "extra/more.txt": "x",
  });
  return { root, tree };
}

/** Every visible file with its text. */
async function contents(root: string): Promise<Record<string, string>> {
  const paths = (await filesBelow(root)).filter((path) => !path.startsWith(".nereid-staging/"));
  return Object.fromEntries(
    await Promise.all(paths.sort().map(async (path) => [path, await readFile(join(root, path), "utf8")] as const)),
  );
}

function act(job: Omit<CrashJob, "version" | "model">): { killed: boolean; steps: number } {
  const ended = spawnSync(process.execPath, [child, JSON.stringify({ ...job, model: "m", version: "2" })]);
  if (ended.status !== 0 && ended.signal !== "SIGKILL") throw new Error(ended.stderr.toString());
  if (ended.signal === "SIGKILL") kills += 1;
  return { killed: ended.signal === "SIGKILL", steps: Number(ended.stdout.toString()) };
}

interface Scenario {
  readonly action: CrashJob["action"];
  readonly before: Record<string, string>;
  readonly text: string;
  readonly after: Record<string, string>;
}

const EXISTING = { "m/1/model.onnx": "one", "m/config.pbtxt": OLD, "m/labels.txt": "old labels" };
const ADDED = {
  "m/2/model.onnx": "two",
  "m/2/weights.bin": "weights",
  "m/config.pbtxt": NEW,
  "m/labels.txt": "new labels",
  "m/extra/more.txt": "x",
};
const SCENARIOS: Record<string, Scenario> = {
  "publishing a new model": { action: "commit", before: {}, text: NEW, after: ADDED },
  "publishing a version with its configuration": {
    action: "commit",
    before: EXISTING,
    text: NEW,
    after: { ...EXISTING, ...ADDED },
  },
  "applying a configuration": {
    action: "config",
    before: EXISTING,
    text: NEW,
    after: { ...EXISTING, "m/config.pbtxt": NEW },
  },
  "deleting a version": {
    action: "delete-version",
    before: { ...EXISTING, ...ADDED },
    text: "",
    after: { "m/1/model.onnx": "one", "m/config.pbtxt": NEW, "m/labels.txt": "new labels", "m/extra/more.txt": "x" },
  },
  "deleting a model": { action: "delete-model", before: EXISTING, text: "", after: {} },
};

describe.each(Object.entries(SCENARIOS))("%s, killed at any step", (_name, scenario) => {
  const ifDigest = "m/config.pbtxt" in scenario.before ? digestOfText(OLD) : "";
  const job = ({ root, tree }: Place, dieAt: number) =>
    act({ action: scenario.action, root, tree, text: scenario.text, ifDigest, dieAt });

  it("leaves the old or the new state, and nothing else, after recovery", async () => {
    const whole = await place(scenario.before);
    const { steps } = job(whole, 0);
    expect(await contents(whole.root)).toEqual(scenario.after);
    for (let step = 1; step <= steps; step++) {
      const killed = await place(scenario.before);
      expect(job(killed, step).killed).toBe(true);
      await recoverStaging(killed.root);
      await check(killed, scenario);
      await rm(killed.root, { recursive: true });
    }
  });

  it("does so too when recovery is killed at any of its steps", async () => {
    const { steps } = job(await place(scenario.before), 0);
    for (let step = 1; step <= steps; step++) {
      for (let recoveryStep = 1; ; recoveryStep++) {
        const killed = await place(scenario.before);
        job(killed, step);
        const recovery = act({ action: "recover", ...killed, text: "", ifDigest: "", dieAt: recoveryStep });
        await recoverStaging(killed.root);
        await check(killed, scenario);
        await rm(killed.root, { recursive: true });
        if (!recovery.killed) break;
      }
    }
  });
});

async function check({ root, tree }: Place, { action, before, after }: Scenario): Promise<void> {
  const now = await contents(root);
  const isNew = JSON.stringify(now) === JSON.stringify(sorted(after));
  expect(now).toEqual(isNew ? sorted(after) : sorted(before));
  const names = (await new LocalRepository([root]).list()).map(({ name }) => name);
  expect(names).toEqual(Object.keys(now).length === 0 ? [] : ["m"]);
  const { commits, trash } = stagingPaths(root);
  expect(await readdir(commits).catch(() => [])).toEqual([]);
  expect(await readdir(trash).catch(() => [])).toEqual([]);
  // What was not published can be published again.
  if (action === "commit" && !isNew) expect(await readdir(join(tree, "2"))).toHaveLength(2);
}

function sorted(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}
