import type { BrowserContext, Page } from "@playwright/test";

/** Pages of this context go on from `goto` and `reload` only when they listen to their reader: what is clicked before is lost, and no person is that quick. */
export function waitsForPages(context: BrowserContext): BrowserContext {
  context.on("page", (page) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (...args) => {
      const response = await goto(...args);
      await hydrated(page);
      return response;
    };
    page.reload = async (...args) => {
      const response = await reload(...args);
      await hydrated(page);
      return response;
    };
  });
  return context;
}

/** React has taken the content over. Pages that are not the dashboard's have nothing to wait for. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (document.querySelector('script[src*="/_next/"]') === null) return true;
    const content = document.querySelector("main") ?? document.querySelector("h1");
    return content === null || Object.keys(content).some((key) => key.startsWith("__react"));
  });
}
