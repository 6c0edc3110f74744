import { expect, type Page } from "@playwright/test";
import { infer, serveCopy, type Tensor } from "./models.ts";
import { contextOf, makePerson } from "./people.ts";
import { admin, web } from "./product.ts";
import { test } from "./signed-in.ts";

const ROW: Tensor = { name: "INPUT_FP32", datatype: "FP32", shape: [1, 2], data: [1, 2] };

const configured = (more: string) => `backend: "onnxruntime"
max_batch_size: 64
input [ { name: "INPUT_FP32" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT_FP32" data_type: TYPE_FP32 dims: [ -1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
dynamic_batching { }
${more}`;

/** Opens the editor of a model; resolves when the text is there. */
async function openEditor(page: Page, model: string): Promise<void> {
  await page.goto(web(`/models/${model}/config`));
  await expect(editor(page, model)).toContainText("max_batch_size");
}

function editor(page: Page, model: string) {
  return page.getByRole("textbox", { name: `Configuration of ${model}` });
}

/** Replaces the text as somebody does who pastes. */
async function write(page: Page, model: string, text: string): Promise<void> {
  await editor(page, model).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function apply(page: Page, reason: string): Promise<void> {
  await page.getByRole("button", { name: "Review and apply" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason (optional)").fill(reason);
  await dialog.getByRole("button", { name: "Apply", exact: true }).click();
}

async function fileOf(page: Page, model: string): Promise<string> {
  const answer = await page.request.get(web(`/api/v1/models/${model}/config`));
  const { text }: { readonly text: string } = await answer.json();
  return text;
}

test("mistakes are marked at their lines, corrected by their buttons, reviewed, applied with a reason and remembered", async ({
  page,
}) => {
  const model = "e2e_mistakes";
  await serveCopy("identity_fp32", model);
  await openEditor(page, model);
  await write(
    page,
    model,
    configured("").replace("max_batch_size: 64", "max_batch_sise: 32").replace("kind: KIND_CPU", 'kind: "KIND_CPU"'),
  );

  const lines = page.locator(".cm-line");
  await expect(lines.nth(1).locator(".cm-lintRange-error")).toContainText("max_batch_sise");
  await expect(lines.nth(4).locator(".cm-lintRange-error")).toContainText('"KIND_CPU"');
  const findings = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Go to line/ }) });
  const misspelt = findings.filter({ hasText: "max_batch_sise" });
  const quoted = findings.filter({ has: page.getByRole("button", { name: "Go to line 5" }) });
  await expect(misspelt.getByRole("button", { name: "Go to line 2" })).toBeVisible();
  const review = page.getByRole("button", { name: "Review and apply" });
  await expect(review).toHaveAttribute("aria-disabled", "true");

  await misspelt.getByRole("button", { name: /max_batch_size/ }).click();
  await expect(lines.nth(1)).toHaveText("max_batch_size: 32");
  await quoted.getByRole("button", { name: /KIND_CPU|quotes/ }).click();
  await expect(lines.nth(4)).toContainText("kind: KIND_CPU");
  await expect(page.getByText("Nothing to complain about.")).toBeVisible();
  await expect(page.getByText("Checked by the server")).toBeVisible();

  await expect(review).toHaveAttribute("aria-disabled", "false");
  await review.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("max_batch_size: 64")).toBeVisible();
  await expect(dialog.getByText("max_batch_size: 32")).toBeVisible();
  await expect(dialog.getByText(/Should the load fail/)).toBeVisible();
  await dialog.getByLabel("Reason (optional)").fill("smaller batches for the small machine");
  await dialog.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page.getByText(`${model} is configured`)).toBeVisible();
  await expect(page.getByText("As it is on the disk")).toBeVisible();
  expect(await fileOf(page, model)).toBe(configured("").replace("max_batch_size: 64", "max_batch_size: 32"));
  expect((await infer(model, ROW)).status).toBe(200);

  const newest = page.getByRole("listitem").filter({ has: page.getByText("The file now") });
  await expect(newest).toContainText(admin.name);
  await expect(newest).toContainText("Applied: smaller batches for the small machine");
  await newest.getByRole("button", { name: "What changed" }).click();
  await expect(page.getByRole("dialog").getByText("max_batch_size: 32")).toBeVisible();

  await page.goto(web("/audit?q=smaller%20batches"));
  const row = page.getByRole("row").filter({ hasText: "smaller batches for the small machine" });
  await expect(row).toContainText(admin.name);
  await expect(row).toContainText(model);
  await expect(row).toContainText("Done");
});

test("a configuration that cannot be loaded is taken back, the text stays, and what was serving goes on", async ({
  page,
}) => {
  const model = "e2e_rollback";
  await serveCopy("identity_fp32", model);
  await openEditor(page, model);
  const before = await fileOf(page, model);
  const impossible = 'parameters { key: "memory_limit_bytes" value { string_value: "1000" } }';
  await write(page, model, configured(impossible));
  await apply(page, "as little memory as there is");

  const failure = page.getByRole("status").filter({ hasText: "Not applied." });
  await expect(failure).toContainText("The configuration from before is back");
  await expect(failure).toContainText(
    /did not load with this configuration: .*(memory_limit_bytes|the runner process ended)/,
  );
  await expect(editor(page, model)).toContainText("memory_limit_bytes");
  await expect(page.getByText("Changed here, not applied")).toBeVisible();
  expect(await fileOf(page, model)).toBe(before);
  expect((await infer(model, ROW)).status).toBe(200);

  await page.reload();
  await expect(editor(page, model)).toContainText("memory_limit_bytes");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(editor(page, model)).not.toContainText("memory_limit_bytes");
});

test("of two who edit one configuration the second is told, puts the change on top, and both are in the file", async ({
  page,
  browser,
}) => {
  const model = "e2e_conflict";
  await serveCopy("identity_fp32", model);
  const grace = await contextOf(browser, await makePerson(page.request, { name: "Grace", role: "operator" }));
  const second = await grace.newPage();
  await openEditor(page, model);
  await openEditor(second, model);

  await write(second, model, configured("").replace("count: 1", "count: 2"));
  await second.getByRole("button", { name: "Review and apply" }).click();
  await expect(second.getByRole("dialog").getByText("The file now")).toBeVisible();

  await write(page, model, configured("").replace("max_batch_size: 64", "max_batch_size: 16"));
  await apply(page, "first");
  await expect(page.getByText(`${model} is configured`)).toBeVisible();

  await second.getByRole("dialog").getByRole("button", { name: "Apply", exact: true }).click();
  await expect(second.getByText("The file was changed while you were editing.")).toBeVisible();
  await expect(second.getByText(/By Ada, .*: first/)).toBeVisible();
  expect(await fileOf(page, model)).toContain("count: 1");
  await second.getByRole("button", { name: "Put mine on top of it" }).click();
  await expect(second.getByText("Your changes now stand on the newer file")).toBeVisible();
  await expect(second.getByText("The file was changed while you were editing.")).toBeHidden();
  await apply(second, "second");
  await expect(second.getByText(`${model} is configured`)).toBeVisible();
  expect(await fileOf(page, model)).toBe(
    configured("").replace("max_batch_size: 64", "max_batch_size: 16").replace("count: 1", "count: 2"),
  );
  await grace.close();
});
