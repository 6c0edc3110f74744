import { createDatabase } from "@nereid/db";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import { createFirstAdmin } from "./create-first-admin.ts";
import { createSetupToken } from "./create-setup-token.ts";
import { redeemSetupToken } from "./redeem-setup-token.ts";
import { setupStatus } from "./setup-status.ts";

const admin = { name: "Ada", email: "Ada@Example.org", password: "correct horse battery" };

describe.each(await testDialects())("first run on $dialect", (dialect) => {
  let test: TestDatabase;
  const ctxOf = (db = test.db) => ({
    db,
    clock: systemClock,
    requestId: "setup",
    hashPassword: async (password: string) => `hashed:${password.length}`,
  });
  beforeEach(async () => {
    test = await createTestDatabase(dialect);
  });
  afterEach(() => test.drop());

  it("the token creates one administrator and is spent", async () => {
    const token = (await createSetupToken({ ctx: ctxOf(), input: {} })) ?? "";
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(await test.db.setting.findMany())).not.toContain(token);
    const { id } = await redeemSetupToken({ ctx: ctxOf(), input: { ...admin, token } });
    expect(await test.db.user.findMany()).toMatchObject([{ id, email: "ada@example.org", role: "admin" }]);
    expect(await test.db.account.findMany()).toMatchObject([{ providerId: "credential", password: "hashed:21" }]);
    expect(await test.db.auditEvent.findMany()).toMatchObject([{ action: "user.create", actorName: "setup token" }]);
    expect(await setupStatus({ ctx: ctxOf() })).toEqual({ needed: false });
    expect(await createSetupToken({ ctx: ctxOf(), input: {} })).toBeUndefined();
    await expect(redeemSetupToken({ ctx: ctxOf(), input: { ...admin, token } })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it("a wrong token creates nobody", async () => {
    await createSetupToken({ ctx: ctxOf(), input: {} });
    await expect(redeemSetupToken({ ctx: ctxOf(), input: { ...admin, token: "guess" } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await test.db.user.count()).toBe(0);
  });

  it("a token stays good over a restart that still knows it, and is replaced otherwise", async () => {
    const token = await createSetupToken({ ctx: ctxOf(), input: {} });
    expect(await createSetupToken({ ctx: ctxOf(), input: { existing: token } })).toBe(token);
    expect(await createSetupToken({ ctx: ctxOf(), input: {} })).not.toBe(token);
  });

  it("of several that race, exactly one becomes administrator", async () => {
    const clients = Array.from({ length: 4 }, () => createDatabase(test.url));
    const racers = clients.map((db, i) =>
      createFirstAdmin({ ctx: { ...ctxOf(db), via: "environment" }, input: { ...admin, email: `a${i}@example.org` } }),
    );
    const results = await Promise.allSettled(racers);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect(await test.db.user.count()).toBe(1);
    expect(await test.db.account.count()).toBe(1);
    await Promise.all(clients.map((db) => db.$disconnect()));
  });

  it.each([
    [{ ...admin, password: "short" }, /at least 12/],
    [{ ...admin, email: "ada" }, /email/],
    [{ ...admin, name: " " }, /name/],
  ])("refuses bad input %#", async (input, message) => {
    await expect(createFirstAdmin({ ctx: { ...ctxOf(), via: "environment" }, input })).rejects.toThrow(message);
  });
});
