import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { NereidError } from "@nereid/errors";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { testContext } from "../../testing/service-context.ts";
import { cancelLabJob } from "../cancel-lab-job.ts";
import { getLabJob } from "../get-lab-job.ts";
import type { Json, LabIo, LabKind, LabTask } from "../lab-task.ts";
import { listLabJobs } from "../list-lab-jobs.ts";
import { noteLabJob } from "../note-lab-job.ts";
import { type LabPlan, startLabJob } from "../start-lab-job.ts";
import { LabController } from "./lab-controller.ts";

/** A task under way in a process that does what the test says. */
interface Work {
  readonly task: LabTask;
  readonly io: LabIo;
  readonly end: (result: Json) => void;
  readonly fail: (error: unknown) => void;
}

const schema = z.object({ model: z.string() });
type Spec = z.output<typeof schema>;
const planOf = (kind: LabKind): LabPlan<Spec, Spec> => ({
  kind,
  schema,
  modelOf: ({ model }) => model,
  titleOf: ({ model }) => `${kind} of ${model}`,
  prepare: async (_ctx, spec) => spec,
});

describe.each(await testDialects())("the lab on $dialect", (dialect) => {
  let test: TestDatabase;
  const controllers: LabController[] = [];
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(async () => {
    await test.db.labJob.deleteMany();
    await test.db.lease.deleteMany();
  });
  afterEach(async () => {
    await Promise.all(controllers.splice(0).map((one) => one.stop()));
  });
  afterAll(() => test.drop());

  /** A dashboard's process, with a worker that does nothing by itself. */
  function begin(
    more: { readonly db?: TestDatabase["db"]; readonly leaseMs?: number; readonly now?: () => number } = {},
  ) {
    const works: Work[] = [];
    const controller = new LabController({
      db: more.db ?? test.db,
      clock: { now: more.now ?? (() => Date.now()) },
      holder: `holder-${controllers.length}`,
      worker: {
        run: (task, io) =>
          new Promise<Json>((resolve, reject) => {
            works.push({ task, io, end: resolve, fail: reject });
            io.signal.addEventListener("abort", () => resolve({ says: "so far" }));
          }),
      },
      targetOf: async () => ({ httpUrl: "http://127.0.0.1:1", grpcUrl: null, headers: {}, nereid: true }),
      pause: (ms, signal) => sleep(ms / 20, undefined, { signal }),
      onError: () => undefined,
      ...(more.leaseMs !== undefined && { leaseMs: more.leaseMs }),
    });
    controllers.push(controller);
    controller.start();
    const nth = (place: number) =>
      vi.waitFor(
        () => {
          const found = works[place];
          if (found === undefined) throw new Error(`only ${works.length} were begun`);
          return found;
        },
        { timeout: 10_000 },
      );
    return { controller, works, nth };
  }

  let second = 0;
  /** Each is asked for a second after the one before. */
  const start = (kind: LabKind, model = "m", ctx = testContext(test.db)) => {
    second += 1;
    const clock = { now: () => 1_000 * second };
    return startLabJob({ ctx: { ...ctx, clock }, input: { spec: { model } } }, planOf(kind));
  };
  const look = (id: string) => getLabJob({ ctx: testContext(test.db), input: { id } });
  const reach = (id: string, phase: string) =>
    vi.waitFor(
      async () => {
        const job = await look(id);
        if (job.state.kind !== phase) throw new Error(`is ${job.state.kind}: ${job.says}`);
        return job;
      },
      { timeout: 10_000 },
    );

  it("does one after the other, tells how each stands and keeps what came of it", async () => {
    const { works, nth } = begin();
    const [first, second] = [await start("load-test"), await start("tuning")];
    const { task, io, end } = await nth(0);
    expect(task).toMatchObject({ id: first.id, kind: "load-test", model: "m", spec: { model: "m" }, checkpoint: null });
    io.progress({ says: "half way", share: 0.5 });
    await vi.waitFor(async () => expect(await look(first.id)).toMatchObject({ says: "half way", share: 0.5 }));
    expect([works.length, (await look(second.id)).state.kind]).toEqual([1, "waiting"]);
    end({ says: "12 a second", figures: [1, 2] });
    expect(await reach(first.id, "succeeded")).toMatchObject({
      active: false,
      share: 1,
      says: "12 a second",
      result: { figures: [1, 2] },
      progress: { says: "half way" },
    });
    (await nth(1)).fail(new NereidError("NOT_FOUND", "no model m", { fix: "load it" }));
    expect((await reach(second.id, "failed")).state).toMatchObject({
      problem: { code: "NOT_FOUND", message: "no model m", fix: "load it" },
    });
  });

  it("stops what runs with what it has so far, and what waits at once", async () => {
    const { nth } = begin();
    const [first, second] = [await start("load-test"), await start("load-test")];
    await nth(0);
    const ctx = testContext(test.db);
    expect((await cancelLabJob({ ctx, input: { id: second.id } })).state.kind).toBe("cancelled");
    expect(await cancelLabJob({ ctx, input: { id: first.id } })).toMatchObject({ active: true, cancelAsked: true });
    expect(await reach(first.id, "cancelled")).toMatchObject({ result: { says: "so far" } });
    await expect(cancelLabJob({ ctx, input: { id: first.id } })).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(cancelLabJob({ ctx, input: { id: "none" } })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("after a restart goes on from the checkpoint, and says of a load test that it was lost", async () => {
    const before = begin();
    const tuning = await start("tuning");
    const { io } = await before.nth(0);
    io.checkpoint({ measured: 3 });
    await vi.waitFor(async () =>
      expect((await test.db.labJob.findUniqueOrThrow({ where: { id: tuning.id } })).checkpoint).toEqual({
        measured: 3,
      }),
    );
    await before.controller.stop();
    expect((await look(tuning.id)).state.kind).toBe("running");
    const after = begin();
    const again = await after.nth(0);
    expect(again.task).toMatchObject({ id: tuning.id, checkpoint: { measured: 3 } });
    again.end({ says: "done" });
    await reach(tuning.id, "succeeded");

    const load = await start("load-test");
    await after.nth(1);
    await after.controller.stop();
    begin();
    expect((await reach(load.id, "failed")).state).toMatchObject({
      problem: { message: expect.stringContaining("restarted") },
    });
  });

  it("who lost the lease writes nothing more, and what it ran is another's", async () => {
    let silent = false;
    // A process that is stopped by the machine: its calls of the database wait.
    const db = new Proxy(test.db, {
      get(target, key) {
        if (key === "lease" && silent) throw new Error("not now");
        return Reflect.get(target, key);
      },
    });
    const old = begin({ db, leaseMs: 300 });
    const tuning = await start("tuning");
    const first = await old.nth(0);
    silent = true;
    const other = begin({ leaseMs: 300 });
    const second = await other.nth(0);
    expect(second.task.id).toBe(tuning.id);
    first.io.progress({ says: "from the grave" });
    await vi.waitFor(() => expect(first.io.signal.aborted).toBe(true));
    second.end({ says: "by the second" });
    expect(await reach(tuning.id, "succeeded")).toMatchObject({ result: { says: "by the second" } });
    expect((await look(tuning.id)).progress).not.toEqual({ says: "from the grave" });
  });

  it("is for operators, lists by kind, text and page, and takes notes", async () => {
    const viewer = testContext(test.db, "viewer");
    await expect(start("load-test", "m", viewer)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const ids: string[] = [];
    for (const [kind, model] of [
      ["load-test", "mnist"],
      ["tuning", "mnist"],
      ["load-test", "digits"],
    ] as const) {
      ids.push((await start(kind, model)).id);
    }
    const list = async (input: Parameters<typeof listLabJobs>[0]["input"]) => {
      const { jobs, nextCursor } = await listLabJobs({ ctx: viewer, input });
      return { ids: jobs.map(({ id }) => id).toSorted(), nextCursor };
    };
    expect((await list({ kind: "load-test" })).ids).toEqual([ids[0], ids[2]].toSorted());
    expect((await list({ model: "mnist", phase: "waiting" })).ids).toEqual([ids[0], ids[1]].toSorted());
    await noteLabJob({ ctx: testContext(test.db), input: { id: ids[1] ?? "", note: "with the NEW driver" } });
    expect((await list({ text: "driver" })).ids).toEqual([ids[1]]);
    await expect(noteLabJob({ ctx: viewer, input: { id: ids[1] ?? "", note: "x" } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const page = await list({ limit: 2 });
    expect(page.ids).toHaveLength(2);
    const rest = await list({ limit: 2, cursor: page.nextCursor ?? "" });
    expect([...page.ids, ...rest.ids].toSorted()).toEqual(ids.toSorted());
    expect(rest.nextCursor).toBeNull();
    await expect(list({ cursor: "nobody" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((await list({ cursor: [...rest.ids].at(0) ?? "" })).nextCursor).toBeNull();
    const waiting = await listLabJobs({ ctx: viewer, input: { phase: "waiting", limit: 1 } });
    // It begins before somebody asks for the next page: the job behind it was on no page then.
    await test.db.labJob.update({ where: { id: waiting.nextCursor ?? "" }, data: { phase: "running", active: false } });
    const behind = await list({ phase: "waiting", cursor: waiting.nextCursor ?? "" });
    expect(behind.ids).toEqual(ids.filter((id) => id !== waiting.nextCursor).toSorted());
    for (let count = ids.length - 1; count < 20; count += 1) await start("load-test");
    await expect(start("load-test")).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
