import { join } from "node:path";
import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { nobody } from "./people.ts";
import { expectAccessible, inferDigit, web } from "./product.ts";
import { test } from "./signed-in.ts";

/** Address, heading, and what is there once the content is. */
const PAGES = [
  ["/", "Overview", "Server"],
  ["/models", "Models", "digits_cnn"],
  ["/models/mnist", "mnist", "Recent changes"],
  ["/models/mnist/config", "mnist", "Checked by the server"],
  ["/models/mnist/config?view=form", "mnist", "Checked by the server"],
  ["/models/digits_cnn/versions?compare=1,2", "digits_cnn", "Traffic of the last minute"],
  ["/models/nothing-here", "There is no model called nothing-here", "All models"],
  ["/deploy", "Deploy", "Drop a model here"],
  ["/rollouts", "Rollouts", "Begin a rollout"],
  ["/load-tests", "Load tests", "New load test"],
  ["/tuner", "Tuner", "Begin a search"],
  ["/tuner?new=mnist", "Tuner", "Seconds of each measurement"],
  ["/experiments", "Experiments", "Begin an experiment"],
  ["/rollouts?model=mnist&what=config", "Rollouts", "Nothing is changed yet"],
  ["/load-tests/new", "New load test", "What do you want to know?"],
  ["/audit", "Audit log", "Ada"],
  ["/audit?q=nothing-like-this", "Audit log", "No entry matches the filter"],
  ["/settings/account", "Settings", "this one"],
  ["/settings/appearance", "Settings", "Compact shows more"],
  ["/settings/general", "Settings", "rows of history are kept now"],
  ["/settings/keys", "Settings", "It may"],
  ["/settings/users", "Settings", "ada@example.com"],
] as const;

test("axe finds nothing on any page", async ({ page }) => {
  test.setTimeout(300_000);
  await inferDigit();
  for (const [path, heading, content] of PAGES) {
    await page.goto(web(path));
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByText(content).first()).toBeVisible();
    await checkLooks(page, path);
  }
});

test("axe finds nothing before the sign-in", async ({ browser }) => {
  const context = await nobody(browser);
  const page = await context.newPage();
  for (const path of ["/sign-in", "/accept?token=spent"]) {
    await page.goto(web(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await checkLooks(page, path);
  }
  await context.close();
});

test("axe finds nothing in the dialogs and menus of the frame", async ({ page }) => {
  await page.goto(web("/models"));
  await page.getByRole("button", { name: "Unload simple", exact: true }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await checkLooks(page, "the question before an unload");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Search and commands" }).click();
  await expect(page.getByRole("option", { name: "mnist: configuration" })).toBeAttached();
  await checkLooks(page, "the command palette");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await checkLooks(page, "the list of keys");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Ada" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectAccessible(page, "the user's menu");
});

test("axe finds nothing while a configuration is changed and reviewed", async ({ page }) => {
  await page.goto(web("/models/identity_fp32/config"));
  const editor = page.getByRole("textbox", { name: "Configuration of identity_fp32" });
  await expect(editor).toContainText("max_batch_size");
  await editor.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("max_batch_sise: 2\n");
  await expect(page.getByRole("button", { name: /^Go to line/ }).first()).toBeVisible();
  await checkLooks(page, "a finding");
  await page.keyboard.press("Control+z");
  await page.keyboard.insertText("# more\n");
  await expect(page.getByText("Nothing to complain about.")).toBeVisible();
  await page.getByRole("button", { name: "Review and apply" }).click();
  await expect(page.getByRole("dialog").getByText("The file now")).toBeVisible();
  await checkLooks(page, "the review");
  await page.getByRole("radio", { name: "Side by side" }).click();
  await checkLooks(page, "the review side by side");
});

test("axe finds nothing on the way of a deployment", async ({ page }) => {
  await page.goto(web("/deploy"));
  const file = join(import.meta.dirname, "..", "model_repo", "simple", "1", "model.onnx");
  await page.getByLabel("Drop a model here: files").setInputFiles(file);
  await page.getByLabel("Model name").fill("e2e_looked_at");
  await checkLooks(page, "what will be sent");
  await page.getByRole("button", { name: "Upload and check" }).click();
  await expect(page.getByText("passed", { exact: true })).toBeVisible();
  await checkLooks(page, "the report");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await checkLooks(page, "the question before a draft is discarded");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Drop a model here")).toBeVisible();
});

test("axe finds nothing in what is shown once and what has to be typed", async ({ page }) => {
  await page.goto(web("/settings/users"));
  await page.getByLabel("Name", { exact: true }).fill("Nobody");
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByRole("button", { name: "Make the link" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await checkLooks(page, "a link that is shown once");
  await page.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("button", { name: "Revoke the link of Nobody" }).click();
  await expect(page.getByRole("button", { name: "Revoke the link of Nobody" })).toBeHidden();

  await page.goto(web("/models/identity/versions"));
  await expect(page.getByRole("button", { name: "Unload version 1" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Unload version 1" }).first().click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await checkLooks(page, "the question before a version is unloaded");
});
