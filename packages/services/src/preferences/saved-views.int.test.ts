import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContext } from "../testing/service-context.ts";
import { getPreferences, savePreferences } from "./preferences.ts";
import { listViews, removeView, renameView, saveView } from "./saved-views.ts";

describe.each(await testDialects())("saved views on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  afterAll(() => test.drop());

  const as = (id: string) => {
    const ctx = testContext(test.db, "viewer");
    return { ...ctx, actor: { ...ctx.actor, id } };
  };

  it("are everybody's own: kept, renamed and deleted by their owner alone", async () => {
    const [ada, bob] = [as("ada"), as("bob")];
    const view = await saveView({ ctx: ada, input: { name: " Nights ", path: "/models/a/latency?range=24h" } });
    expect(view).toMatchObject({ name: "Nights", path: "/models/a/latency?range=24h" });
    expect(await listViews({ ctx: bob })).toEqual([]);
    await expect(renameView({ ctx: bob, input: { id: view.id, name: "Mine" } })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(removeView({ ctx: bob, input: { id: view.id } })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const second = await saveView({ ctx: ada, input: { name: "Days", path: "/events" } });
    await expect(renameView({ ctx: ada, input: { id: second.id, name: "Nights" } })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await renameView({ ctx: ada, input: { id: second.id, name: "Zenith" } });
    expect((await listViews({ ctx: ada })).map(({ name }) => name)).toEqual(["Nights", "Zenith"]);
    expect(await removeView({ ctx: ada, input: { id: view.id } })).toEqual(view);
    expect((await listViews({ ctx: ada })).map(({ name }) => name)).toEqual(["Zenith"]);
    await savePreferences({ ctx: ada, input: { density: "compact" } });
    expect(await getPreferences({ ctx: ada })).toMatchObject({ density: "compact" });
    expect(await listViews({ ctx: ada })).toHaveLength(1);
  });

  it.each([
    "https://elsewhere.example",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "models",
    "/a b",
    `/${"a".repeat(2_000)}`,
  ])("%s is no address of a page", async (path) => {
    await expect(saveView({ ctx: as("eve"), input: { name: "x", path } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("there are 50 at most, also when they are saved at once, and names have 60 characters", async () => {
    const ctx = as("many");
    const saving = Array.from({ length: 52 }, (_, i) => saveView({ ctx, input: { name: `view ${i}`, path: "/" } }));
    const done = await Promise.allSettled(saving);
    expect(done.filter(({ status }) => status === "rejected")).toHaveLength(2);
    expect(await listViews({ ctx })).toHaveLength(50);
    await expect(saveView({ ctx, input: { name: "n".repeat(61), path: "/" } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});
