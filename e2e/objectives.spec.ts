import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { contextOf, makePerson } from "./people.ts";
import { callers, serveScript, unload } from "./planted.ts";
import { expectAccessible, web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "planted_promise";
const NAME = "Fast answers";

test("an objective is set on what was measured, raises an alert, is changed, removed and brought back", async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await serveScript({
    name: MODEL,
    config: "max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 40000 }",
    work: "spin(1);",
  });
  await callers(MODEL, { count: 4, enough: 400 });

  await page.goto(web(`/settings/slos?model=${MODEL}`));
  await page.getByLabel("Name", { exact: true }).fill(NAME);
  await page.getByLabel("Answered within (ms)").fill("5");
  // Almost none: one that comes late to a batch which has waited already is soon answered.
  await expect(page.getByText(/(^|[^\d.])\d(\.\d+)? % of \d+ requests were good/)).toBeVisible();
  await checkLooks(page, "a new objective");
  await page.getByRole("button", { name: "Set the objective" }).click();
  const rows = page.getByRole("region", { name: "Objectives" }).getByRole("row").filter({ hasText: NAME });
  await expect(rows).toContainText("5 ms");

  // On a narrow screen it is a card, whose budget is seen as it is.
  await page.setViewportSize({ width: 390, height: 900 });
  const card = page.getByRole("listitem", { name: NAME });
  const budget = card.getByRole("progressbar", { name: `Error budget of ${NAME}` });
  await budget.scrollIntoViewIfNeeded();
  await expect(budget).toBeInViewport({ ratio: 1 });
  await checkLooks(page, "an objective that is set");

  // The watch finds that the budget is spent too fast.
  await page.goto(web("/alerts"));
  const alert = page.getByRole("main").getByRole("listitem").filter({ hasText: NAME }).first();
  await expect(alert).toBeVisible({ timeout: 120_000 });
  await alert.getByRole("button", { name: /^Acknowledge/ }).click();
  await expect(alert).toContainText("Ada looks after it");
  await checkLooks(page, "an open alert");
  await page.goto(web(`/events?model=${MODEL}&kind=alert,objective`));
  await expect(page.getByText(`Objective set: ${NAME}`)).toBeVisible();
  await expect(page.getByText(/^.*: Alert: /).first()).toBeVisible();

  await page.goto(web("/settings/slos"));
  await page.getByRole("button", { name: `Change ${NAME}` }).click();
  await expect(page).toHaveURL(/edit=/);
  await page.getByLabel("Answered within (ms)").fill("7");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(rows).toContainText("7 ms");

  await page.getByRole("button", { name: `Remove ${NAME}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(rows).toHaveCount(0);
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeVisible();
  await expect
    .poll(async () => {
      const open: readonly object[] = await (await page.request.get(web(`/api/v1/alerts?model=${MODEL}`))).json();
      return open.length;
    })
    .toBe(0);
  await page.goto(web("/alerts?state=closed"));
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: NAME }).first()).toContainText(", over ");

  // Brought back in the same moment by whoever removed it.
  await page.goto(web("/settings/slos"));
  await page.getByLabel("Name", { exact: true }).fill("Answers at all");
  await page.getByLabel("Model", { exact: true }).selectOption(MODEL);
  await page.getByLabel("Answered within (ms)").fill("");
  await page.getByRole("button", { name: "Set the objective" }).click();
  const second = page
    .getByRole("region", { name: "Objectives" })
    .getByRole("row")
    .filter({ hasText: "Answers at all" });
  await expect(second).toHaveCount(1);
  await page.getByRole("button", { name: "Remove Answers at all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(second).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(second).toHaveCount(1);

  // Whoever may only look sees how it stands and cannot change it.
  const viewer = await contextOf(browser, await makePerson(page.request, { name: "Vera", role: "viewer" }));
  const looking = await viewer.newPage();
  await looking.goto(web("/settings/slos"));
  await expect(looking.getByRole("button", { name: "Remove Answers at all" })).toHaveAttribute("aria-disabled", "true");
  await expect(looking.getByRole("button", { name: "Set the objective" })).toBeHidden();
  await looking.goto(web("/settings/notifications"));
  await expect(looking.getByText("Only administrators choose where alerts are sent")).toBeVisible();
  await viewer.close();

  await page.getByRole("button", { name: "Remove Answers at all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(second).toHaveCount(0);
  await unload(MODEL);
});

test("a receiver's secret is shown once, and nothing is sent to an address inside", async ({ page }) => {
  await page.goto(web("/settings/notifications"));
  await page.getByLabel("Name", { exact: true }).fill("Pager");
  await page.getByLabel("Web hook").fill("https://127.0.0.1:9/hook");
  await page.getByRole("button", { name: "Add the receiver" }).click();
  await expect(page.getByText(/127\.0\.0\.1 is an address inside/).first()).toBeVisible();
  await expect(page.getByText("No receiver yet")).toBeVisible();
  await page.getByLabel("Web hook").fill("https://1.1.1.1/hook");
  await page.getByRole("button", { name: "Add the receiver" }).click();
  const secret = page.getByRole("dialog", { name: "The receiver’s secret" });
  await expect(secret).toBeVisible();
  await expectAccessible(page, "a secret that is shown once");
  await secret.getByRole("button", { name: "I have kept it" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Test Pager" })).toBeVisible();
  await expect(secret).toBeHidden();
  await checkLooks(page, "receivers");
  await page.getByRole("button", { name: "Remove Pager" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No receiver yet")).toBeVisible();
});
