import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { serveScript, unload } from "./planted.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_events";

test("all that happens to a model stands on one line of time, filtered by the address, live, and as a file", async ({
  page,
}) => {
  await serveScript({ name: MODEL, config: "max_batch_size: 8", work: "" });
  await page.goto(web(`/events?model=${MODEL}`));
  const rows = page.getByRole("region", { name: "Events, newest first" }).locator("ol > li");
  await expect(rows.filter({ hasText: `${MODEL}: Loaded version` })).toHaveText(/server, /);

  // Live: what is done elsewhere comes without a click, with the name of who did it.
  const unloaded = await page.request.post(web(`/api/v1/models/${MODEL}/unload`), {
    data: { reason: "no longer used" },
  });
  expect(unloaded.status(), await unloaded.text()).toBeLessThan(300);
  const mine = rows.filter({ hasText: "no longer used" });
  await expect(mine).toHaveText(/Unloaded.*Ada, /);
  await expect(rows.filter({ hasText: "Unloaded" })).toHaveCount(1);

  await page.getByRole("button", { name: "Unloads" }).click();
  await expect(page).toHaveURL(/kind=unload/);
  await expect(rows).toHaveCount(1);
  await page.getByLabel("Who", { exact: true }).fill("nobody of this name");
  await expect(page.getByText("Nothing happened that matches")).toBeVisible();
  await expect(page).toHaveURL(/actor=nobody/);
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(page).not.toHaveURL(/kind=/);

  await page.goto(web(`/events?model=${MODEL}&kind=unload,load&q=no%20longer`));
  await expect(rows).toHaveCount(1);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect((await saving).suggestedFilename()).toBe("nereid-events.csv");

  await mine.getByRole("link", { name: /^Audit entry/ }).click();
  await expect(page.getByText("One entry")).toBeVisible();
  await expect(page.getByRole("region", { name: "Audit log" }).getByRole("row")).toHaveCount(2);
  await page.goBack();
  await mine.getByRole("link", { name: /^Charts then/ }).click();
  await expect(page).toHaveURL(new RegExp(`/models/${MODEL}/latency\\?from=\\d+&to=\\d+`));
  await unload(MODEL);
});

test("a time that was chosen stands in the address; a node that there is not is said", async ({ page }) => {
  await page.goto(web("/events?from=1000&to=2000"));
  await expect(page.getByText("Nothing happened that matches")).toBeVisible();
  await page.getByRole("radio", { name: "24h" }).click();
  await expect(page).not.toHaveURL(/from=/);
  await page.goBack();
  await expect(page).toHaveURL(/from=1000/);
  await page.goto(web("/events?on=nowhere"));
  await expect(page.getByText("there is no node 'nowhere'")).toBeVisible();
});

test("a stretch that is drawn on the events is the window, and Back leads out of it", async ({ page }) => {
  await page.goto(web("/events?range=1h"));
  const histogram = page.getByTestId("events-histogram");
  const box = await histogram.boundingBox();
  if (box === null) throw new Error("the histogram has no place on the page");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.99, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await expect(page.getByRole("radio", { name: "1h" })).not.toBeChecked();
  await page.goBack();
  await expect(page).toHaveURL(/\?range=1h$/);
  await expect(page.getByRole("radio", { name: "1h" })).toBeChecked();

  await page.getByRole("button", { name: "From … to …" }).click();
  await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00:00");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T01:00:00");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=1577836800&to=1577840400/);
  await expect(page.getByText("Nothing happened that matches")).toBeVisible();
});

test("axe finds nothing on the line of time", async ({ page }) => {
  await page.goto(web("/events"));
  await expect(page.getByRole("link", { name: /^Charts then/ }).first()).toBeVisible();
  await checkLooks(page, "events");
});
