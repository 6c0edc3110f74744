import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LabTarget } from "@nereid/services/lab-task";
import { loadTestProgress, loadTestResult } from "@nereid/services/load-test-report";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ServedModels, serveModels } from "../perf/testing/served-models.ts";
import { type LabChild, startLab } from "./testing/lab-child.ts";

const REPOSITORY = join(import.meta.dirname, "../../../../model_repo");
const directory = mkdtempSync(join(tmpdir(), "nereid-lab-"));
let server: ServedModels;
let target: LabTarget;
beforeAll(async () => {
  cpSync(join(REPOSITORY, "identity_fp32"), join(directory, "identity_fp32"), { recursive: true });
  server = await serveModels(directory);
  target = { httpUrl: `http://${server.http}`, grpcUrl: `http://${server.grpc}`, headers: {}, nereid: true };
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const SHORT = { model: "identity_fp32", shapes: { INPUT_FP32: [16] }, duration: 2, warmUp: 1 };

async function resultOf({ ended }: LabChild) {
  const last = await ended;
  if (last?.kind !== "result") throw new Error(JSON.stringify(last));
  return loadTestResult.parse(last.value);
}

function progressOf({ told }: LabChild) {
  return told.flatMap((one) => (one.kind === "progress" ? [loadTestProgress.parse(one.value)] : []));
}

/** Processes that a process has started. */
function childrenOf(pid = 0): number[] {
  const read = (task: string) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ");
  return readdirSync(`/proc/${pid}/task`)
    .flatMap(read)
    .filter((text) => text !== "")
    .map(Number);
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it("a closed loop in two levels over gRPC: client and server count the same, and it tells how it stands", async () => {
  const lab = startLab({
    target,
    spec: {
      ...SHORT,
      protocol: "grpc",
      load: { kind: "concurrency", from: 1, to: 3, step: 2 },
      goodWithinMs: 60_000,
      thresholds: [
        { kind: "latency", percentile: 99, atMostMs: 60_000 },
        { kind: "throughput", atLeast: 1_000_000 },
      ],
    },
  });
  const { levels, holds, says } = await resultOf(lab);
  expect(levels.map(({ level, seconds, whole }) => [level, seconds, whole])).toEqual([
    [1, expect.closeTo(2, 0), true],
    [3, expect.closeTo(2, 0), true],
  ]);
  expect([holds, says]).toEqual([false, expect.stringContaining("3 in flight")]);
  for (const { client, server: own, judgements, histogram } of levels) {
    expect(client.answered).toBeGreaterThan(100);
    expect([client.failed, client.goodShare]).toEqual([0, 1]);
    expect(histogram.reduce((sum, [, , count]) => sum + count, 0)).toBe(client.answered);
    const inferences = (own?.executions ?? 0) * (own?.batchMean ?? 0);
    expect(Math.abs(inferences - client.answered)).toBeLessThan(20);
    expect(judgements.map(({ holds: one }) => one)).toEqual([true, false]);
  }
  const progress = progressOf(lab);
  expect(progress.map(({ share = 0 }) => share)).toEqual(
    progress.map(({ share = 0 }) => share).toSorted((a, b) => a - b),
  );
  expect(progress.at(-1)).toMatchObject({ share: expect.closeTo(1, 1), says: "3 in flight: 2 of 2 s" });
  expect(new Set(progress.at(-1)?.points.map(({ level }) => level))).toEqual(new Set([1, 3]));
}, 30_000);

it("an open loop, and then what came of it as it came, twice as fast, with requests of one's own", async () => {
  const rate = startLab({
    target,
    spec: { ...SHORT, load: { kind: "rate", from: 50, to: 50, distribution: "constant" }, warmUp: 0 },
  });
  const [first] = (await resultOf(rate)).levels;
  expect(first).toMatchObject({ level: 50, offered: 50 });
  expect(first?.client.answered).toBeGreaterThan(90);
  const text = JSON.stringify({ data: [{ INPUT_FP32: { content: [1, 2], shape: [2] } }] });
  const again = startLab({
    target,
    spec: { ...SHORT, shapes: {}, load: { kind: "recorded", seconds: 3, speed: 2 }, input: { kind: "json", text } },
  });
  const [second] = (await resultOf(again)).levels;
  expect(second?.client.answered).toBeGreaterThan(40);
  expect(second?.client.failed).toBe(0);
}, 30_000);

it("stopped in the middle, or left alone, it tells what it has, and nothing of it runs on", async () => {
  const hours = { ...SHORT, load: { kind: "concurrency", from: 2, to: 2 }, duration: 3_600 };
  const stopped = startLab({ target, spec: hours });
  const counts = () => progressOf(stopped).some(({ says }) => says.includes("of 3600 s"));
  await vi.waitFor(() => expect(counts()).toBe(true), { timeout: 20_000 });
  const generators = childrenOf(stopped.child.pid);
  expect(generators).toHaveLength(1);
  stopped.say({ kind: "stop" });
  expect((await resultOf(stopped)).levels).toMatchObject([{ whole: false, client: { failed: 0 } }]);
  await vi.waitFor(() => expect(generators.filter(isAlive)).toEqual([]), { timeout: 10_000 });

  const left = startLab({ target, spec: hours });
  await vi.waitFor(() => expect(progressOf(left).length).toBeGreaterThan(1), { timeout: 20_000 });
  const others = childrenOf(left.child.pid);
  left.child.disconnect();
  expect(await left.ended).toBeUndefined();
  await vi.waitFor(() => expect(others.filter(isAlive)).toEqual([]), { timeout: 10_000 });
}, 60_000);

it.each([
  [{ ...SHORT, model: "none" }, /none/],
  [{ ...SHORT, shapes: {} }, /variable dimensions/],
  [{ ...SHORT, input: { kind: "json", text: '{"data":[{"OTHER":[1]}]}' } }, /^requests\.json: .*OTHER/],
])("says what is wrong, and what to do: %#", async (spec, message) => {
  const last = await startLab({ target, spec: { ...spec, load: { kind: "concurrency", from: 1, to: 1 } } }).ended;
  expect(last).toMatchObject({
    kind: "failed",
    message: expect.stringMatching(message),
    fix: expect.stringMatching(/./),
  });
});
