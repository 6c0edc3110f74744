import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAudit } from "../audit/list-audit.ts";
import { testContext } from "../testing/service-context.ts";
import { getModel } from "./get-model.ts";
import { listModels } from "./list-models.ts";
import { loadModel } from "./load-model.ts";
import { unloadModel } from "./unload-model.ts";

describe.each(await testDialects())("model verbs on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(() => test.db.auditEvent.deleteMany());
  afterAll(() => test.drop());

  it("list by name; get has a signature once the model is loaded", async () => {
    const ctx = testContext(test.db, "viewer");
    expect((await listModels({ ctx })).map((model) => model.name)).toEqual(["broken", "resnet"]);
    expect((await getModel({ ctx, input: { name: "resnet" } })).signature).toBeNull();
    await ctx.node.loadModel("resnet");
    expect((await getModel({ ctx, input: { name: "resnet" } })).signature).toEqual({ inputs: [], outputs: [] });
  });

  it("load answers the warnings and leaves an audit row with before and after", async () => {
    const ctx = testContext(test.db);
    const { warnings } = await loadModel({ ctx, input: { name: "resnet" } });
    expect(warnings).toHaveLength(1);
    expect(await test.db.auditEvent.findMany()).toMatchObject([
      {
        at: new Date("2026-11-21T08:00:00Z"),
        actorId: "u1",
        actorName: "Ada",
        action: "model.load",
        targetType: "model",
        targetId: "resnet",
        outcome: "succeeded",
        before: { "1": "UNAVAILABLE" },
        after: { "1": "READY" },
        requestId: "req-1",
      },
    ]);
  });

  it("a load that fails is audited as failed, with the node's words", async () => {
    const ctx = testContext(test.db);
    await expect(loadModel({ ctx, input: { name: "broken" } })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await test.db.auditEvent.findMany()).toMatchObject([
      { outcome: "failed", targetId: "broken", after: { error: "failed to load 'broken': no model.onnx" } },
    ]);
  });

  it("a viewer changes nothing; refusals are audited, each kind once a minute (they left no row)", async () => {
    const ctx = testContext(test.db, "viewer");
    const forbidden = { code: "FORBIDDEN" };
    for (const name of ["resnet", "broken"]) {
      await expect(loadModel({ ctx, input: { name } })).rejects.toMatchObject(forbidden);
      await expect(unloadModel({ ctx, input: { name } })).rejects.toMatchObject(forbidden);
    }
    const refused = { actorId: "u1", targetId: "resnet", outcome: "failed", after: forbidden };
    expect(await test.db.auditEvent.findMany({ orderBy: { action: "asc" } })).toMatchObject([
      { ...refused, action: "model.load" },
      { ...refused, action: "model.unload" },
    ]);
    const later = { ...ctx, clock: { now: () => ctx.clock.now() + 60_000 } };
    await expect(loadModel({ ctx: later, input: { name: "resnet" } })).rejects.toMatchObject(forbidden);
    expect(await test.db.auditEvent.count()).toBe(3);
  });

  it("an unload after which the model is still served fails (it was reported as a success)", async () => {
    const ctx = testContext(test.db);
    await ctx.node.loadModel("stuck");
    await expect(unloadModel({ ctx, input: { name: "stuck" } })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "the server accepted to unload 'stuck', but still serves version 1",
    });
    expect(await test.db.auditEvent.findMany()).toMatchObject([
      { outcome: "failed", before: { "1": "READY" }, after: { "1": "READY", code: "CONFLICT" } },
    ]);
  });

  it.each(["", "../etc", "a/b", "..", "\ud800"])("refuses %j as a model name", async (name) => {
    await expect(loadModel({ ctx: testContext(test.db), input: { name } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("the audit trail pages newest first without repeating, also within one instant", async () => {
    const ctx = testContext(test.db);
    for (let i = 0; i < 5; i += 1) await unloadModel({ ctx, input: { name: `m${i}` } });
    const first = await listAudit({ ctx, input: { limit: 3 } });
    const second = await listAudit({ ctx, input: { limit: 3, cursor: first.nextCursor ?? "" } });
    expect([first.events.length, second.events.length, second.nextCursor]).toEqual([3, 2, null]);
    expect(new Set([...first.events, ...second.events].map((event) => event.id)).size).toBe(5);
    const one = await listAudit({ ctx, input: { targetType: "model", targetId: "m2" } });
    expect(one.events.map((event) => event.targetId)).toEqual(["m2"]);
  });
});
