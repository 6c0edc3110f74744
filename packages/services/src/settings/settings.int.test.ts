import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { historyDaysOf } from "../history/history-store.ts";
import { getPreferences, savePreferences } from "../preferences/preferences.ts";
import { testContext } from "../testing/service-context.ts";
import { getRetention, saveRetention } from "./retention.ts";

const DEFAULTS = { density: "comfortable", timeZone: "browser", range: null, shortcuts: true };

describe.each(await testDialects())("settings on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  afterAll(() => test.drop());

  it("retention is for administrators to change, audited, and what the history goes by", async () => {
    const ctx = testContext(test.db, "admin");
    expect(await getRetention({ ctx })).toEqual({ historyDays: 30, chunks: 0 });
    expect(await saveRetention({ ctx, input: { historyDays: 7 } })).toMatchObject({ historyDays: 7 });
    expect(await historyDaysOf(test.db)).toBe(7);
    await expect(
      saveRetention({ ctx: testContext(test.db, "operator"), input: { historyDays: 1 } }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(saveRetention({ ctx, input: { historyDays: 0 } })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const rows = await test.db.auditEvent.findMany({
      where: { action: "settings.retention" },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ outcome }) => outcome)).toEqual(["succeeded", "failed"]);
    expect(rows[0]).toMatchObject({ before: { historyDays: "default" }, after: { historyDays: 7 } });
  });

  it("preferences are everybody's own, and a key's those of its owner", async () => {
    const ada = testContext(test.db, "viewer");
    const bob = { ...ada, actor: { ...ada.actor, id: "u2" } };
    const chosen = { density: "compact", timeZone: "Asia/Tokyo", range: "6h", shortcuts: false } as const;
    expect(await savePreferences({ ctx: ada, input: chosen })).toEqual(chosen);
    expect(await getPreferences({ ctx: ada })).toEqual(chosen);
    expect(await getPreferences({ ctx: bob })).toEqual(DEFAULTS);
    await expect(savePreferences({ ctx: ada, input: { timeZone: "Moon/Tranquility" } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    const key = { ...bob, actor: { ...bob.actor, id: "k1", kind: "key" as const, ownerId: ada.actor.id } };
    expect(await getPreferences({ ctx: key })).toEqual(chosen);
  });

  it("a kept preference that does not fit any more is as none", async () => {
    const ctx = testContext(test.db, "viewer");
    await test.db.preference.upsert({
      where: { userId_key: { userId: ctx.actor.id, key: "appearance" } },
      create: { userId: ctx.actor.id, key: "appearance", value: { density: "moon" } },
      update: { value: { density: "moon" } },
    });
    expect(await getPreferences({ ctx })).toEqual(DEFAULTS);
  });
});
