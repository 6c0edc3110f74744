import { NereidClient } from "@nereid/client";
import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { infer, serveCopy, type Tensor } from "./models.ts";
import { contextOf, makePerson } from "./people.ts";
import { server, web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_shadow";
const IMAGE: Tensor = {
  name: "image",
  datatype: "FP32",
  shape: [1, 1, 28, 28],
  data: Array.from({ length: 784 }, (_, pixel) => (pixel % 28) / 28),
};

async function send(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) expect((await infer(MODEL, IMAGE)).status).toBe(200);
}

test("requests are mirrored to another version and to a candidate, and what differs is seen; a viewer only looks", async ({
  page,
  browser,
}) => {
  await serveCopy("digits_cnn", MODEL);
  const client = new NereidClient({ baseUrl: server("") });
  await page.goto(web(`/models/${MODEL}/versions`));
  const card = page.getByRole("region", { name: "Shadow", exact: true });
  await expect(card.getByText("Nothing is mirrored.")).toBeVisible();

  // From the keyboard, but for the words that are typed.
  await card.getByRole("button", { name: "Mirror requests" }).focus();
  await page.keyboard.press("Enter");
  const target = card.getByLabel("Mirror to");
  await expect(target).toBeFocused();
  await target.selectOption("1");
  const share = card.getByLabel("Share of the requests, %");
  await share.fill("0");
  await page.keyboard.press("Enter");
  await expect(card.getByText("A number from 0.1 to 100")).toBeVisible();
  await checkLooks(page, "the form of a shadow");
  await share.fill("100");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Requests are mirrored", { exact: true })).toBeVisible();
  await expect(card.getByText("Nothing has been compared yet.")).toBeVisible();
  await send(5);
  await expect(card.getByText("5 compared")).toBeVisible();
  await expect(card.getByText("5 did not")).toBeVisible();
  await expect(card.getByRole("row", { name: /no id/ }).first()).toContainText("image FP32 [1,1,28,28]: 0, 0.03571");
  await checkLooks(page, "a shadow whose answers differ");

  const context = await contextOf(browser, await makePerson(page.request, { name: "Vera", role: "viewer" }));
  const viewer = await context.newPage();
  await viewer.goto(web(`/models/${MODEL}/versions`));
  await expect(viewer.getByText("5 compared")).toBeVisible();
  const stop = viewer.getByRole("button", { name: "Stop mirroring" });
  await expect(stop).toHaveAttribute("aria-disabled", "true");
  await context.close();

  // The same model with another configuration answers the same.
  await client.addCandidate(MODEL, { name: "e2e_shadow_1", config: { max_batch_size: 2 } });
  await card.getByRole("button", { name: "Begin anew" }).click();
  await target.selectOption("e2e_shadow_1/2");
  await share.fill("100");
  await page.keyboard.press("Enter");
  await expect(card.getByText("candidate e2e_shadow_1, version 2")).toBeVisible();
  await send(3);
  await expect(card.getByText("3 compared")).toBeVisible();
  await expect(card.getByText("0 did not")).toBeVisible();

  await card.getByRole("button", { name: "Stop mirroring" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop mirroring" }).click();
  await expect(card.getByText("Nothing is mirrored.")).toBeVisible();

  // A part of the traffic goes to the candidate: told as what it is, not as a version.
  await client.divideTraffic(MODEL, { weights: { "2": 90, "e2e_shadow_1/2": 10 } });
  const traffic = page.getByRole("region", { name: "Traffic", exact: true });
  await expect(traffic.getByRole("row", { name: /^candidate e2e_shadow_1 10 10 %/ })).toBeVisible();
  await client.divideTraffic(MODEL, null);
  await client.removeCandidate("e2e_shadow_1");

  await page.goto(web(`/audit?q=${MODEL}`));
  await expect(page.getByText("Began shadow traffic").first()).toBeVisible();
  await expect(page.getByText(/3 of 3 agreed, 0 failed/).first()).toBeVisible();
});
