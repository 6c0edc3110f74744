import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { endlessCallers, serveCopy, type Tensor } from "./models.ts";
import { contextOf, makePerson } from "./people.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_rollouts";
const IMAGE: Tensor = {
  name: "image",
  datatype: "FP32",
  shape: [1, 1, 28, 28],
  data: Array.from({ length: 784 }, () => 0.5),
};

test("a version is rolled out from its model's page, paused, and aborted; a viewer only looks", async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await serveCopy("digits_cnn", MODEL);
  const load = endlessCallers(MODEL, { input: IMAGE, count: 2 });
  await page.goto(web(`/models/${MODEL}/versions`));
  await page.getByRole("link", { name: "Roll a version out" }).click();
  await expect(page.getByRole("heading", { name: "Rollouts", level: 1 })).toBeVisible();
  await expect(page.getByLabel("Candidate")).toHaveValue("2");

  await page.getByLabel("Steps, percent").fill("50, 20");
  await expect(page.getByText("must be whole numbers from 1 to 100 that grow")).toBeVisible();
  await page.getByLabel("Steps, percent").fill("20, 100");
  await page.getByLabel("Seconds of each step, at least").fill("3600");
  await checkLooks(page, "the form");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Begin the rollout" }).click();

  await expect(page.getByRole("heading", { name: `${MODEL}: version 1 to 2`, level: 1 })).toBeVisible();
  await expect(page.getByText(/20\s%\swanted, 20\s%\sset on the server/)).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("region", { name: "Gates of the rollout" }).getByText("p99 latency")).toBeVisible();
  await checkLooks(page, "a rollout");

  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("main").getByText("Paused", { exact: true })).toBeVisible();

  const viewer = await makePerson(page.request, { name: "Looker", role: "viewer" });
  const looking = await (await contextOf(browser, viewer)).newPage();
  await looking.goto(page.url());
  await expect(looking.getByRole("button", { name: "Abort" })).toHaveAttribute("aria-disabled", "true");
  await looking.context().close();

  await page.getByRole("button", { name: "Abort" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Abort" }).click();
  await expect(page.getByRole("main").getByText("Aborted", { exact: true })).toBeVisible();
  await expect(page.getByText("Version 1 has all requests again")).toBeVisible();
  expect(await load.stop()).toBe(0);

  await page.goto(web("/events"));
  await expect(page.getByText("Rollout aborted: version 2").first()).toBeVisible();
});
