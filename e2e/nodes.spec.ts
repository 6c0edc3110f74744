import { type Browser, expect, type Page } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { waitsForPages } from "./hydrated.ts";
import { contextOf, makePerson } from "./people.ts";
import { server, web } from "./product.ts";
import { type SecondServer, startSecondServer } from "./second-server.ts";
import { test } from "./signed-in.ts";

test.describe.configure({ mode: "serial" });

let second: SecondServer;
const ids = { nereid: "", triton: "" };

test.beforeAll(async () => {
  second = await startSecondServer(["simple", "identity_fp32"]);
});

test.afterAll(async ({ browser }) => {
  await second.kill();
  await removeNodes(browser);
});

/** Takes the nodes of this file out again: other files expect the local one only. */
async function removeNodes(browser: Browser): Promise<void> {
  const context = await browser.newContext({ storageState: process.env["E2E_ADMIN_STATE"] ?? "" });
  for (const id of Object.values(ids)) {
    if (id !== "") await context.request.delete(web(`/api/v1/nodes/${id}`), { headers: { origin: web("") } });
  }
  await context.close();
}

async function addNode(page: Page, fields: { name: string; kind: "nereid" | "triton"; key: string }): Promise<string> {
  await page.goto(web("/settings/nodes"));
  await page.getByLabel("Name of the node").fill(fields.name);
  await page.getByLabel("Kind").selectOption(fields.kind);
  await page.getByLabel("Address", { exact: true }).fill(second.url);
  await page.getByLabel("Address of its metrics page").fill(second.metricsUrl);
  await page.getByLabel("Management key").fill(fields.key);
  await page.getByRole("button", { name: "Test the connection" }).click();
  await expect(page.getByText(/It answers: /)).toBeVisible();
  await page.getByRole("button", { name: "Add the node" }).click();
  await expect(page.getByRole("button", { name: `Remove ${fields.name}` })).toBeVisible();
  const nodes: readonly { readonly id: string; readonly name: string }[] = await (
    await page.request.get(web("/api/v1/nodes/choices"))
  ).json();
  return nodes.find(({ name }) => name === fields.name)?.id ?? "";
}

/** Sends one request to the second server, as any client would. */
async function inferThere(): Promise<void> {
  const input = { name: "INPUT_FP32", datatype: "FP32", shape: [1, 2], data: [1, 2] };
  await fetch(`${second.url}/v2/models/identity_fp32/infer`, {
    method: "POST",
    body: JSON.stringify({ inputs: [input] }),
  });
}

test("other servers are added after a test, and a wrong key is told beforehand", async ({ page }) => {
  await page.goto(web("/models"));
  await expect(page.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Node:/ })).toBeHidden();

  await page.goto(web("/settings/nodes"));
  await page.getByLabel("Address", { exact: true }).fill(second.url);
  await page.getByLabel("Management key").fill("not the key");
  await page.getByRole("button", { name: "Test the connection" }).click();
  await expect(page.getByText("the server wants another management key")).toBeVisible();

  ids.nereid = await addNode(page, { name: "second", kind: "nereid", key: second.key });
  ids.triton = await addNode(page, { name: "plain", kind: "triton", key: second.key });
  const listed = await (await page.request.get(web("/api/v1/nodes"))).text();
  expect(listed).not.toContain(second.key);
  expect(await (await page.request.get(web("/api/v1/audit"))).text()).not.toContain(second.key);
});

test("every page is about the node that the address names, and links keep it", async ({ page }) => {
  await page.goto(web("/models"));
  await expect(page.getByRole("link", { name: "mnist", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Node: local" }).click();
  await page.getByRole("menuitemradio", { name: /^second/ }).click();
  await expect(page).toHaveURL(new RegExp(`node=${ids.nereid}`));
  await expect(page.getByRole("link", { name: "identity_fp32", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "mnist", exact: true })).toBeHidden();

  await page.getByRole("link", { name: "identity_fp32", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/models/identity_fp32\\?(.*&)?node=${ids.nereid}`));
  await expect(page.getByRole("heading", { name: "identity_fp32", level: 1 })).toBeVisible();
  await expect(page.getByText("On other nodes")).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/models$/);
  await expect(page.getByRole("link", { name: "mnist", exact: true })).toBeVisible();

  await page.goto(web("/models?node=nothing-like-this"));
  await expect(page.getByText("This node is not looked after any more")).toBeVisible();
  const unknown = await page.request.get(web("/api/v1/models?node=nothing-like-this"));
  expect([unknown.status(), (await unknown.json()).code]).toEqual([404, "NOT_FOUND"]);
});

test("what is done goes to that node only, and the trail names it", async ({ page }) => {
  await page.goto(web(`/models?node=${ids.nereid}`));
  await page.getByRole("button", { name: "Reload simple", exact: true }).click();
  await expect(page.getByText(/^simple is loaded/)).toBeVisible();
  const trail = await (await page.request.get(web("/api/v1/audit?targetType=model&targetId=simple&limit=1"))).json();
  expect(trail.events[0]).toMatchObject({ action: "model.load", after: { node: "second", nodeId: ids.nereid } });

  await page.goto(web(`/models?node=${ids.triton}`));
  await page.getByRole("button", { name: "Unload simple", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unload simple" }).click();
  await expect.poll(async () => (await fetch(`${second.url}/v2/models/simple/ready`)).status).not.toBe(200);
  await expect(page.getByRole("button", { name: "Load simple", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Load simple", exact: true }).click();
  await expect.poll(async () => (await fetch(`${second.url}/v2/models/simple/ready`)).status).toBe(200);
  const refused = await page.request.get(web(`/api/v1/models/simple/config?node=${ids.triton}`));
  expect([refused.status(), (await refused.json()).detail]).toEqual([501, expect.stringMatching(/^not available on/)]);
});

test("figures of a server that only has counters come from its counters", async ({ page }) => {
  await page.goto(web("/nodes"));
  const requests = async () => {
    await inferThere();
    const nodes: readonly { id: string; figures: { requestsPerSecond: number; p99: number | null } | null }[] = await (
      await page.request.get(web("/api/v1/nodes"))
    ).json();
    return nodes.filter(({ id, figures }) => id !== "local" && (figures?.requestsPerSecond ?? 0) > 0).length;
  };
  await expect.poll(requests, { timeout: 90_000 }).toBe(2);
  await expect(page.getByRole("region", { name: "Nodes", exact: true }).getByText(/^mean /)).toBeVisible();
});

test("draining turns readiness off while requests are answered; cordoning refuses loads; both have a way back", async ({
  page,
}) => {
  await page.goto(web(`/nodes/${ids.nereid}`));
  await expect(page.getByRole("heading", { name: "second", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Drain", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Drain second" }).click();
  await expect(page.getByText("Draining", { exact: true })).toBeVisible();
  expect((await fetch(`${second.url}/v2/health/ready`)).status).not.toBe(200);
  expect((await fetch(`${second.url}/v2/models/simple/ready`)).status).toBe(200);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Draining", { exact: true })).toBeHidden();
  expect((await fetch(`${second.url}/v2/health/ready`)).status).toBe(200);

  await page.getByRole("button", { name: "Cordon", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cordon second" }).click();
  await expect(page.getByText("It takes no models.")).toBeVisible();
  const origin = { origin: web("") };
  const load = () =>
    page.request.post(web(`/api/v1/models/simple/load?node=${ids.nereid}`), { headers: origin, data: {} });
  const refused = await load();
  expect([refused.status(), (await refused.json()).detail]).toEqual([
    409,
    expect.stringContaining("second is cordoned"),
  ]);
  await page.getByRole("button", { name: "Uncordon" }).click();
  await expect(page.getByText("It takes no models.")).toBeHidden();
  expect((await load()).status()).toBe(200);

  await page.goto(web(`/nodes/${ids.triton}`));
  const drain = page.getByRole("button", { name: "Drain", exact: true });
  await expect(drain).toHaveAttribute("aria-disabled", "true");
  await drain.focus();
  await expect(page.getByRole("tooltip")).toContainText("a Triton server has no call");
  expect((await fetch(server("/v2/health/ready"))).status).toBe(200);
});

test("a finger that is drawn across a node’s chart zooms all of them; one that goes down scrolls the page", async ({
  browser,
}) => {
  const context = waitsForPages(
    await browser.newContext({
      storageState: process.env["E2E_ADMIN_STATE"] ?? "",
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    }),
  );
  const page = await context.newPage();
  await page.goto(web("/nodes/local?range=1h"));
  const chart = page.getByRole("region", { name: "CPU", exact: true }).locator("figure");
  // Cards above it grow as their data comes, and a page goes on scrolling after a finger has left it.
  const restingPlace = async () => {
    let before = "";
    await expect
      .poll(async () => {
        await chart.scrollIntoViewIfNeeded();
        const [last, now] = [before, JSON.stringify(await chart.boundingBox())];
        before = now;
        return now === last;
      })
      .toBe(true);
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart has no place on the page");
    return box;
  };
  const touch = await context.newCDPSession(page);
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    const box = await restingPlace();
    const at = ([x, y]: readonly [number, number]) => [{ x: box.x + x * box.width, y: box.y + y * box.height }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
    for (const share of [0.25, 0.5, 0.75, 1]) {
      const point = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])] as const;
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(point) });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await restingPlace();
  const before = await page.evaluate(() => window.scrollY);
  await drag([0.5, 0.9], [0.5, 0.1]);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before);
  await expect(page).toHaveURL(/range=1h$/);
  await drag([0.25, 0.5], [0.95, 0.5]);
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await page.goBack();
  await expect(page).toHaveURL(/range=1h$/);
  await context.close();
});

test("a viewer sees the nodes and changes none", async ({ page, browser }) => {
  const context = await contextOf(browser, await makePerson(page.request, { name: "Vera N", role: "viewer" }));
  const viewer = await context.newPage();
  await viewer.goto(web("/nodes"));
  await expect(viewer.getByRole("link", { name: "second", exact: true }).first()).toBeVisible();
  await expect(viewer.getByRole("link", { name: "Add or change nodes" })).toBeHidden();
  await viewer.goto(web(`/nodes/${ids.nereid}`));
  await expect(viewer.getByRole("button", { name: "Drain", exact: true })).toHaveAttribute("aria-disabled", "true");
  await viewer.goto(web("/settings/nodes"));
  await expect(viewer.getByText("Only administrators manage nodes")).toBeVisible();
  await context.close();
});

test("axe finds nothing on the pages of nodes", async ({ page }) => {
  test.setTimeout(300_000);
  for (const [path, heading, content] of [
    ["/nodes", "Nodes", "Where it is hot"],
    [`/nodes/${ids.nereid}`, "second", "What it says of itself"],
    [`/nodes/${ids.triton}?range=15m`, "plain", "Models on it"],
    ["/settings/nodes", "Settings", "Add a node"],
    [`/models/simple?node=${ids.nereid}`, "simple", "On other nodes"],
  ] as const) {
    await page.goto(web(path));
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByText(content).first()).toBeVisible();
    await checkLooks(page, path);
  }
});

test("a node that is gone is stale, with the time since when; the others are not", async ({ page }) => {
  await page.goto(web("/nodes"));
  await second.kill();
  await expect(page.getByText(/^Unreachable since \d\d:\d\d:\d\d$/).first()).toBeVisible();
  await expect(page.getByText("Healthy").first()).toBeVisible();
  await page.getByRole("link", { name: "second", exact: true }).first().click();
  await expect(page.getByText("The node does not answer.")).toBeVisible();
  await expect(page.getByText("It does not say which models it has")).toBeVisible();
});
