import { expect } from "@playwright/test";
import { inferDigit, server, web } from "./product.ts";
import { test } from "./signed-in.ts";

test.beforeEach(async ({ page }) => {
  await page.goto(web("/models"));
  await expect(page.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();
});

test("an operator unloads a model, loads it again, and both are in the audit log", async ({ page }) => {
  const row = page.getByRole("row", { name: /mnist/ });
  await expect(row.getByText("Ready")).toBeVisible();

  await row.getByRole("button", { name: "Unload mnist" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unload" }).click();
  await expect(row.getByText("Not loaded")).toBeVisible();
  expect((await inferDigit()).status).toBe(404);

  await row.getByRole("button", { name: "Load mnist" }).click();
  await expect(row.getByText("Ready")).toBeVisible();
  expect((await inferDigit()).status).toBe(200);

  await page.getByRole("link", { name: "Audit log" }).first().click();
  await expect(page.getByRole("heading", { name: "Audit log" })).toBeVisible();
  const log = page.getByRole("table").first();
  await expect(log.getByText("mnist").first()).toBeVisible();
  await expect(log.getByText("Ada").first()).toBeVisible();
});

test("the live chart moves when requests come in", async ({ page }) => {
  await page.goto(web("/models/mnist?range=1m"));
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "View data" }).click();
  const table = page.getByRole("region", { name: "Latency by second" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  const seconds = async () =>
    (await table.getByRole("row").allInnerTexts()).slice(1).map((row) => {
      const cells = row.split("\t");
      return { clock: cells[0] ?? "", requests: Number(cells.at(-3) ?? 0) || 0 };
    });
  const before = (await seconds())[0]?.clock ?? "";
  for (let count = 0; count < 300; count++) expect((await inferDigit()).status).toBe(200);
  const counted = async () =>
    (await seconds()).filter(({ clock }) => clock > before).reduce((sum, { requests }) => sum + requests, 0);
  await expect.poll(counted).toBeGreaterThanOrEqual(300);
  await expect(table.getByText(/ms/).first()).toBeVisible();

  await page.getByRole("button", { name: "View chart" }).click();
  await expect(page.locator(".recharts-area-curve, .recharts-line-curve").first()).toBeAttached();
});

test("a load that fails says why, and what was serving goes on", async ({ page }) => {
  const failed = await fetch(server("/v2/repository/models/simple/load"), {
    method: "POST",
    body: JSON.stringify({ parameters: { config: JSON.stringify({ backend: "onnxruntime", max_batch_size: -1 }) } }),
  });
  expect(failed.status).toBe(400);
  await page.goto(web("/models/simple"));
  await expect(page.getByText(/max_batch_size/).first()).toBeVisible();
  expect((await fetch(server("/v2/models/simple/ready"))).status).toBe(200);
  await fetch(server("/v2/repository/models/simple/load"), { method: "POST" });
});

test("the filter is in the address and survives a reload", async ({ page }) => {
  await page.getByLabel("Filter by name, backend or state").fill("mnist");
  await expect(page.getByRole("row", { name: /simple/ })).toBeHidden();
  await expect(page).toHaveURL(/mnist/);
  await page.reload();
  await expect(page.getByRole("row", { name: /mnist/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /simple/ })).toBeHidden();
});

test("a model that does not exist gets a helpful dead end", async ({ page }) => {
  await page.goto(web("/models/nothing-here"));
  await expect(page.getByText(/nothing-here/).first()).toBeVisible();
  await expect(page.getByRole("link", { name: /models/i }).first()).toBeVisible();
});

test("everything on the models page can be reached and done from the keyboard", async ({ page }) => {
  await page.goto(web("/models"));
  const unload = page.getByRole("button", { name: "Unload identity", exact: true });
  await unload.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(unload).toBeFocused();
});
