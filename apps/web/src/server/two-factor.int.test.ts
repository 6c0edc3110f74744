import { createHmac } from "node:crypto";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { createFirstAdmin } from "@nereid/services";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnv } from "../env.ts";
import { auditedAuth } from "./audited-sign-in.ts";
import { createAuth } from "./create-auth.ts";

const PASSWORD = "a long enough password";
const EMAIL = "ada@example.com";
const clock = { now: () => Date.now() };

/** The code of RFC 6238 that an authenticator app shows for a secret in base32. */
function totp(uri: string): string {
  const base32 = new URL(uri).searchParams.get("secret") ?? "";
  const bits = [...base32]
    .map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** A browser with its cookies. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly #handle: (request: Request) => Promise<Response>;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(handle: (request: Request) => Promise<Response>, headers: Readonly<Record<string, string>>) {
    this.#handle = handle;
    this.#headers = headers;
  }

  async post(path: string, body: unknown) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const origin = "http://127.0.0.1:3000";
    const response = await this.#handle(
      new Request(`${origin}/api/auth${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", host: "127.0.0.1:3000", origin, cookie, ...this.#headers },
        body: JSON.stringify(body),
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    // What the library answers is looked at field by field.
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }
}

describe.each(await testDialects())("the second factor on $dialect", (dialect) => {
  let test: TestDatabase;
  let browser: () => Browser;
  let auth: ReturnType<typeof createAuth>;

  beforeAll(async () => {
    test = await createTestDatabase(dialect);
    const { db, url } = test;
    const ctx = { db, clock, requestId: "r", hashPassword, via: "environment" } as const;
    await createFirstAdmin({ ctx, input: { name: "Ada", email: EMAIL, password: PASSWORD } });
    auth = createAuth({
      db,
      env: readEnv({ DATABASE_URL: url }, "/srv/nereid/apps/web"),
      clock,
      secret: "s".repeat(40),
    });
    // The library's limits are by address and outlive a suite.
    const headers = { "x-forwarded-for": dialect.dialect === "sqlite" ? "10.1.0.1" : "10.1.0.2" };
    browser = () => new Browser((request) => auditedAuth({ auth, db, clock }, request), headers);
  });
  afterAll(() => test.drop());

  const signIn = (page: Browser) => page.post("/sign-in/email", { email: EMAIL, password: PASSWORD });
  const session = (page: Browser) => {
    const cookie = [...page.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return auth.api.getSession({ headers: new Headers({ cookie }) });
  };

  it("is set up, asked for, taken back; the trail has each step and no secret", async () => {
    const first = browser();
    expect((await signIn(first)).status).toBe(200);
    const enabled = await first.post("/two-factor/enable", { password: PASSWORD });
    const uri = String(enabled.json["totpURI"]);
    expect(uri).toContain("Nereid");
    expect((await test.db.user.findFirstOrThrow()).twoFactorEnabled).toBe(false);
    expect((await first.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(200);

    const second = browser();
    expect((await signIn(second)).json).toMatchObject({ twoFactorRedirect: true });
    expect(await session(second)).toBeNull();
    expect((await second.post("/two-factor/verify-totp", { code: "000000" })).status).toBeGreaterThanOrEqual(400);
    expect((await second.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(200);
    expect((await session(second))?.user).toMatchObject({ email: EMAIL, disabled: false, twoFactorEnabled: true });

    const [code = ""] = enabled.json["backupCodes"] as string[];
    const third = browser();
    await signIn(third);
    expect((await third.post("/two-factor/verify-backup-code", { code })).status).toBe(200);
    const fourth = browser();
    await signIn(fourth);
    expect((await fourth.post("/two-factor/verify-backup-code", { code })).status).toBeGreaterThanOrEqual(400);

    expect((await second.post("/two-factor/disable", { password: PASSWORD })).status).toBe(200);
    expect((await signIn(browser())).json).not.toHaveProperty("twoFactorRedirect");

    const rows = await test.db.auditEvent.findMany({ orderBy: { seq: "asc" } });
    expect(rows.map(({ action, outcome, after }) => [action, outcome, after])).toEqual([
      ["user.create", "succeeded", { email: EMAIL, role: "admin" }],
      ["session.create", "succeeded", null],
      ["user.two-factor", "succeeded", { twoFactor: true }],
      ["session.create", "failed", expect.anything()],
      ["session.create", "succeeded", { secondFactor: "code" }],
      ["session.create", "succeeded", { secondFactor: "backup code" }],
      ["session.create", "failed", expect.anything()],
      ["user.two-factor", "succeeded", { twoFactor: false }],
      ["session.create", "succeeded", null],
    ]);
    const text = JSON.stringify(rows);
    for (const secret of [code, PASSWORD, new URL(uri).searchParams.get("secret")]) expect(text).not.toContain(secret);
  });

  it("a disabled account cannot begin a session with the right password", async () => {
    await test.db.user.updateMany({ data: { disabled: true } });
    const page = browser();
    expect(await signIn(page)).toMatchObject({ status: 403, json: { message: expect.stringContaining("disabled") } });
    expect(await session(page)).toBeNull();
    await test.db.user.updateMany({ data: { disabled: false } });
    expect((await signIn(page)).status).toBe(200);
  });

  it("a changed password is in the trail, without it", async () => {
    const page = browser();
    await signIn(page);
    const newPassword = "another long password";
    const body = { currentPassword: PASSWORD, newPassword, revokeOtherSessions: true };
    expect((await page.post("/change-password", body)).status).toBe(200);
    expect(await test.db.session.count()).toBe(1);
    const rows = await test.db.auditEvent.findMany({ where: { action: "user.password" } });
    expect(rows).toMatchObject([{ actorName: "Ada" }]);
    expect(JSON.stringify(rows)).not.toContain(newPassword);
  });
});
