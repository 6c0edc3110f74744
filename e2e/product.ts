import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

export const admin = { name: "Ada", email: "ada@example.com", password: "a long enough password" };

export function web(path: string): string {
  return `${process.env["E2E_WEB"]}${path}`;
}

export function server(path: string): string {
  return `${process.env["E2E_SERVER"]}${path}`;
}

/** Where the administrator's session is kept for the specs that begin signed in. */
export function adminState(): string {
  return process.env["E2E_ADMIN_STATE"] ?? "";
}

/** Signs in by the form and waits for the page one lands on. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(web("/sign-in"));
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
}

/** Fails on any violation of WCAG 2.2 A and AA that axe can find, or of these rules `only`; `where` is named in the failure. */
export async function expectAccessible(
  page: Page,
  where = page.url(),
  { only }: { readonly only?: readonly string[] } = {},
): Promise<void> {
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    // The other way opens a page of its own for each analysis, which only frames of other origins need.
    .setLegacyMode(true);
  const chosen =
    only === undefined
      ? axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
      : axe.withRules([...only]);
  const { violations } = await chosen.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect.soft(found, `axe at ${where}`).toEqual([]);
}

/** Fails when the document can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page, where = page.url()): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** One inference of the demo model, as any client would send it. */
export async function inferDigit(): Promise<Response> {
  const image = { name: "image", datatype: "FP32", shape: [1, 784], data: Array.from({ length: 784 }, () => 0.5) };
  return fetch(server("/v2/models/mnist/infer"), { method: "POST", body: JSON.stringify({ inputs: [image] }) });
}
