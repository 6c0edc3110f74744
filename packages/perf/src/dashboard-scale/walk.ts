import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import type { Dashboard } from "./dashboard.ts";
import { pagesOf, type WalkedPage } from "./pages.ts";
import { processorSeconds, residentMiB } from "./process-figures.ts";
import type { MemorySample, PageFigures } from "./report.ts";
import { type TabActivity, watchTab } from "./watch-tab.ts";

const VIEWPORT = { width: 1440, height: 900 };
const LONGEST_WAIT_MS = 30_000;

export interface WalkPlan {
  readonly dashboard: Dashboard;
  readonly nodePids: readonly number[];
  /** Path of the browser; absent = Playwright's own. */
  readonly chromium: string | undefined;
  readonly minutes: number;
  /** Time on each page. */
  readonly dwellMs: number;
}

interface Figures {
  readonly cold: number[];
  readonly clicked: number[];
  readonly activity: TabActivity[];
}

/** One tab walks from page to page by its links, again and again; beside it each page is opened in a new tab, too. */
export async function walk(plan: WalkPlan): Promise<{ pages: PageFigures[]; samples: MemorySample[] }> {
  const browser = await launch(plan.chromium);
  try {
    const context = await signIn(browser, plan.dashboard);
    const tab = await context.newPage();
    const pages = pagesOf("model-000");
    const figures = new Map<string, Figures>(pages.map(({ name }) => [name, { cold: [], clicked: [], activity: [] }]));
    const samples: MemorySample[] = [];
    const sample = sampler(plan, tab);
    const end = Date.now() + plan.minutes * 60_000;
    await tab.goto(`${plan.dashboard.url}/`);
    await tab.waitForSelector(pages[0]?.ready ?? "main h1", { timeout: LONGEST_WAIT_MS });
    do {
      for (const page of pages) {
        const own = figures.get(page.name);
        own?.cold.push(await openCold(context, `${plan.dashboard.url}${page.path}`, page.ready));
        const clicked = await goThere(tab, page);
        // The walk begins there: its first click leads nowhere.
        if (page.path !== "/" || samples.length > 0) own?.clicked.push(clicked);
        await takeActivity(tab);
        await tab.waitForTimeout(plan.dwellMs);
        const activity = await takeActivity(tab);
        if (activity !== undefined) own?.activity.push(activity);
        if (page.path === "/") samples.push(await sample());
      }
    } while (Date.now() < end);
    return { pages: pages.map(({ name }) => ({ name, ...(figures.get(name) ?? empty()) })), samples };
  } finally {
    await browser.close();
  }
}

function empty(): Figures {
  return { cold: [], clicked: [], activity: [] };
}

function launch(executablePath: string | undefined): Promise<Browser> {
  const args = ["--disable-gpu", "--disable-background-networking", "--no-first-run"];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ args, ...(executablePath !== undefined && { executablePath }) });
}

async function signIn(browser: Browser, { url, account }: Dashboard): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT, baseURL: url, locale: "en-GB" });
  const answer = await context.request.post(`${url}/api/auth/sign-in/email`, { data: account });
  if (!answer.ok()) throw new Error(`the sign-in failed: ${answer.status()} ${await answer.text()}`);
  await context.addInitScript(watchTab);
  return context;
}

/** Milliseconds from the request to the first data, by the page's own clock. */
async function openCold(context: BrowserContext, address: string, ready: string): Promise<number> {
  const page = await context.newPage();
  try {
    await page.goto(address, { waitUntil: "commit" });
    return await firstData(page, ready);
  } finally {
    await page.close();
  }
}

/** The page's clock when the selector first matched; it starts with the navigation. */
async function firstData(page: Page, ready: string): Promise<number> {
  const handle = await page.waitForFunction(
    (selector) => document.querySelector(selector) !== null && performance.now(),
    ready,
    { timeout: LONGEST_WAIT_MS, polling: "raf" },
  );
  const at = await handle.jsonValue();
  return typeof at === "number" ? at : 0;
}

/** Milliseconds from the click to the first data. */
async function goThere(tab: Page, { path, ready, click, clickedReady }: WalkedPage): Promise<number> {
  const { pathname } = new URL(path, "http://any");
  const before = await tab.evaluate(() => performance.now());
  await tab.locator(click).first().click();
  await tab.waitForURL((address) => address.pathname === pathname);
  return (await firstData(tab, clickedReady ?? ready)) - before;
}

function takeActivity(tab: Page): Promise<TabActivity | undefined> {
  return tab.evaluate(() => window.scaleWatch?.take());
}

function sampler({ dashboard, nodePids }: WalkPlan, tab: Page): () => Promise<MemorySample> {
  const started = Date.now();
  let at = started;
  let used = processorSeconds(dashboard.pid);
  return async () => {
    const session = await tab.context().newCDPSession(tab);
    await session.send("HeapProfiler.collectGarbage");
    await session.send("Performance.enable");
    const { metrics } = await session.send("Performance.getMetrics");
    await session.detach();
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    const now = Date.now();
    const usedNow = processorSeconds(dashboard.pid);
    const webProcessor = ((usedNow - used) * 1_000) / Math.max(1, now - at);
    at = now;
    used = usedNow;
    const one = {
      minute: (now - started) / 60_000,
      webMiB: residentMiB(dashboard.pid),
      nodesMiB: nodePids.reduce((sum, pid) => sum + residentMiB(pid), 0),
      heapMiB: metric("JSHeapUsedSize") / 2 ** 20,
      domNodes: metric("Nodes"),
      webProcessor,
    };
    console.log(
      `minute ${one.minute.toFixed(1)}: web ${one.webMiB.toFixed(0)} MiB and ${(100 * webProcessor).toFixed(0)} % of a processor, ` +
        `nodes ${one.nodesMiB.toFixed(0)} MiB, tab ${one.heapMiB.toFixed(1)} MiB and ${one.domNodes} DOM nodes`,
    );
    return one;
  };
}
