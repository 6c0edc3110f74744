import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../access/actor.ts";
import { testContext } from "../testing/service-context.ts";
import { createKey, listKeys, revokeKey } from "./api-keys.ts";
import { authenticateKey } from "./authenticate-key.ts";

describe.each(await testDialects())("API keys on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
    for (const [id, role] of [
      ["op", "operator"],
      ["adm", "admin"],
    ] as const) {
      await test.db.user.create({ data: { id, name: id, email: `${id}@example.org`, role } });
    }
  });
  beforeEach(() => test.db.apiKey.deleteMany());
  afterAll(() => test.drop());
  const as = (id: string, role: Role) => ({
    ...testContext(test.db, role),
    actor: { id, name: id, role, kind: "user" } as const,
  });

  it("the secret is answered once and kept nowhere", async () => {
    const ctx = as("op", "operator");
    const { key, secret } = await createKey({ ctx, input: { name: "CI", scopes: ["model.read", "model.load"] } });
    expect(secret).toMatch(/^nrd_[\w-]{43}$/);
    expect(secret.startsWith(key.prefix)).toBe(true);
    const stored = JSON.stringify([await test.db.apiKey.findMany(), await test.db.auditEvent.findMany()]);
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(await listKeys({ ctx }))).not.toContain(secret);
  });

  it("a key has no more rights than who makes it, also when that is a key", async () => {
    const ctx = as("op", "operator");
    await expect(createKey({ ctx, input: { name: "x", scopes: ["user.manage"] } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const { secret } = await createKey({ ctx, input: { name: "maker", scopes: ["key.manage", "model.read"] } });
    const byKey = { ...ctx, actor: await authenticateKey(ctx, secret) };
    await expect(createKey({ ctx: byKey, input: { name: "y", scopes: ["model.load"] } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const { key } = await createKey({ ctx: byKey, input: { name: "z", scopes: ["model.read"] } });
    expect(key.createdByName).toBe("op");
  });

  it("a key makes none that outlives it", async () => {
    const ctx = as("op", "operator");
    const expiresAt = new Date(ctx.clock.now() + 60_000);
    const input = { name: "short", scopes: ["key.manage", "model.read"], expiresAt } as const;
    const { secret } = await createKey({ ctx, input: { ...input, scopes: [...input.scopes] } });
    const byKey = { ...ctx, actor: await authenticateKey(ctx, secret) };
    await expect(createKey({ ctx: byKey, input: { name: "long", scopes: ["model.read"] } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await createKey({ ctx: byKey, input: { name: "equal", scopes: ["model.read"], expiresAt } });
  });

  it("follows its owner's role, ends when it is revoked or expires, and notes its use", async () => {
    const ctx = as("op", "operator");
    const expiresAt = new Date(ctx.clock.now() + 3_600_000);
    const { key, secret } = await createKey({ ctx, input: { name: "CI", scopes: ["model.load"], expiresAt } });
    await authenticateKey(ctx, secret);
    expect((await listKeys({ ctx }))[0]?.lastUsedAt).toEqual(new Date(ctx.clock.now()));
    await test.db.user.update({ where: { id: "op" }, data: { role: "viewer" } });
    expect(await authenticateKey(ctx, secret)).toMatchObject({ role: "viewer" });
    await test.db.user.update({ where: { id: "op" }, data: { role: "operator" } });
    const later = { ...ctx, clock: { now: () => expiresAt.getTime() } };
    for (let i = 0; i < 3; i += 1) {
      await expect(authenticateKey(later, secret)).rejects.toMatchObject({ message: "this API key has expired" });
    }
    expect(await test.db.auditEvent.count({ where: { action: "key.use", targetId: key.id } })).toBe(1);
    await revokeKey({ ctx, input: { id: key.id } });
    await expect(authenticateKey(ctx, secret)).rejects.toMatchObject({ message: "this API key was revoked" });
    await expect(authenticateKey(ctx, `${secret}x`)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("everybody sees the own keys, an administrator all", async () => {
    const operator = as("op", "operator");
    const admin = as("adm", "admin");
    const { key } = await createKey({ ctx: admin, input: { name: "A", scopes: ["user.manage"] } });
    await createKey({ ctx: operator, input: { name: "B", scopes: ["model.read"] } });
    expect((await listKeys({ ctx: operator })).map(({ name }) => name)).toEqual(["B"]);
    expect((await listKeys({ ctx: admin })).map(({ name }) => name).sort()).toEqual(["A", "B"]);
    await expect(revokeKey({ ctx: operator, input: { id: key.id } })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(listKeys({ ctx: as("v", "viewer") })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
