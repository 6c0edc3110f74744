import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { infer, serveCopy, type Tensor } from "./models.ts";
import { contextOf, makePerson } from "./people.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_traffic";
const IMAGE: Tensor = {
  name: "image",
  datatype: "FP32",
  shape: [1, 1, 28, 28],
  data: Array.from({ length: 784 }, () => 0.5),
};

/** Which versions answered so many requests that named none. */
async function answersOf(count: number): Promise<Readonly<Record<string, number>>> {
  const versions: Record<string, number> = {};
  for (let sent = 0; sent < count; sent++) {
    const { status, version } = await infer(MODEL, IMAGE);
    const key = status === 200 ? (version ?? "none") : `status ${status}`;
    versions[key] = (versions[key] ?? 0) + 1;
  }
  return versions;
}

test("traffic is divided by weights, its shares are seen and served, and undone; a viewer only looks", async ({
  page,
  browser,
}) => {
  await serveCopy("digits_cnn", MODEL);
  await page.goto(web(`/models/${MODEL}/versions`));
  const card = page.getByRole("region", { name: "Traffic", exact: true });
  await expect(card.getByText("All to the highest version that is ready: version 2.")).toBeVisible();
  expect(await answersOf(10)).toEqual({ "2": 10 });

  // From the keyboard, but for the words that are typed.
  await card.getByRole("button", { name: "Divide traffic" }).focus();
  await page.keyboard.press("Enter");
  const newest = card.getByLabel("Weight of version 2");
  await expect(newest).toBeFocused();
  await newest.fill("1.5");
  await expect(card.getByText("A whole number from 0 to 1 000 000")).toBeVisible();
  await newest.fill("10");
  await card.getByLabel("Weight of version 1").fill("90");
  await expect(card.getByText("90 % of the requests")).toBeVisible();
  await checkLooks(page, "the weights");
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog");
  await expect(question.getByText("version 1 gets 90 %, now 0 %")).toBeVisible();
  await checkLooks(page, "the question before traffic is divided");
  await question.getByRole("button", { name: "Divide the traffic" }).click();

  await expect(page.getByText("The traffic is divided", { exact: true })).toBeVisible();
  await expect(card.getByRole("row", { name: /^1 90 90 %/ })).toBeVisible();
  await expect(card.getByRole("row", { name: /^2 10 10 %/ })).toBeVisible();
  expect(await answersOf(100)).toEqual({ "1": 90, "2": 10 });
  await checkLooks(page, "divided traffic");

  const context = await contextOf(browser, await makePerson(page.request, { name: "Viktor", role: "viewer" }));
  const viewer = await context.newPage();
  await viewer.goto(web(`/models/${MODEL}/versions`));
  await expect(viewer.getByRole("row", { name: /^1 90 90 %/ })).toBeVisible();
  const change = viewer.getByRole("button", { name: "Change the weights" });
  await expect(change).toHaveAttribute("aria-disabled", "true");
  await change.focus();
  await expect(viewer.getByRole("tooltip")).toContainText("Your role may look but not change models.");
  await context.close();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Taken back: the traffic goes as before")).toBeVisible();
  await expect(card.getByText("All to the highest version that is ready: version 2.")).toBeVisible();
  expect(await answersOf(10)).toEqual({ "2": 10 });

  await page.goto(web(`/audit?q=${MODEL}`));
  await expect(page.getByText(/1=90, 2=10/).first()).toBeVisible();
});

test("a load in progress says how far it is, and is cancelled", async ({ page }) => {
  const name = "e2e_slow_load";
  const folder = join(process.env["E2E_MODELS"] ?? "", name);
  mkdirSync(join(folder, "1"), { recursive: true });
  const tensor = (tensorName: string) => `[ { name: "${tensorName}" data_type: TYPE_FP32 dims: [ -1 ] } ]`;
  writeFileSync(
    join(folder, "config.pbtxt"),
    `backend: "javascript"\nmax_batch_size: 0\ninput ${tensor("QUESTION")}\noutput ${tensor("ANSWER")}\n`,
  );
  // Loads for as long as it is let.
  writeFileSync(join(folder, "1", "model.mjs"), "await new Promise((resolve) => setTimeout(resolve, 3_600_000));\n");

  await page.goto(web("/models"));
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByRole("button", { name: `Load ${name}` }).click();
  await expect(row.getByText(/^Loading: reading the model, [2-9] s$/)).toBeVisible();
  await checkLooks(page, "the models while one is being loaded");
  await page.goto(web(`/models/${name}`));
  await expect(page.getByText(/^Loading: reading the model, \d+ s$/)).toBeVisible();
  await checkLooks(page, "a model that is being loaded");
  await page.getByRole("button", { name: `Cancel the load of ${name}` }).click();
  await expect(page.getByText(`The load of ${name} was cancelled`)).toBeVisible();
  await expect(page.getByText(/^Loading:/)).toBeHidden();
});
