import { createHmac } from "node:crypto";
import { expect } from "@playwright/test";
import { contextOf, makePerson } from "./people.ts";
import { signIn, web } from "./product.ts";
import { test } from "./signed-in.ts";

const STEP_MS = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code an authenticator app shows (RFC 6238, SHA-1, six digits). */
function codeAt(secret: string, atMs: number): string {
  const bits = Array.from(secret.replace(/[\s=]/g, "").toUpperCase(), (letter) =>
    BASE32.indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("a second factor is set up, asked for, and wrong codes are refused", async ({ page, browser }) => {
  const person = await makePerson(page.request, { name: "Tess", role: "operator" });
  const context = await contextOf(browser, person);
  const own = await context.newPage();
  await own.goto(web("/settings/account"));
  await own.getByLabel("Your password").fill(person.password);
  await own.getByRole("button", { name: "Set it up" }).click();
  await expect(own.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  const secret = await own.locator("code").first().innerText();
  await own.getByLabel("Code from the app").fill(codeAt(secret, Date.now()));
  await own.getByRole("button", { name: "Turn it on" }).click();
  await expect(own.getByText("The second factor is on")).toBeVisible();
  await expect(own.getByText("on", { exact: true })).toBeVisible();

  await own.getByRole("button", { name: person.name }).click();
  await own.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(own).toHaveURL(/\/sign-in/);
  await own.getByLabel("Email").fill(person.email);
  await own.getByLabel("Password").fill(person.password);
  await own.getByRole("button", { name: "Sign in" }).click();
  const code = own.getByLabel("Code of your authenticator app");
  await expect(code).toBeFocused();
  expect((await context.request.get(web("/api/v1/me"))).status()).toBe(401);
  await code.fill("000000" === codeAt(secret, Date.now()) ? "111111" : "000000");
  await own.getByRole("button", { name: "Sign in" }).click();
  await expect(own.getByText("The code is not right.")).toBeVisible();
  expect((await context.request.get(web("/api/v1/me"))).status()).toBe(401);
  await code.fill(codeAt(secret, Date.now()));
  await own.getByRole("button", { name: "Sign in" }).click();
  await expect(own.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();

  await page.goto(web("/settings/users"));
  await expect(page.getByRole("row").filter({ hasText: person.email }).getByText("on", { exact: true })).toBeVisible();
  await context.close();
});

test("a password is changed: the old one is refused, the new one signs in", async ({ page, browser }) => {
  const person = await makePerson(page.request, { name: "Paul", role: "viewer" });
  const context = await contextOf(browser, person);
  const own = await context.newPage();
  await own.goto(web("/settings/account"));
  await own.getByLabel("Present password").fill(person.password);
  await own.getByLabel("New password").fill("another password for Paul");
  await own.getByRole("button", { name: "Change the password" }).click();
  await expect(own.getByText("The password is changed")).toBeVisible();
  await context.clearCookies();
  const old = await context.request.post(web("/api/auth/sign-in/email"), {
    data: { email: person.email, password: person.password },
  });
  expect(old.status()).toBe(401);
  await signIn(own, { ...person, password: "another password for Paul" });
  await context.close();
});

test("a key that was made here works for what it may, and for nothing after it is revoked", async ({ page }) => {
  const name = `key ${Date.now().toString(36)}`;
  await page.goto(web("/settings/keys"));
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Make the key" }).click();
  const dialog = page.getByRole("dialog");
  const secret = await dialog.getByText(/^nrd_/).innerText();
  await dialog.getByRole("button", { name: "I have kept it" }).click();

  const headers = { authorization: `Bearer ${secret}` };
  const read = await fetch(web("/api/v1/models"), { headers });
  expect(read.status).toBe(200);
  expect(JSON.stringify(await read.json())).toContain("mnist");
  const change = await fetch(web("/api/v1/models/mnist/unload"), { method: "POST", headers });
  expect(change.status).toBe(403);
  expect(await change.json()).toMatchObject({ code: "FORBIDDEN" });

  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("The key is revoked")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: name }).getByText("revoked")).toBeVisible();
  expect((await fetch(web("/api/v1/models"), { headers })).status).toBe(401);
});

test("density is kept with the account, and how long history is kept is checked and audited", async ({ page }) => {
  await page.goto(web("/settings/appearance"));
  await page.getByRole("radio", { name: "Compact" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  await page.goto(web("/models"));
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  await page.goto(web("/settings/appearance"));
  await page.getByRole("radio", { name: "Comfortable" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-density", "comfortable");

  await page.goto(web("/settings/general"));
  const days = page.getByLabel("Days");
  await days.fill("0");
  await expect(page.getByText("A whole number from 1 to 3650.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await days.fill("14");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Minutes are kept for 14 days")).toBeVisible();
  await page.goto(web("/audit?action=settings."));
  await expect(page.getByText("Changed how long measurements are kept").first()).toBeVisible();
});

test("on a narrow screen the links to the current page are in sight", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(web("/settings/general"));
  await expect(
    page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "General" }),
  ).toBeInViewport({
    ratio: 0.9,
  });
  const main = page.getByRole("navigation", { name: "Main" }).filter({ visible: true });
  await expect(main.getByRole("link", { name: "Settings" })).toBeInViewport({ ratio: 0.9 });
});
