import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listConfigHistory } from "../config/list-history.ts";
import { listEvents } from "../events/list-events.ts";
import { getOverview } from "../overview/get-overview.ts";
import { testContext } from "../testing/service-context.ts";
import { loadVersion, pinVersions, removeVersion } from "../versions/change-version.ts";
import { getComparison } from "../versions/get-comparison.ts";
import { listVersions } from "../versions/list-versions.ts";
import { rollback } from "../versions/rollback.ts";
import { checkDraft, discardDraft, editDraft, listDrafts, openDraft } from "./drafts.ts";
import { publishDraft } from "./publish-draft.ts";

describe.each(await testDialects())("deploying and versions on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  afterAll(() => test.drop());

  it("a published draft leaves author, reason, history, events and audit rows", async () => {
    const ctx = testContext(test.db);
    const { id } = await openDraft({ ctx, input: { model: "resnet" } });
    await editDraft({ ctx, input: { id, version: "4" } });
    await expect(publishDraft({ ctx, input: { id } })).rejects.toMatchObject({ code: "CONFLICT" });
    await checkDraft({ ctx, input: { id } });
    const published = await publishDraft({ ctx, input: { id, load: true, reason: "better accuracy" } });
    expect(published).toMatchObject({ model: "resnet", version: "4", loaded: true });
    const [row] = await listVersions({ ctx, input: { name: "resnet" } });
    expect(row).toMatchObject({ version: "4", author: "Ada", note: "better accuracy", digest: published.digest });
    const { entries } = await listConfigHistory({ ctx, input: { name: "resnet" } });
    expect(entries.map(({ source }) => source)).toEqual(["deploy", "found"]);
    const rows = await test.db.auditEvent.findMany({ orderBy: { seq: "asc" } });
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "draft.open succeeded",
      "draft.edit succeeded",
      "draft.publish failed",
      "draft.check succeeded",
      "draft.publish succeeded",
    ]);
    expect(await listEvents({ ctx, input: { model: "resnet" } })).toMatchObject([
      { kind: "deploy", version: "4", label: "Deployed version 4", actorName: "Ada" },
    ]);
    await discardDraft({ ctx, input: { id } });
    expect(await listDrafts({ ctx })).toEqual([]);
  });

  it("rolls back to the version before, and says how to take it back", async () => {
    const ctx = testContext(test.db);
    await pinVersions({ ctx, input: { name: "resnet", versions: ["3"] } });
    expect(await rollback({ ctx, input: { name: "resnet", reason: "errors" } })).toMatchObject({
      from: ["3"],
      to: "2",
      undo: ["3"],
    });
    expect((await listVersions({ ctx, input: { name: "resnet" } })).filter(({ ready }) => ready)).toMatchObject([
      { version: "2", pinned: true, servedByPolicy: null },
    ]);
    await rollback({ ctx, input: { name: "resnet", to: "1" } });
    await expect(rollback({ ctx, input: { name: "resnet" } })).rejects.toMatchObject({ code: "CONFLICT" });
    const [newest] = await listEvents({ ctx, input: { model: "resnet", limit: 1 } });
    expect(newest).toMatchObject({ kind: "rollback", version: "1", label: "Rolled back to version 1" });
  });

  it("removes a version only when it is named twice and not served", async () => {
    const ctx = testContext(test.db);
    await loadVersion({ ctx, input: { name: "resnet", version: "2" } });
    const remove = (version: string, confirm: string) =>
      removeVersion({ ctx, input: { name: "resnet", version, confirm } });
    await expect(remove("3", "resnet")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(remove("2", "resnet/2")).rejects.toMatchObject({ code: "CONFLICT" });
    await remove("3", "resnet/3");
    expect((await listVersions({ ctx, input: { name: "resnet" } })).map(({ version }) => version)).toEqual(["2", "1"]);
  });

  it("compares versions", async () => {
    const ctx = testContext(test.db);
    const comparison = await getComparison({ ctx, input: { name: "resnet", a: "1", b: "2" } });
    expect(comparison.signature.map(({ tensor, side }) => `${side} ${tensor}`)).toEqual(["output y1", "output y2"]);
    expect(comparison.files).toMatchObject([{ path: "model.onnx", changed: true }]);
    await expect(getComparison({ ctx, input: { name: "resnet", a: "1", b: "9" } })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("the overview answers also when the node does not", async () => {
    const ctx = testContext(test.db, "viewer");
    expect(await getOverview({ ctx, input: undefined })).toMatchObject({ models: { total: 2 }, server: { cores: 2 } });
    const down = {
      ...ctx.node,
      models: () => Promise.reject(new Error("down")),
      serverStatus: async () => Promise.reject(),
    };
    expect(await getOverview({ ctx: { ...ctx, node: down }, input: {} })).toMatchObject({
      health: { state: "bad" },
      server: null,
      models: { total: 0 },
    });
  });
});
