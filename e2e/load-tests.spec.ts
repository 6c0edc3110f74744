import { expect, type Page } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { serveCopy } from "./models.ts";
import { contextOf, makePerson } from "./people.ts";
import { expectAccessible, web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_load";

/** Begins what the form has, and waits for the page of the test. */
async function begin(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "Begin", exact: true }).click();
  await page.getByRole("button", { name: "Begin the load test" }).click();
  await page.waitForURL(/\/load-tests\/[0-9a-f-]{36}/);
}

test("a load test is begun from its model's page, watched, stopped, run again to its end, and compared", async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await serveCopy("mnist", MODEL);
  await page.goto(web(`/models/${MODEL}`));
  await page.getByRole("main").getByRole("link", { name: "Load test" }).click();
  await expect(page.getByRole("heading", { name: "New load test", level: 1 })).toBeVisible();
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue(MODEL);
  await page.getByRole("button", { name: /^Find the knee/ }).click();
  await expect(page.getByLabel("Up by the factor")).toHaveValue("1.5");
  await page.getByRole("button", { name: /^As users feel it/ }).click();
  await page.getByLabel("From, requests a second").fill("20");
  await page.getByLabel("To, requests a second").fill("10");
  await page.getByLabel("p99 at most, ms").fill("60000");
  await page.getByRole("main").getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.getByText("is below the first level")).toBeVisible();
  await page.getByLabel("To, requests a second").fill("20");
  await page.getByLabel("Seconds measured at each level").fill("600");
  await page.getByLabel("Seconds of warm-up before").fill("0");
  await begin(page);

  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(`${MODEL}: 20 a second`);
  await expect(page.getByText(/a second: \d+ of 600 s/)).toBeVisible();
  const chart = page.getByRole("figure").filter({ hasText: "Throughput of the load test" });
  const drawn = () => chart.locator("path.recharts-line-curve").first().getAttribute("d");
  await expect.poll(drawn).not.toBeNull();
  const before = await drawn();
  await expect.poll(drawn, { message: "the chart moves" }).not.toBe(before);
  await page.reload();
  await expect(page.getByText(/a second: \d+ of 600 s/)).toBeVisible();

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop the load test" }).click();
  await expect(page.getByText("Stopped", { exact: true })).toBeVisible();
  await expect(page.getByText(/^Stopped at \d+ s$/)).toBeVisible();
  await expect(page.getByText("Everything held at every level.")).toBeVisible();
  await expect(page.getByText("--request-rate-range 20 --request-distribution poisson").first()).toBeVisible();
  await expect(page.getByText("p99: 60000 ms")).toBeVisible();

  await page.getByRole("link", { name: "Run again" }).click();
  await expect(page.getByLabel("p99 at most, ms")).toHaveValue("60000");
  await page.getByLabel("Seconds measured at each level").fill("2");
  await page.getByLabel("Title").fill("After the change");
  await begin(page);
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Levels" })).toContainText("20 a second");
  await page.getByLabel("Note").fill("twice as fast");
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(page.getByText("Kept", { exact: true })).toBeVisible();
  await checkLooks(page, "the result");

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Load tests" }).click();
  await page.getByLabel("Search titles, notes and models").fill("twice");
  await expect(page.getByRole("link", { name: "After the change" })).toBeVisible();
  await expect(page.getByRole("link", { name: `${MODEL}: 20 a second` })).toBeHidden();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel(`Compare ${MODEL}: 20 a second`).check();
  await page.getByLabel("Compare After the change").check();
  await expect(page.getByRole("region", { name: "Two runs" })).toContainText("20 a second");
  await expectAccessible(page, "two runs");

  const viewer = await makePerson(page.request, { name: "Looker", role: "viewer" });
  const context = await contextOf(browser, viewer);
  const other = await context.newPage();
  await other.goto(web(`/load-tests/new?model=${MODEL}`));
  await expect(other.getByRole("main").getByRole("button", { name: "Begin", exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await context.close();
});
