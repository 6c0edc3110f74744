import { expect, type Page } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { infer, serveCopy, type Tensor } from "./models.ts";
import { nobody } from "./people.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_latency";
const IMAGE: Tensor = {
  name: "image",
  datatype: "FP32",
  shape: [1, 1, 28, 28],
  data: Array.from({ length: 784 }, () => 0.5),
};

async function send(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) expect((await infer(MODEL, IMAGE)).status).toBe(200);
}

/** The figure of a tile, such as the requests of the whole window. */
const tile = (page: Page, name: string) => page.getByRole("definition").and(page.locator(`dt:text-is("${name}") + dd`));

test.describe.configure({ mode: "serial" });

test("latency is followed live, zoomed, split, compared, and an address brings the view back", async ({ page }) => {
  await serveCopy("digits_cnn", MODEL);
  await send(150);
  await page.goto(web(`/models/${MODEL}`));
  await page.getByRole("link", { name: "Latency", exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`^Latency · ${MODEL}`));
  await expect(page.getByRole("region", { name: "Latency", exact: true })).toBeVisible();
  await expect(tile(page, "Requests")).toHaveText("150");
  await checkLooks(page, "the latency page");

  // Live: what is sent now appears by itself.
  await send(20);
  await expect(tile(page, "Requests")).toHaveText("170");

  // A figure for every point, and a file of them.
  const traffic = page.getByRole("region", { name: "Requests per second" });
  await traffic.getByRole("button", { name: "View data" }).click();
  await expect(traffic.getByRole("columnheader", { name: "All requests" })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    traffic.getByRole("button", { name: "Save Requests per second as CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${MODEL}-requests.csv`);

  await page.getByRole("radio", { name: "1h" }).click();
  await expect(page).toHaveURL(/range=1h/);
  await expect(page.getByText("One point is 20 seconds.")).toBeVisible();
  await expect(tile(page, "Requests")).toHaveText("170");
  await page.getByLabel("Split").selectOption("version");
  await page.getByLabel("Compare with the period before").check();
  await page.getByRole("radio", { name: "p95" }).click();
  const split = page.getByRole("region", { name: "Latency, p95" });
  await expect(split.getByText("Version 2", { exact: true })).toBeVisible();
  await expect(page.getByText("Nothing was counted in the period before.")).toBeVisible();
  await checkLooks(page, "latency split by version");

  // The address has the view, and the way back leads through it.
  const linked = await page.context().newPage();
  await linked.goto(page.url());
  await expect(
    linked.getByRole("region", { name: "Latency, p99" }).getByText("Version 2", { exact: true }),
  ).toBeVisible();
  await expect(linked.getByLabel("Compare with the period before")).toBeChecked();
  await linked.close();
  await page.goBack();
  await expect(page.getByLabel("Compare with the period before")).not.toBeChecked();
  await page.goBack();
  await expect(page.getByRole("region", { name: "Latency", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/range=1h$/);

  // Drawn with the mouse.
  const chart = page.getByRole("region", { name: "Latency", exact: true }).locator(".recharts-surface").first();
  const box = await chart.boundingBox();
  if (box === null) throw new Error("the chart has no place on the page");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 100, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await page.goBack();
  await expect(page).toHaveURL(/range=1h$/);
});

test("a window is typed, a cell is reached with arrow keys, and its slow requests tell their story", async ({
  page,
}) => {
  await page.goto(web(`/models/${MODEL}/latency?range=15m&scale=log`));
  await expect(page.getByText("Means add up only on a linear scale")).toBeVisible();
  await page.getByRole("button", { name: "From … to …" }).focus();
  await page.keyboard.press("Enter");
  const from = page.getByLabel("From", { exact: true });
  await expect(from).toHaveValue(/^2\d{3}-/);
  await from.fill("2020-01-01T00:00:00");
  await page.getByLabel("To", { exact: true }).fill("2019-01-01T00:00:00");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("“To” must be later than “From”.")).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T01:00:00");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing was measured in this window")).toBeVisible();
  await checkLooks(page, "a window without data");
  await page.goBack();

  const map = page.getByRole("application", { name: /^Heat map of latencies/ });
  await map.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByText(/: \d+ requests$/)).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/requests\?from=\d+&to=\d+&slowerMs=/);
  await expect(page.getByText(/^Ended /)).toBeVisible();

  await page.goto(web(`/models/${MODEL}/requests`));
  const list = page.getByRole("region", { name: "Remembered requests" });
  await expect(list.getByRole("button").first()).toBeVisible();
  await checkLooks(page, "remembered requests");
  await list.getByRole("button").first().focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByText("Where the time went")).toBeVisible();
  await expect(sheet.getByText(/^(Of|Failed after|Answered) /)).toBeVisible();
  await expect(page).toHaveURL(/row=\d+/);
  await checkLooks(page, "the story of a request");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  await page.goto(web(`/models/${MODEL}/requests?from=1000&to=1001`));
  await expect(page.getByText("No request of this choice is remembered")).toBeVisible();
  await page.getByRole("button", { name: "Show all that are remembered" }).click();
  await expect(list).toBeVisible();
});

test("the keys reach a point of a chart that goes on, and Enter opens what a click on it opens", async ({ page }) => {
  await page.goto(web(`/models/${MODEL}/latency?range=15m`));
  const chart = page
    .getByRole("region", { name: "Latency", exact: true })
    .getByRole("application", { name: /Arrow keys walk through it, Enter shows the requests of a point/ });
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(chart.locator("..").locator("[aria-live]")).toContainText(/\d\d:\d\d/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/requests\?from=\d+&to=\d+$/);
  const byKey = new URL(page.url()).searchParams;
  expect(Number(byKey.get("to"))).toBeGreaterThan(Number(byKey.get("from")));

  await page.goBack();
  const box = await chart.boundingBox();
  if (box === null) throw new Error("the chart has no place");
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.5);
  await expect(page).toHaveURL(/\/requests\?from=\d+&to=\d+$/);
});

test("a paused page that goes back shows what its address says", async ({ page }) => {
  await page.goto(web(`/models/${MODEL}/latency?range=15m`));
  await page.getByRole("radio", { name: "1h" }).click();
  await expect(page.getByText("One point is 20 seconds.")).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.goBack();
  await expect(page.getByRole("radio", { name: "15m" })).toBeChecked();
  await expect(page.getByText("One point is 20 seconds.")).toBeHidden();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
});

test("two quick Backs after a reload do not leave the view between: the router’s second try at it was given up", async ({
  page,
}) => {
  await page.goto(web(`/models/${MODEL}/latency`));
  await page.getByRole("radio", { name: "1h" }).click();
  await expect(page).toHaveURL(/range=1h$/);
  await page.getByRole("radio", { name: "24h" }).click();
  await expect(page).toHaveURL(/range=24h$/);
  await page.getByLabel("Compare with the period before").check();
  await expect(page).toHaveURL(/compare=true$/);
  await page.reload();
  await expect(page.getByRole("region", { name: "Latency", exact: true })).toBeVisible();
  // The router asks for the page of the first Back, finds that it is another than it kept, and asks again: then comes the second.
  let asked = 0;
  await page.route(/\/latency\?.*_rsc=/, async (route) => {
    const headers = Object.keys(route.request().headers());
    if (!headers.some((name) => name.endsWith("-prefetch"))) {
      asked += 1;
      if (asked === 2) await page.evaluate(() => history.back());
    }
    await route.continue();
  });
  await page.goBack();
  await expect(page).toHaveURL(/range=1h$/);
  await expect(page.getByRole("radio", { name: "1h" })).toBeChecked();
  await expect(page.getByText("One point is 20 seconds.")).toBeVisible();
  expect(asked).toBeGreaterThan(1);
});

test("what cannot be read says so and is tried again; keys need the scope, and nobody sees it without a session", async ({
  page,
  browser,
}) => {
  // The first page comes with its data, a change of the window asks for new.
  await page.goto(web(`/models/${MODEL}/latency`));
  await expect(page.getByRole("region", { name: "Latency", exact: true })).toBeVisible();
  await page.route(/history\.range/, (route) => route.abort());
  await page.getByRole("radio", { name: "24h" }).click();
  await expect(
    page.getByText(/The history could not be read again|No connection to the dashboard/).first(),
  ).toBeVisible();
  await page.unroute(/history\.range/);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect(page.getByText("One point is 5 minutes.")).toBeVisible();

  const key = await page.request.post(web("/api/v1/keys"), { data: { name: "models only", scopes: ["model.read"] } });
  const { secret }: { readonly secret: string } = await key.json();
  const context = await nobody(browser);
  const url = web(`/api/v1/history?model=${MODEL}&seconds=60`);
  const refused = await context.request.get(url, { headers: { authorization: `Bearer ${secret}` } });
  expect(refused.status()).toBe(403);
  expect((await page.request.get(url)).status()).toBe(200);
  const stranger = await context.newPage();
  await stranger.goto(web(`/models/${MODEL}/latency`));
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await context.close();
});
