import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NereidClient } from "@nereid/client";
import type { TuningCheckpoint, TuningProgress, TuningResult, TuningSpec } from "@nereid/perf";
import { type LabTarget, toJson } from "@nereid/services/lab-task";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ServedModels, serveModels } from "../perf/testing/served-models.ts";
import { type LabChild, startLab } from "./testing/lab-child.ts";

const REPOSITORY = join(import.meta.dirname, "../../../../model_repo");
const directory = mkdtempSync(join(tmpdir(), "nereid-lab-tuning-"));
let server: ServedModels;
let client: NereidClient;
let target: LabTarget;
beforeAll(async () => {
  cpSync(join(REPOSITORY, "mnist"), join(directory, "mnist"), { recursive: true });
  server = await serveModels(directory);
  target = { httpUrl: `http://${server.http}`, grpcUrl: `http://${server.grpc}`, headers: {}, nereid: true };
  client = new NereidClient({ baseUrl: target.httpUrl });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const SPEC: TuningSpec = {
  model: "mnist",
  version: null,
  protocol: "grpc",
  load: { kind: "concurrency", levels: [1, 4] },
  requestBatches: [1],
  space: {
    instances: [1],
    maxBatchSizes: [8],
    queueDelaysUs: [0],
    preferred: [[]],
    threads: [null],
    accelerators: [null],
  },
  mode: "brute",
  objectives: [{ metric: "goodput", weight: 1 }],
  constraints: [],
  goodWithinMs: 1000,
  budget: { measurements: null, seconds: null },
  measureSeconds: 0.2,
  guard: { liveP99Ms: null, freeMemoryMb: 1, busyShare: 1 },
  shapes: {},
  seed: 1,
};

const start = (spec: TuningSpec, checkpoint: TuningCheckpoint | null = null) =>
  startLab({ kind: "tuning", model: "mnist", target, spec: toJson(spec), checkpoint: toJson(checkpoint) });

/** What it told of a kind; the task says what form it has. */
const toldBy = <T>({ told }: LabChild, kind: "progress" | "checkpoint" | "result") =>
  told.flatMap((one) => (one.kind === kind ? [one.value as unknown as T] : []));

it("tunes as a job: tells how it stands, keeps what it measured, and goes on from it", async () => {
  const lab = start(SPEC);
  expect((await lab.ended)?.kind).toBe("result");
  const [result] = toldBy<TuningResult & { says: string }>(lab, "result");
  expect(result).toMatchObject({
    ended: "complete",
    space: 4,
    measurements: 4,
    says: expect.stringContaining("4 of 4"),
  });
  expect(result?.recommended?.text).toContain("max_batch_size");
  expect(toldBy<TuningProgress>(lab, "progress").at(-1)).toMatchObject({ phase: "finishing", measurements: 4 });
  const kept = toldBy<TuningCheckpoint>(lab, "checkpoint");
  expect(kept.map(({ measured }) => measured.length)).toEqual([1, 2, 3, 4]);
  expect(await client.candidates()).toEqual([]);

  const again = start({ ...SPEC, load: { kind: "concurrency", levels: [1, 4, 8] } }, kept[3] ?? null);
  expect((await again.ended)?.kind).toBe("result");
  expect(toldBy<TuningCheckpoint>(again, "checkpoint").map(({ measured }) => measured.length)).toEqual([5, 6]);
});

it("ends with what there is when it is stopped, and leaves no candidate", async () => {
  const lab = start({ ...SPEC, measureSeconds: 30 });
  await vi.waitFor(async () => expect(await client.candidates()).toHaveLength(1), { timeout: 20_000, interval: 50 });
  lab.say({ kind: "stop" });
  await lab.ended;
  expect(toldBy<TuningResult>(lab, "result")).toEqual([expect.objectContaining({ ended: "stopped", measurements: 0 })]);
  expect(await client.candidates()).toEqual([]);
});

it("takes the load as it came to the served model, and says when too little came", async () => {
  const recorded = (seconds: number): TuningSpec => ({
    ...SPEC,
    protocol: "http",
    load: { kind: "recorded", source: { kind: "server", seconds }, levels: [1] },
  });
  const none = start(recorded(60));
  expect(await none.ended).toMatchObject({
    kind: "failed",
    code: "CONFLICT",
    fix: expect.stringContaining("send requests"),
  });
  const image = { name: "image", shape: [1, 784], datatype: "FP32", data: new Float32Array(784) } as const;
  for (let one = 0; one < 30; one++) await client.infer("mnist", { inputs: [image] });
  const lab = start(recorded(60));
  expect((await lab.ended)?.kind).toBe("result");
  const [result] = toldBy<TuningResult>(lab, "result");
  expect(result?.measurements).toBe(2);
  expect(result?.present?.measured?.throughput).toBeGreaterThan(0);
});
