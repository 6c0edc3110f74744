import { expect } from "@playwright/test";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

test("the palette leads to a model's configuration by the keyboard alone", async ({ page }) => {
  await page.goto(web("/"));
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await expect(palette.getByRole("option", { name: "mnist: configuration" })).toBeAttached();
  await page.keyboard.type("mnist config");
  await expect(palette.getByRole("option", { selected: true })).toHaveText("mnist: configuration");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/models\/mnist\/config$/);
  await expect(palette).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
});

test("two keys lead to a page, a question mark to the list of keys, and neither while one types", async ({ page }) => {
  await page.goto(web("/audit"));
  await expect(page.getByRole("heading", { name: "Audit log", level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(page).toHaveURL(/\/models$/);
  await expect(page.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();
  await page.keyboard.press("Shift+?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Search and commands")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();

  const filter = page.getByLabel("Filter by name, backend or state");
  await filter.focus();
  await page.keyboard.type("g d?");
  await expect(filter).toHaveValue("g d?");
  await expect(help).toBeHidden();
  await expect(page).toHaveURL(/\/models\?q=/);
});
