import { expect, test } from "@playwright/test";
import { expectAccessible, inferDigit, signIn, web } from "./product.ts";

const pages = [
  ["/models", "Models"],
  ["/models/mnist", "mnist"],
  ["/audit", "Audit log"],
] as const;

for (const colorScheme of ["dark", "light"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("axe finds nothing on any page, wide and narrow", async ({ page }) => {
      await signIn(page);
      await inferDigit();
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const [path, heading] of pages) {
          await page.goto(web(path));
          await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
          await expectAccessible(page);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(overflow, `${path} at ${width} px scrolls sideways`).toBeLessThanOrEqual(0);
        }
      }
    });

    test("axe finds nothing in the dialog that confirms an unload", async ({ page }) => {
      await signIn(page);
      await page.getByRole("button", { name: "Unload simple", exact: true }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
      await expectAccessible(page);
    });
  });
}
