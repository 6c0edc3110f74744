import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../access/actor.ts";
import { createKey } from "../keys/api-keys.ts";
import { authenticateKey } from "../keys/authenticate-key.ts";
import { testContext } from "../testing/service-context.ts";
import { acceptInvitation, findInvitation } from "./accept-invitation.ts";
import { disableUser, enableUser, setRole } from "./change-account.ts";
import { inviteUser, listInvitations, resetPassword, revokeInvitation } from "./invitations.ts";
import { listUsers } from "./list-users.ts";
import { listSessions, revokeSession } from "./sessions.ts";

const PASSWORD = "a long enough password";

describe.each(await testDialects())("people on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase(dialect);
    await addUser("u1", "admin");
  });
  afterEach(() => test.drop());

  const addUser = (id: string, role: Role) =>
    test.db.user.create({ data: { id, name: `User ${id}`, email: `${id}@example.org`, role } });
  const addSession = (id: string, userId: string) => {
    const expiresAt = new Date("2026-12-01T00:00:00Z");
    return test.db.session.create({ data: { id, userId, token: `t${id}`, expiresAt } });
  };
  const admin = () => testContext(test.db, "admin");
  const accept = (token: string, more: object = {}) => {
    const hashPassword = async (password: string) => `hashed:${password.length}`;
    return acceptInvitation({ ctx: { ...admin(), hashPassword }, input: { token, password: PASSWORD, ...more } });
  };

  it("an invitation makes one account, once, and its token is nowhere in the database", async () => {
    const input = { email: "Bob@Example.org", name: "Bob", role: "operator" } as const;
    const old = await inviteUser({ ctx: admin(), input });
    const link = await inviteUser({ ctx: admin(), input });
    expect(link.path).toBe(`/accept?token=${link.token}`);
    await expect(accept(old.token)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await listInvitations({ ctx: admin() })).toMatchObject([{ email: "bob@example.org", kind: "invite" }]);
    expect(await findInvitation(admin(), link.token)).toEqual({
      kind: "invite",
      email: "bob@example.org",
      name: "Bob",
    });
    const results = await Promise.allSettled([accept(link.token), accept(link.token, { name: "Robert" })]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await listUsers({ ctx: admin() })).toMatchObject([
      { role: "operator", disabled: false, sessions: 0, twoFactor: false },
      { id: "u1" },
    ]);
    const all = JSON.stringify([await test.db.invitation.findMany(), await test.db.auditEvent.findMany()]);
    for (const secret of [link.token, old.token, PASSWORD]) expect(all).not.toContain(secret);
    await expect(inviteUser({ ctx: admin(), input })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("a link that is withdrawn or too old is void", async () => {
    const link = await inviteUser({ ctx: admin(), input: { email: "c@example.org", name: "C", role: "viewer" } });
    const later = { ...admin(), clock: { now: () => link.expiresAt.getTime() } };
    expect(await findInvitation(later, link.token)).toBeNull();
    await revokeInvitation({ ctx: admin(), input: { id: link.inviteId } });
    await expect(accept(link.token)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(accept("x")).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("links end with the rights of who made them (an invitation of a disabled administrator still worked)", async () => {
    await addUser("u2", "admin");
    const second = { ...admin(), actor: { id: "u2", name: "Second", role: "admin", kind: "user" } as const };
    const invite = (email: string) => inviteUser({ ctx: second, input: { email, name: "New", role: "admin" } });
    const before = await invite("a@example.org");
    await setRole({ ctx: admin(), input: { id: "u2", role: "operator" } });
    await expect(accept(before.token)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await setRole({ ctx: admin(), input: { id: "u2", role: "admin" } });
    const again = await invite("b@example.org");
    await disableUser({ ctx: admin(), input: { id: "u2" } });
    await expect(accept(again.token)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("a reset ends half-made sign-ins and trusted devices", async () => {
    const expiresAt = new Date("2027-01-01T00:00:00Z");
    await test.db.verification.create({ data: { id: "v1", identifier: "2fa-x", value: "u1", expiresAt } });
    const link = await resetPassword({ ctx: admin(), input: { id: "u1" } });
    await accept(link.token);
    expect(await test.db.verification.count()).toBe(0);
  });

  it.each(["a\u0000b", "a\u001b[31m", "x\u202ey"])("a name like %j is refused", async (name) => {
    const input = { email: "d@example.org", name, role: "viewer" } as const;
    await expect(inviteUser({ ctx: admin(), input })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("a reset link sets the password, ends the sessions and can take the second factor away", async () => {
    await addUser("u2", "viewer");
    await addSession("s2", "u2");
    await test.db.user.update({ where: { id: "u2" }, data: { twoFactorEnabled: true } });
    await test.db.twoFactor.create({ data: { id: "f", userId: "u2", secret: "x", backupCodes: "y" } });
    const link = await resetPassword({ ctx: admin(), input: { id: "u2", removeTwoFactor: true } });
    expect(await test.db.session.count()).toBe(1);
    expect(await accept(link.token)).toEqual({ email: "u2@example.org", kind: "reset" });
    expect(await test.db.session.count()).toBe(0);
    expect(await test.db.twoFactor.count()).toBe(0);
    expect(await test.db.account.findMany()).toMatchObject([{ userId: "u2", password: `hashed:${PASSWORD.length}` }]);
  });

  it("the last administrator stays one, also when two are demoted at once", async () => {
    const last = { code: "CONFLICT", message: expect.stringContaining("last administrator") };
    await expect(setRole({ ctx: admin(), input: { id: "u1", role: "viewer" } })).rejects.toMatchObject(last);
    await addUser("u2", "admin");
    const results = await Promise.allSettled(
      ["u1", "u2"].map((id) => setRole({ ctx: admin(), input: { id, role: "viewer" } })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await test.db.user.count({ where: { role: "admin" } })).toBe(1);
  });

  it("a disabled administrator does not count, and nobody disables the own account", async () => {
    await addUser("u2", "admin");
    await expect(disableUser({ ctx: admin(), input: { id: "u1" } })).rejects.toMatchObject({ code: "CONFLICT" });
    await disableUser({ ctx: admin(), input: { id: "u2" } });
    await expect(setRole({ ctx: admin(), input: { id: "u1", role: "viewer" } })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await enableUser({ ctx: admin(), input: { id: "u2" } });
    await setRole({ ctx: admin(), input: { id: "u1", role: "viewer" } });
  });

  it("disabling ends sessions and keys", async () => {
    await addUser("u2", "operator");
    await addSession("s2", "u2");
    const ctx = { ...testContext(test.db), actor: { id: "u2", name: "Bob", role: "operator", kind: "user" } as const };
    const { secret } = await createKey({ ctx, input: { name: "CI", scopes: ["model.load"] } });
    expect(await authenticateKey(ctx, secret)).toMatchObject({ kind: "key", role: "operator", scopes: ["model.load"] });
    await disableUser({ ctx: admin(), input: { id: "u2", reason: "left" } });
    expect(await test.db.session.count()).toBe(0);
    await expect(authenticateKey(ctx, secret)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await enableUser({ ctx: admin(), input: { id: "u2" } });
    await expect(authenticateKey(ctx, secret)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await test.db.auditEvent.findFirst({ where: { action: "user.disable" } })).toMatchObject({
      reason: "left",
      after: { endedSessions: 1, revokedKeys: 1 },
    });
  });

  it("sessions are for administrators and the person itself, not for keys", async () => {
    await addUser("u2", "operator");
    await addSession("s2", "u2");
    await addSession("s1", "u1");
    const self = { ...testContext(test.db), actor: { id: "u2", name: "B", role: "operator", kind: "user" } as const };
    expect(await listSessions({ ctx: { ...self, sessionId: "s2" }, input: { id: "u2" } })).toMatchObject([
      { id: "s2", current: true },
    ]);
    await expect(listSessions({ ctx: self, input: { id: "u1" } })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const key = { ...self.actor, id: "k", kind: "key", scopes: ["model.read"], ownerId: "u2" } as const;
    const asKey = { ...self, actor: key };
    await expect(listSessions({ ctx: asKey, input: { id: "u2" } })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const other = revokeSession({ ctx: self, input: { id: "u1", sessionId: "s1" } });
    await expect(other).rejects.toMatchObject({ code: "FORBIDDEN" });
    const notOwn = revokeSession({ ctx: self, input: { id: "u2", sessionId: "s1" } });
    await expect(notOwn).rejects.toMatchObject({ code: "NOT_FOUND" });
    await revokeSession({ ctx: self, input: { id: "u2", sessionId: "s2" } });
    await revokeSession({ ctx: admin(), input: { id: "u1", sessionId: "s1" } });
    expect(await test.db.session.count()).toBe(0);
  });
});
