import { expect, test } from "@playwright/test";
import { admin, adminState, expectAccessible, web } from "./product.ts";

test("a fresh installation sends visitors to its set-up page and offers nothing without a session", async ({
  page,
  request,
}) => {
  await page.goto(web("/models"));
  await expect(page).toHaveURL(/\/setup/);
  await expectAccessible(page);
  const answer = await request.get(web("/api/trpc/models.list?batch=1&input=%7B%7D"));
  expect(answer.status()).toBe(401);
});

test("the printed link makes the first administrator, and only once", async ({ page }) => {
  const link = process.env["E2E_SETUP_URL"] ?? "";
  await page.goto(link);
  await expectAccessible(page);
  await page.getByLabel("Your name").fill(admin.name);
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByLabel("Password again").fill(admin.password);
  await page.getByRole("button", { name: "Create administrator" }).click();
  await expect(page.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("button", { name: "Create administrator" })).toBeHidden();
});

test("a wrong password is refused with a sentence and the form stays usable", async ({ page }) => {
  await page.goto(web("/sign-in"));
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(/password/i).first()).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  // All other specs go on from this session.
  await page.context().storageState({ path: adminState() });
});

test("who was on the way to a page gets there after signing in", async ({ page }) => {
  await page.goto(web("/models?q=mnist"));
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();
  await expect(page.getByRole("row", { name: /mnist/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /simple/ })).toBeHidden();
});
