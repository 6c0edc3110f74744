import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sha256, testContext } from "../testing/service-context.ts";
import { applyConfig } from "./apply-config.ts";
import { getConfig } from "./get-config.ts";
import { getConfigEntry, listConfigHistory } from "./list-history.ts";
import { restoreConfig } from "./restore-config.ts";

const FIRST = 'name: "resnet"\n';
const SECOND = 'name: "resnet"\nmax_batch_size: 4\n';

describe.each(await testDialects())("configuration history on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(() => test.db.configEntry.deleteMany());
  afterAll(() => test.drop());
  const history = async (ctx = testContext(test.db)) =>
    (await listConfigHistory({ ctx, input: { name: "resnet" } })).entries.map(({ source, authorName, digest }) => [
      source,
      authorName,
      digest,
    ]);

  it("keeps what was there, what is applied, and who did it and why", async () => {
    const ctx = testContext(test.db);
    const before = await getConfig({ ctx, input: { name: "resnet" } });
    const applied = await applyConfig({
      ctx,
      input: { name: "resnet", text: SECOND, ifDigest: before.digest, reason: "smaller batches" },
    });
    expect(await history()).toEqual([
      ["apply", "Ada", sha256(SECOND)],
      ["found", "changed on disk", sha256(FIRST)],
    ]);
    expect(await getConfigEntry({ ctx, input: { name: "resnet", id: applied.historyId } })).toMatchObject({
      text: SECOND,
      reason: "smaller batches",
    });
    expect((await getConfig({ ctx, input: { name: "resnet" } })).historyId).toBe(applied.historyId);
    const [row] = await test.db.auditEvent.findMany({ where: { action: "config.apply" } });
    expect(row).toMatchObject({ outcome: "succeeded", reason: "smaller batches", after: { digest: sha256(SECOND) } });
  });

  it("a file that somebody else has changed is kept before it is replaced", async () => {
    const ctx = testContext(test.db);
    await getConfig({ ctx, input: { name: "resnet" } });
    ctx.node.writeConfig("# by hand\n");
    await applyConfig({ ctx, input: { name: "resnet", text: SECOND, ifDigest: sha256("# by hand\n") } });
    expect((await history()).map(([source]) => source)).toEqual(["apply", "found", "found"]);
  });

  it("restores an earlier text as a new entry", async () => {
    const ctx = testContext(test.db);
    const { historyId } = await getConfig({ ctx, input: { name: "resnet" } });
    await applyConfig({ ctx, input: { name: "resnet", text: SECOND, ifDigest: sha256(FIRST) } });
    const input = { name: "resnet", id: historyId ?? "", ifDigest: sha256(SECOND) };
    await restoreConfig({ ctx, input });
    const { entries } = await listConfigHistory({ ctx, input: { name: "resnet", limit: 1 } });
    expect(entries).toMatchObject([{ source: "restore", restoredFrom: historyId, digest: sha256(FIRST) }]);
    await expect(restoreConfig({ ctx, input: { ...input, name: "other" } })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("what is refused adds nothing and is audited", async () => {
    const ctx = testContext(test.db);
    const conflict = applyConfig({ ctx, input: { name: "resnet", text: SECOND, ifDigest: sha256("old") } });
    await expect(conflict).rejects.toMatchObject({ code: "CONFLICT", details: { digest: sha256(FIRST) } });
    const bad = applyConfig({ ctx, input: { name: "resnet", text: "bad", ifDigest: sha256(FIRST) } });
    await expect(bad).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((await history()).map(([source]) => source)).toEqual(["found"]);
    expect(await test.db.auditEvent.count({ where: { action: "config.apply", outcome: "failed" } })).toBe(2);
  });

  it("two looks at once find a change once, and pages do not repeat", async () => {
    const ctx = testContext(test.db);
    await Promise.all(Array.from({ length: 5 }, () => getConfig({ ctx, input: { name: "resnet" } })));
    expect(await history()).toHaveLength(1);
    for (const text of ["a", "b", "c"]) {
      const { digest } = await ctx.node.modelConfigState("resnet");
      await applyConfig({ ctx, input: { name: "resnet", text, ifDigest: digest } });
    }
    const first = await listConfigHistory({ ctx, input: { name: "resnet", limit: 2 } });
    const second = await listConfigHistory({
      ctx,
      input: { name: "resnet", limit: 2, cursor: first.nextCursor ?? "" },
    });
    expect([...first.entries, ...second.entries].map(({ digest }) => digest)).toEqual(
      ["c", "b", "a", FIRST].map(sha256),
    );
    expect(second.nextCursor).toBeNull();
  });
});
