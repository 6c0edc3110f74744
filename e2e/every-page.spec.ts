import { expect, type Page } from "@playwright/test";
import { inferDigit, web } from "./product.ts";
import { test } from "./signed-in.ts";

interface PageCase {
  readonly path: string;
  /** What is there once the page has its data. */
  readonly content: string | RegExp;
  /** Another view of the page by its address; absent where it has one view only. */
  readonly view?: string;
}

const PAGES: readonly PageCase[] = [
  { path: "/", content: "Worst models first", view: "?range=1m" },
  { path: "/models", content: "digits_cnn" },
  { path: "/models/mnist", content: "Recent changes", view: "?range=1m" },
  { path: "/models/mnist/latency", content: "Requests per second", view: "?range=1h&compare=true&scale=log" },
  { path: "/models/mnist/requests", content: /request|Nothing/i, view: "?order=newest&cause=slow" },
  { path: "/models/mnist/instances", content: "Instances of version", view: "?span=15m" },
  { path: "/models/mnist/playground", content: "Send", view: "?protocol=grpc&repeat=3" },
  { path: "/models/mnist/shapes", content: /shape/i, view: "?order=p99" },
  { path: "/models/mnist/logs", content: /line|log/i, view: "?level=warn&q=abc&wrap=false" },
  { path: "/models/mnist/memory", content: /MiB|memory/i },
  { path: "/models/mnist/graph", content: "Operator" },
  { path: "/models/mnist/config", content: "Checked by the server", view: "?view=form" },
  { path: "/models/digits_cnn/versions", content: "Traffic of the last minute", view: "?compare=1,2" },
  { path: "/deploy", content: "Drop a model here" },
  { path: "/rollouts", content: "Begin a rollout", view: "?state=ended&model=mnist" },
  { path: "/tuner", content: "Begin a search", view: "?new=mnist&q=x&phase=failed" },
  { path: "/experiments", content: "Begin an experiment", view: "?new=mnist&q=x&phase=failed" },
  { path: "/load-tests", content: /load test/i, view: "?q=mnist&phase=failed" },
  { path: "/load-tests/new", content: "What do you want to know?", view: "?model=mnist&preset=knee" },
  { path: "/alerts", content: /alert/i },
  { path: "/diagnose", content: "p99 is high", view: "?model=mnist&symptom=throughput-low" },
  { path: "/events", content: /event/i, view: "?range=1h&q=mnist" },
  { path: "/nodes", content: "local" },
  { path: "/nodes/local", content: "Processors", view: "?range=15m" },
  { path: "/audit", content: "Ada", view: "?outcome=succeeded&q=Ada" },
  { path: "/settings/account", content: "this one" },
  { path: "/settings/appearance", content: "Compact shows more" },
  { path: "/settings/general", content: "rows of history are kept now" },
  { path: "/settings/keys", content: "It may" },
  { path: "/settings/users", content: "ada@example.com" },
  { path: "/settings/slos", content: /objective/i },
  { path: "/settings/notifications", content: /receiver/i },
  { path: "/settings/nodes", content: "local" },
];

async function open(page: Page, { path, content }: PageCase, view = ""): Promise<void> {
  await page.goto(web(`${path}${view}`));
  await expectContent(page, content);
}

async function expectContent(page: Page, content: string | RegExp): Promise<void> {
  await expect(page.getByRole("main").getByText(content).filter({ visible: true }).first()).toBeVisible();
}

/** State of everything that a reader can set on the page, by its name. */
function settings(page: Page): Promise<string[]> {
  return page.getByRole("main").evaluate((main) =>
    [...main.querySelectorAll("input, select, [aria-pressed], [aria-checked], [aria-selected]")].map((element) => {
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const name = element.getAttribute("aria-label") ?? labels.map(({ textContent }) => textContent).join(" ");
      const value =
        element instanceof HTMLInputElement
          ? `${element.checked} ${element.type === "checkbox" || element.type === "radio" ? "" : element.value}`
          : element instanceof HTMLSelectElement
            ? element.value
            : "";
      const states = ["aria-pressed", "aria-checked", "aria-selected"].map((key) => element.getAttribute(key));
      // What can be chosen may still be on its way; what is chosen counts.
      const text = element instanceof HTMLSelectElement ? "" : element.textContent?.slice(0, 20);
      return [element.tagName, name, text, value, ...states].join("|");
    }),
  );
}

test.beforeAll(async () => {
  await inferDigit();
});

test("a page's address holds its view, and back and reload restore it", async ({ page }) => {
  test.setTimeout(400_000);
  for (const one of PAGES.filter(({ view }) => view !== undefined)) {
    await test.step(one.path, async () => {
      await open(page, one);
      const usual = await settings(page);
      await page.goto(web(`${one.path}${one.view}`));
      const differing = async () => (await settings(page)).filter((line) => !usual.includes(line));
      await expect.poll(differing, { message: `${one.view} changes ${one.path}` }).not.toEqual([]);
      await expectContent(page, one.content);
      const wanted = await differing();
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
      await page.waitForURL(/\/settings/);
      await page.goBack();
      await expect
        .poll(differing, { message: `back to ${one.path}${one.view}` })
        .toEqual(expect.arrayContaining(wanted));
      expect(new URL(page.url()).search).toBe(new URL(web(`${one.path}${one.view}`)).search);
    });
  }
});

test("a page whose data cannot be had says so, and has it when it can be had again", async ({ page }) => {
  test.setTimeout(400_000);
  const told: string[] = [];
  for (const one of PAGES) {
    await test.step(one.path, async () => {
      await page.route(/\/api\/trpc\//, (route) => route.abort());
      await page.goto(web(one.path));
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      const again = page.getByRole("main").getByRole("button", { name: "Try again" }).first();
      const content = page.getByRole("main").getByText(one.content).filter({ visible: true }).first();
      // What the server sent with the page is there without the API; everything else says that it is not.
      await expect(again.or(content).first()).toBeVisible();
      const failed = await again.isVisible();
      if (failed) told.push(one.path);
      await page.unroute(/\/api\/trpc\//);
      if (failed) await again.click();
      await expectContent(page, one.content);
    });
  }
  // Pages of live data only cannot have been sent whole.
  expect(told.length).toBeGreaterThan(3);
});

test("the keyboard reaches the content of every page, and no stop is hidden, nameless or a trap", async ({ page }) => {
  test.setTimeout(400_000);
  for (const one of PAGES) {
    await test.step(one.path, async () => {
      await open(page, one);
      await page.keyboard.press("Tab");
      await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
      await page.keyboard.press("Enter");
      const stops: string[] = [];
      for (let count = 0; count < 15; count += 1) {
        await page.keyboard.press("Tab");
        const stop = await page.evaluate(() => {
          const element = document.activeElement;
          if (element === null || element === document.body) return null;
          const box = element.getBoundingClientRect();
          const label = element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "";
          const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
          const by = (element.getAttribute("aria-labelledby") ?? "")
            .split(" ")
            .map((id) => document.getElementById(id));
          const name = [label, ...[element, ...labels, ...by].map((part) => part?.textContent ?? "")].join("").trim();
          const inMain = element.closest("main") !== null;
          return { html: element.outerHTML.slice(0, 120), width: box.width, height: box.height, name, inMain };
        });
        if (stop === null) break;
        if (stops.length === 0) expect(stop.inMain, `${one.path}: the first stop after the skip is content`).toBe(true);
        expect(stop.width * stop.height, `${one.path}: ${stop.html} can be seen`).toBeGreaterThan(0);
        expect(stop.name, `${one.path}: ${stop.html} has a name`).not.toBe("");
        stops.push(stop.html);
      }
      // A trap gives the same two or three stops again and again.
      if (stops.length === 15) expect(new Set(stops).size, `${one.path}: ${stops.join("\n")}`).toBeGreaterThan(3);
    });
  }
});
