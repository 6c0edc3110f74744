import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./product.ts";

/** Rules of axe that look at colours. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];
const VIEWS = [
  { colorScheme: "dark", width: 1440 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "light", width: 390, only: COLOR_RULES },
  { colorScheme: "light", width: 1440, only: COLOR_RULES },
] as const;

/**
 * Axe, and nothing to scroll sideways to, in both themes on a wide and on a narrow screen; ends on the wide one, in light. Themes differ in
 * colours and in nothing else, so the second is asked for these.
 */
export async function checkLooks(page: Page, what: string): Promise<void> {
  for (const { colorScheme, width, ...rules } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const where = `${what} in ${colorScheme} at ${width} px`;
    await expectAccessible(page, where, rules);
    await expectNoSidewaysScroll(page, where);
  }
}
