import { expect, type Page } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { infer, serveCopy, type Tensor } from "./models.ts";
import { contextOf, makePerson } from "./people.ts";
import { expectAccessible, web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_pages";

const row = (length: number): Tensor => ({
  name: "INPUT_FP32",
  datatype: "FP32",
  shape: [1, length],
  data: Array.from({ length }, () => 1),
});

test.beforeAll(async () => {
  await serveCopy("identity_fp32", MODEL);
  for (const length of [2, 2, 2, 16, 64]) expect((await infer(MODEL, row(length))).status).toBe(200);
});

/** Address below the model, and what is there once the content is. */
const PAGES = [
  ["instances", "Why batches were closed"],
  ["shapes", "Suggested buckets"],
  ["logs", "Search in the lines"],
  ["memory", "Who holds what now"],
  ["graph", "Where its time goes"],
] as const;

async function open(page: Page, path: string, content: string): Promise<void> {
  await page.goto(web(`/models/${MODEL}/${path}`));
  await expect(page.getByRole("heading", { name: MODEL, level: 1 })).toBeVisible();
  await expect(page.getByText(content).or(page.getByLabel(content)).first()).toBeVisible();
}

test("each page opens by its address, fits a phone, and axe finds nothing", async ({ page }) => {
  test.setTimeout(300_000);
  for (const [path, content] of PAGES) {
    await open(page, path, content);
    await expect(page.getByRole("navigation", { name: `Pages of ${MODEL}` }).locator("[aria-current=page]")).toHaveText(
      path[0]?.toUpperCase() + path.slice(1),
    );
    await checkLooks(page, path);
  }
});

test("the number of instances is changed after a look at the difference, while it serves, and taken back", async ({
  page,
}) => {
  await open(page, "instances", "Change it");
  const count = page.getByLabel("Instances", { exact: true });
  const before = await count.inputValue();
  const wanted = String(Number(before) + 1);
  await count.fill("none");
  await expect(page.getByText("Write a whole number from 1 to 256.").first()).toBeVisible();
  await count.fill(wanted);
  await page.getByRole("button", { name: "Review the change" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/while it (serves|goes on serving)|without a reload|in place/i).first()).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Copy as" })).toBeVisible();
  await dialog.getByLabel("Reason (optional)").fill("more of it");
  await dialog.getByRole("button", { name: "Apply", exact: true }).click();
  const table = page.getByRole("region", { name: "Instances of version 1" }).getByRole("row");
  await expect(table).toHaveCount(Number(wanted) + 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(table).toHaveCount(Number(before) + 1);
  await expect(count).toHaveValue(before);
});

test("an instance is drained and resumed after a question, and one is restarted while the model stays loaded", async ({
  page,
}) => {
  await open(page, "instances", "Change it");
  const table = page.getByRole("region", { name: "Instances of version 1" });
  await table
    .getByRole("button", { name: /^Drain / })
    .first()
    .click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("It is the last instance that serves");
  await expectAccessible(page, "the question before a drain");
  await question.getByRole("button", { name: "Drain all the same" }).click();
  await expect(table.getByText(/drain/i).first()).toBeVisible();
  const waiting = infer(MODEL, row(2));
  await table.getByRole("button", { name: /^Resume / }).click();
  expect((await waiting).status).toBe(200);
  await table
    .getByRole("button", { name: /^Restart / })
    .first()
    .click();
  await question.getByRole("button", { name: "Restart all the same" }).click();
  await expect(page.getByText(/restarted|started again/i).first()).toBeVisible();
  expect((await infer(MODEL, row(2))).status).toBe(200);
});

test("other instances are tried on the requests that came, by the address", async ({ page }) => {
  for (let at = 0; at < 20; at += 1) await infer(MODEL, row(2));
  await open(page, "instances", "What if");
  await page.getByLabel("Instances to try").fill("3");
  await page.getByRole("button", { name: "Simulate" }).click();
  const answer = page.getByRole("region", { name: "Measured and simulated" });
  await expect(answer.getByRole("row", { name: /^99th percentile/ })).toContainText(/\d.*s/);
  await expect(page).toHaveURL(/tryInstances=3/);
  await page.reload();
  await expect(page.getByLabel("Instances to try")).toHaveValue("3");
  await expect(answer).toBeVisible();
  await page.getByLabel("Instances to try").fill("many");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByText(/^Not simulated: /)).toBeVisible();
});

test("shapes are listed, sorted by address, exported, looked into and pinned as warm-up", async ({ page }) => {
  await open(page, "shapes?order=first", "Suggested buckets");
  const rows = page.getByRole("region", { name: "Shapes of version 1" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("INPUT_FP32 64");
  await page.getByRole("radio", { name: "By frequency" }).click();
  await expect(rows.nth(1)).toContainText("INPUT_FP32 2");
  await expect(page).not.toHaveURL(/order=/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${MODEL}-1-shapes.csv`);
  await page.getByRole("button", { name: "Requests of INPUT_FP32 16" }).click();
  await expect(page.getByRole("dialog", { name: "Requests of INPUT_FP32 16" })).toBeVisible();
  await expect(page).toHaveURL(/requests=/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Warm up with INPUT_FP32 16" }).click();
  await expect(page.getByRole("dialog").getByText("model_warmup").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("log lines come by themselves, can be searched and filtered by the address, and stop following on scroll", async ({
  page,
}) => {
  await open(page, "logs?level=debug", "Search in the lines");
  const lines = page.getByRole("region", { name: "Log lines" });
  await expect(lines.getByText(/^loaded in/).first()).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search in the lines" }).fill("LOAD STARTED");
  await expect(lines.locator("mark").first()).toHaveText("load started");
  await expect(page).toHaveURL(/q=LOAD/);
  await page.getByRole("searchbox", { name: "Search in the lines" }).fill("nothing says this");
  await expect(page.getByText("No line matches the filter")).toBeVisible();
  await page.getByRole("button", { name: "Show everything" }).click();
  await expect(lines.getByText(/^loaded in/).first()).toBeVisible();
  // More lines than fit, each with the text of a refusal; then somebody scrolls up to read.
  const refused = { ...row(2), datatype: "INT32" };
  for (let at = 0; at < 4; at += 1) {
    await Promise.all(Array.from({ length: 10 }, () => infer(MODEL, refused)));
    await expect(lines.getByText("INVALID_ARGUMENT").first()).toBeVisible();
  }
  await page.setViewportSize({ width: 1440, height: 420 });
  await expect.poll(() => lines.evaluate((frame) => frame.scrollTop)).toBeGreaterThan(0);
  await lines.hover();
  await page.mouse.wheel(0, -4000);
  await expect(page).toHaveURL(/follow=false/);
  const fresh = page.getByRole("button", { name: /^\d+ new$/ });
  // Only some of the lines of a second are kept.
  await expect
    .poll(async () => {
      await infer(MODEL, refused);
      return fresh.isVisible();
    })
    .toBe(true);
  await fresh.click();
  await expect(page).not.toHaveURL(/follow=/);
  await page.setViewportSize({ width: 1440, height: 900 });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${MODEL}.log`);
});

test("memory tells each load, and the graph its operators and a profile", async ({ page }) => {
  await open(page, "memory", "Loads since the server started");
  await expect(
    page.getByRole("region", { name: "Memory of each load" }).getByText("still loaded").first(),
  ).toBeVisible();
  await open(page, "graph", "Operators");
  await expect(page.getByRole("rowheader", { name: "Identity" })).toBeVisible();
  await page.getByLabel("Seconds to profile").selectOption("2");
  await page.getByRole("button", { name: "Profile", exact: true }).click();
  await expect(page.getByText("Measuring for 2 s…")).toBeVisible();
  while (await page.getByText("Measuring for 2 s…").isVisible()) await infer(MODEL, row(4));
  await expect(page.getByRole("region", { name: "The costliest nodes" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Trace" })).toBeVisible();
});

test("a viewer reads every page and is told why nothing can be changed", async ({ page, browser }) => {
  const person = await makePerson(page.request, { name: "Vera", role: "viewer" });
  const context = await contextOf(browser, person);
  const theirs = await context.newPage();
  await open(theirs, "instances", "Change it");
  await expect(theirs.getByRole("button", { name: "Review the change" })).toHaveAttribute("aria-disabled", "true");
  await open(theirs, "logs", "Search in the lines");
  await theirs.goto(web("/models/nothing-here/shapes"));
  await expect(theirs.getByRole("heading", { name: "There is no model called nothing-here" })).toBeVisible();
  await context.close();
});
