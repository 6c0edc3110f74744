import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./product.ts";

/** Axe, and nothing to scroll sideways to, in both themes on a wide and on a narrow screen; ends on the wide one. */
export async function checkLooks(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page, `${what} in ${colorScheme} at ${width} px`);
      await expectNoSidewaysScroll(page, `${what} in ${colorScheme} at ${width} px`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
