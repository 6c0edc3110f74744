import { expect, type Page } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { endlessCallers, type Tensor } from "./models.ts";
import { serveScript } from "./planted.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const ROW: Tensor = { name: "X", datatype: "FP32", shape: [2], data: [1, 2] };
const SERVICE_MS = 20;

/** A served model whose executions take 20 ms: more callers than instances wait for each other. */
const serveSlow = (name: string, instances: number) =>
  serveScript({
    name,
    config: `instance_group [ { count: ${instances} kind: KIND_CPU } ] # one thread each`,
    work: `await new Promise((resolve) => setTimeout(resolve, ${SERVICE_MS}));`,
  });

/** Fills the steps of a rollout so that it is over soon, and begins it. */
async function rollOut(page: Page): Promise<void> {
  await page.getByLabel("Steps, percent").fill("50, 100");
  await page.getByLabel("Seconds of each step, at least").fill("3");
  await page.getByLabel("Requests of each step, at least").fill("20");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Begin the rollout" }).click();
  await page.waitForURL(/\/rollouts\/[0-9a-f-]{36}/);
}

test("one whole cycle: an objective, a load test, a search of settings, its pick as a canary, promoted", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const model = `e2e_cycle_${test.info().retry}`;
  await serveSlow(model, 1);

  // What is promised.
  await page.goto(web(`/settings/slos?model=${model}`));
  await page.getByLabel("Name", { exact: true }).fill(`${model} in time`);
  await page.getByLabel("Answered within (ms)").fill(String(1.9 * SERVICE_MS));
  await page.getByRole("button", { name: "Set the objective" }).click();
  await expect(page.getByRole("region", { name: "Objectives" }).getByText(`${model} in time`)).toBeVisible();

  // What it holds as it is: three in flight wait for one instance.
  await page.goto(web(`/load-tests/new?model=${model}`));
  await page.getByRole("button", { name: /^Most throughput/ }).click();
  await page.getByLabel("From, in flight").fill("3");
  await page.getByLabel("To, in flight").fill("3");
  await page.getByLabel("Seconds measured at each level").fill("2");
  await page.getByLabel("Seconds of warm-up before").fill("0");
  await page.getByRole("main").getByRole("button", { name: "Begin", exact: true }).click();
  await page.getByRole("button", { name: "Begin the load test" }).click();
  await page.waitForURL(/\/load-tests\/[0-9a-f-]{36}/);
  await expect(page.getByRole("main").getByText("Done", { exact: true })).toBeVisible({ timeout: 90_000 });

  // What would hold it.
  await page.goto(web(`/tuner?new=${model}`));
  await expect(page.getByLabel("Good within, ms (optional)")).toHaveValue(String(1.9 * SERVICE_MS));
  await page.getByLabel("Requests in flight").fill("3");
  await page.getByLabel("Instances").fill("1, 4");
  await page.getByLabel("Seconds of each measurement").fill("0.5");
  await page.getByLabel("Pause above a live p99 of").fill("");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Begin the search" }).click();
  await page.waitForURL(/\/tuner\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { name: "Recommended" })).toBeVisible({ timeout: 90_000 });
  const limit = page.getByRole("slider", { name: "Limit of latency in milliseconds" });
  await limit.focus();
  await page.keyboard.press("ArrowUp");
  await expect(limit).toHaveAttribute("aria-valuetext", "39.9 ms");
  await expect(page).toHaveURL(/limit=39\.9/);
  await expect(page.getByRole("region", { name: "Points of the search" }).getByText("Best")).toBeVisible();
  await checkLooks(page, "a search of settings");

  // The pick, in steps.
  const load = endlessCallers(model, { input: ROW, count: 3 });
  await page.getByRole("button", { name: "Roll out in steps" }).click();
  await expect(page.getByText("count: 4")).toBeVisible();
  await rollOut(page);
  await expect(page.getByRole("heading", { name: `${model}: new configuration of version 1`, level: 1 })).toBeVisible();
  await expect(page.getByRole("main").getByText("Promoted", { exact: true })).toBeVisible({ timeout: 120_000 });
  expect(await load.stop()).toBe(0);
  const answer = await page.request.get(web(`/api/v1/models/${model}/config`));
  const { text }: { readonly text: string } = await answer.json();
  expect(text).toContain("count: 4");
  expect(text).toContain("# one thread each");
  await checkLooks(page, "a promoted configuration");
});

test("an experiment shows that a change is worse, and a rollout of it all the same goes back by itself", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const model = `e2e_worse_${test.info().retry}`;
  await serveSlow(model, 4);
  await page.goto(web(`/models/${model}/config`));
  const editor = page.getByRole("textbox", { name: `Configuration of ${model}` });
  await expect(editor).toContainText("count: 4");
  const before = await (await page.request.get(web(`/api/v1/models/${model}/config`))).json();
  await editor.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(before.text.replace("count: 4", "count: 1"));
  await expect(page.getByRole("link", { name: "Roll out in steps" })).toBeVisible();

  await page.goto(web(`/experiments?new=${model}`));
  await page.getByLabel("Hypothesis").fill("one instance is enough for three callers");
  await page.getByLabel("Requests in flight").fill("3");
  await page.getByLabel("It is about").selectOption("p50");
  await page.getByLabel("Windows of each side").fill("4");
  await page.getByLabel("Seconds of a window").fill("0.5");
  await checkLooks(page, "the form of an experiment");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}/);
  await expect(page.getByRole("main").getByText("Worse", { exact: true })).toBeVisible({ timeout: 120_000 });
  await checkLooks(page, "an experiment with its verdict");
  await page.getByRole("button", { name: "Do not keep" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Record it" }).click();
  await expect(page.getByText("Not kept by")).toBeVisible();
  await page.goto(web("/experiments?q=three+callers"));
  await expect(page.getByRole("link", { name: "one instance is enough for three callers" })).toBeVisible();

  const load = endlessCallers(model, { input: ROW, count: 6 });
  await page.goto(web(`/rollouts?model=${model}&what=config`));
  await expect(page.getByText("count: 1")).toBeVisible();
  await rollOut(page);
  await expect(page.getByRole("main").getByText("Rolled back", { exact: true })).toBeVisible({ timeout: 90_000 });
  expect(await load.stop()).toBe(0);
  const after = await (await page.request.get(web(`/api/v1/models/${model}/config`))).json();
  expect(after.text).toBe(before.text);
});
