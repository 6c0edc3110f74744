import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { createFirstAdmin } from "@nereid/services";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readEnv } from "../env.ts";
import { auditedAuth } from "./audited-sign-in.ts";
import { createAuth } from "./create-auth.ts";

const PASSWORD = "a long enough password";
const clock = { ms: Date.parse("2026-11-21T08:00:00Z"), now: () => clock.ms };

let test: TestDatabase;
let signIn: (email: unknown, password: string, address?: string) => Promise<number>;

beforeAll(async () => {
  test = await createTestDatabase();
  const { db, url } = test;
  const ctx = { db, clock, requestId: "r", hashPassword, via: "environment" } as const;
  await createFirstAdmin({ ctx, input: { name: "Ada", email: "ada@example.com", password: PASSWORD } });
  const env = readEnv({ DATABASE_URL: url }, "/srv/nereid/apps/web");
  const auth = createAuth({ db, env, clock, secret: "s".repeat(40) });
  signIn = async (email, password, address = "10.0.0.1") => {
    const request = new Request("http://127.0.0.1:3000/api/auth/sign-in/email", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ email, password }),
    });
    return (await auditedAuth({ auth, db, clock }, request)).status;
  };
});
beforeEach(() => test.db.auditEvent.deleteMany());
afterAll(() => test.drop());

const rows = () => test.db.auditEvent.findMany({ orderBy: { at: "asc" } });

it("a sign-in that fails leaves a row with the email and never the password (it left none)", async () => {
  expect(await signIn("Ada@Example.com", "not the password")).toBe(401);
  const found = await rows();
  expect(found).toMatchObject([
    {
      action: "session.create",
      outcome: "failed",
      actorId: null,
      actorName: "ada@example.com",
      targetId: "ada@example.com",
      after: { error: "the sign-in was refused", address: "10.0.0.1" },
    },
  ]);
  expect(JSON.stringify(found)).not.toContain("not the password");
});

it("bounds what a stranger can write", async () => {
  await signIn(`${"x".repeat(5_000)}\0@example.com`, "wrong", "9".repeat(5_000));
  const [row] = await rows();
  expect(row?.actorName.length).toBe(254);
  expect(JSON.stringify(row).length).toBeLessThan(1_200);
});

it("what is no sign-in at all leaves one row a minute", async () => {
  for (let i = 0; i < 5; i += 1) expect(await signIn(`no address ${i}`, "wrong", `10.0.2.${i}`)).toBe(400);
  expect(await rows()).toHaveLength(1);
});

it("throttled sign-ins leave one row a minute", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 15; i += 1) statuses.push(await signIn("bob@example.com", "wrong", `10.0.1.${i}`));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5);
  const throttled = (await rows()).filter((row) => JSON.stringify(row.after).includes("too many tries"));
  expect(throttled).toHaveLength(1);
  expect(throttled).toMatchObject([{ actorName: "bob@example.com", outcome: "failed" }]);
});

it("a sign-in that works leaves its one row", async () => {
  expect(await signIn("ada@example.com", PASSWORD)).toBe(200);
  expect(await rows()).toMatchObject([{ outcome: "succeeded", actorName: "Ada" }]);
});
