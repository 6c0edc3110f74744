import { expect } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { contextOf, makePerson } from "./people.ts";
import { expectAccessible, web } from "./product.ts";
import { test } from "./signed-in.ts";

test("a zone, a range and the switch of the keys are kept with the account and hold on every page", async ({
  page,
  browser,
}) => {
  const person = await contextOf(browser, await makePerson(page.request, { name: "Zoe", role: "viewer" }));
  const own = await person.newPage();
  await own.goto(web("/settings/appearance"));
  await own.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await expect(own.getByText(/^Now it is .*GMT\+9\.$/)).toBeVisible();
  await own.getByLabel("Time range").selectOption("24h");
  await own.getByRole("radio", { name: "Off" }).click();
  const kept = async () => (await own.request.get(web("/api/v1/me/preferences"))).json();
  await expect.poll(kept).toEqual({ density: "comfortable", timeZone: "Asia/Tokyo", range: "24h", shortcuts: false });
  await checkLooks(own, "appearance");

  // Another page, fresh from the server: range, typed times, axes.
  await own.goto(web("/nodes/local"));
  await expect(own.getByRole("radio", { name: "24h" })).toBeChecked();
  await own.getByRole("button", { name: "From … to …" }).click();
  await expect(own.getByText("Times are in Asia/Tokyo.")).toBeVisible();
  await own.getByLabel("From", { exact: true }).fill("2020-01-01T09:00:00");
  await own.getByLabel("To", { exact: true }).fill("2020-01-01T10:00:00");
  await own.keyboard.press("Enter");
  await expect(own).toHaveURL(/from=1577836800&to=1577840400/);
  await own.goto(web("/nodes/local?range=5m"));
  await expect(own.getByRole("radio", { name: "5m", exact: true })).toBeChecked();
  await own.getByRole("heading", { name: "local", level: 1 }).click();
  await own.keyboard.press("g");
  await own.keyboard.press("m");
  await own.keyboard.press("Control+k");
  await expect(own.getByRole("dialog", { name: "Command palette" })).toBeVisible();
  await expect(own).toHaveURL(/\/nodes\/local/);
  await person.close();
});

test("of changes in quick succession one was lost: what the server had after the first took the others back", async ({
  page,
  browser,
}) => {
  const person = await contextOf(browser, await makePerson(page.request, { name: "Quick", role: "viewer" }));
  const own = await person.newPage();
  let open = false;
  const held: (() => void)[] = [];
  await own.route(/settings\.savePreferences/, async (route) => {
    if (!open) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await own.goto(web("/settings/appearance"));
  await own.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await expect.poll(() => held.length).toBe(1);
  await own.getByLabel("Time range").selectOption("24h");
  const first = own.waitForResponse(/settings\.savePreferences/);
  held.shift()?.();
  await first;
  await own.getByRole("radio", { name: "Off" }).click();
  await expect(own.getByLabel("Time range")).toHaveValue("24h");
  open = true;
  for (const go of held.splice(0)) go();
  const kept = async () => (await own.request.get(web("/api/v1/me/preferences"))).json();
  await expect.poll(kept).toMatchObject({ timeZone: "Asia/Tokyo", range: "24h", shortcuts: false });
  await person.close();
});

test("a view is saved with a name, found in menu and palette, renamed, deleted and brought back", async ({
  page,
  browser,
}) => {
  const person = await contextOf(browser, await makePerson(page.request, { name: "Yves", role: "viewer" }));
  const own = await person.newPage();
  await own.goto(web("/events?range=7d&kind=load"));
  const menu = own.getByRole("button", { name: "Saved views" });
  await menu.click();
  await own.getByRole("menuitem", { name: "Save this view …" }).click();
  await own.getByLabel("Name", { exact: true }).fill("Loads of the week");
  await own.keyboard.press("Enter");
  await expect(own.getByText("Loads of the week is saved")).toBeVisible();

  await own.goto(web("/models"));
  await own.keyboard.press("Control+k");
  await own.getByRole("option", { name: "Loads of the week" }).click();
  await expect(own).toHaveURL(/\/events\?range=7d&kind=load$/);
  await own.goto(web("/models"));
  await menu.click();
  await own.getByRole("menuitem", { name: /Rename or delete/ }).click();
  const dialog = own.getByRole("dialog", { name: "Saved views" });
  await expectAccessible(own, "the saved views");
  await dialog.getByLabel("Name of Loads of the week").fill("Loads");
  await dialog.getByRole("button", { name: "Rename Loads of the week" }).click();
  await dialog.getByRole("button", { name: "Delete Loads", exact: true }).click();
  await expect(dialog.getByText("No view is saved")).toBeVisible();
  await own.keyboard.press("Escape");
  await own.getByRole("button", { name: "Undo" }).click();
  await menu.click();
  await own.getByRole("menuitem", { name: "Loads", exact: true }).click();
  await expect(own).toHaveURL(/\/events\?range=7d&kind=load$/);
  expect(await (await page.request.get(web("/api/v1/me/views"))).json()).toEqual([]);
  await person.close();
});
