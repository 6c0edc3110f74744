import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

export const admin = { name: "Ada", email: "ada@example.com", password: "a long enough password" };

export function web(path: string): string {
  return `${process.env["E2E_WEB"]}${path}`;
}

export function server(path: string): string {
  return `${process.env["E2E_SERVER"]}${path}`;
}

/** Signs in as the administrator and waits for the models page. */
export async function signIn(page: Page): Promise<void> {
  await page.goto(web("/sign-in"));
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();
}

/** Fails on any violation of WCAG 2.2 A and AA that axe can find. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual([]);
}

/** One inference of the demo model, as any client would send it. */
export async function inferDigit(): Promise<Response> {
  const image = { name: "image", datatype: "FP32", shape: [1, 784], data: Array.from({ length: 784 }, () => 0.5) };
  return fetch(server("/v2/models/mnist/infer"), { method: "POST", body: JSON.stringify({ inputs: [image] }) });
}
