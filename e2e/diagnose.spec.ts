import { cpus } from "node:os";
import { expect, type Page } from "@playwright/test";
import { contextOf, makePerson } from "./people.ts";
import { ask, askSlowly, callers, serveScript, unload } from "./planted.ts";
import { expectAccessible, expectNoSidewaysScroll, web } from "./product.ts";
import { test } from "./signed-in.ts";

interface Report {
  readonly verdict: { readonly cause: string; readonly title: string };
  readonly steps: readonly {
    readonly id: string;
    readonly branch: string;
    readonly evidence: readonly { readonly label: string; readonly value: string }[];
  }[];
  readonly figures: { readonly requests: number };
}

interface Flight {
  readonly causes: readonly string[];
  readonly totalNs: number;
  readonly queue: { readonly waitedNs: number; readonly position: number };
  readonly phases?: { readonly inferNs: number };
  readonly batch?: {
    readonly reason: string;
    readonly size: number;
    readonly leftWaiting: number;
    readonly first?: boolean;
  };
  readonly receiveNs?: number;
}

/** Diagnoses what has happened to the model since `from`, once the last second has come in. */
async function diagnose(page: Page, model: string, from: number): Promise<Report> {
  const to = Math.ceil(Date.now() / 1000) + 1;
  let report: Report | undefined;
  let before = -1;
  await expect
    .poll(
      async () => {
        const answer = await page.request.post(web(`/api/v1/models/${model}/diagnose`), {
          data: { from, to, bars: { minRequests: 50 } },
        });
        expect(answer.status(), await answer.text()).toBe(200);
        report = await answer.json();
        const { requests } = report?.figures ?? { requests: 0 };
        const settled = requests > 0 && requests === before && Date.now() / 1000 > to + 1;
        before = requests;
        return settled;
      },
      { intervals: [500] },
    )
    .toBe(true);
  if (report === undefined) throw new Error("no report");
  return report;
}

/** The remembered requests of a model. */
async function flights(page: Page, model: string, cause: "slow" | "sampled"): Promise<readonly Flight[]> {
  const answer = await page.request.get(web(`/api/v1/requests?model=${model}&cause=${cause}&limit=500`));
  const { records }: { readonly records: readonly Flight[] } = await answer.json();
  return records;
}

const now = () => Math.floor(Date.now() / 1000);
/** The way to the verdict, with what was seen at each step. */
const way = ({ steps }: Report) =>
  steps
    .map(
      ({ id, branch, evidence }) =>
        `${id}: ${branch} ${evidence.map(({ label, value }) => `[${label} ${value}]`).join("")}`,
    )
    .join("\n");

test("the bars of a diagnosis are set on the page, stand in the address, and go back", async ({ page }) => {
  const model = "planted_bars";
  await serveScript({ name: model, config: "max_batch_size: 8", work: "spin(1);" });
  const from = now();
  await callers(model, { count: 2, enough: 30 });
  await page.goto(web(`/diagnose?model=${model}&from=${from}&to=${now() + 2}`));
  await page.getByRole("button", { name: "Show and change" }).click();
  const least = page.getByLabel("Requests for a p99, requests");
  await expect(least).toHaveValue("200");
  await least.fill("5");
  await page.getByLabel("Instances are saturated from, %").fill("70");
  await page.getByRole("button", { name: "Diagnose with these" }).click();
  await expect(page).toHaveURL(/bars=minRequests:5,busyShare:0\.7/);
  await expect(page.getByText("2 changed")).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `the bars at ${width} px`);
    await expectNoSidewaysScroll(page, `the bars at ${width} px`);
  }
  await page.reload();
  await expect(least).toHaveValue("5");
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await expect(page).not.toHaveURL(/bars=/);
  await expect(least).toHaveValue("200");
  await unload(model);
});

test.describe("planted causes are named, by the diagnosis and by the flight records", { tag: "@alone" }, () => {
  test("a batch that is full, and requests behind it", async ({ page }) => {
    const model = "planted_full";
    await serveScript({ name: model, config: "max_batch_size: 2 dynamic_batching { }", work: "spin(8);" });
    const from = now();
    await callers(model, { count: 16, enough: 500 });
    const report = await diagnose(page, model, from);
    expect(report.verdict.cause, way(report)).toBe("full-batch");
    const full = (await flights(page, model, "sampled")).filter(({ batch }) => batch?.reason === "full");
    expect(full.length).toBeGreaterThan(0);
    expect(full.every(({ batch }) => batch?.size === 2)).toBe(true);
    expect(full.some(({ batch, queue }) => (batch?.leftWaiting ?? 0) > 0 || queue.position > 0)).toBe(true);
    await unload(model);
  });

  test("a batcher that waits too long; the suggestion becomes a draft of the configuration", async ({ page }) => {
    const model = "planted_delay";
    await serveScript({
      name: model,
      config: "max_batch_size: 8 dynamic_batching {\n  max_queue_delay_microseconds: 40000 # for full batches\n}",
      work: "spin(1);",
    });
    const from = now();
    await callers(model, { count: 3, enough: 240 });
    const report = await diagnose(page, model, from);
    expect(report.verdict.cause, way(report)).toBe("delay-too-long");
    const [flight] = await flights(page, model, "sampled");
    expect(flight?.batch?.reason).toBe("delay-over");
    expect((flight?.queue.waitedNs ?? 0) / (flight?.totalNs ?? 1)).toBeGreaterThan(0.5);

    await page.goto(web(`/diagnose?model=${model}&from=${from}&to=${now() + 2}`));
    await expect(page.getByRole("heading", { name: "The batcher waits too long" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "What do they wait for?" })).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page, `a diagnosis at ${width} px`);
      await expectNoSidewaysScroll(page, `a diagnosis at ${width} px`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    // Another branch by hand leads elsewhere, stands in the address, and goes back.
    const answer = page.getByLabel("Answer to: Where do the slow requests spend their time?");
    await answer.selectOption("Preparing inputs");
    await expect(page.getByRole("heading", { name: "Preparing inputs takes the time" })).toBeVisible();
    await expect(page).toHaveURL(/choices=phases/);
    await page.reload();
    await expect(page.getByText("Chosen by hand")).toBeVisible();
    await answer.selectOption("Waiting in the queue");
    await expect(page.getByRole("heading", { name: "The batcher waits too long" })).toBeVisible();

    await page.getByRole("button", { name: "Keep, to compare later" }).click();
    await expect(page.getByRole("heading", { name: "Before and now" })).toBeVisible();
    await page.getByRole("button", { name: "Open as a draft" }).click();
    await expect(page).toHaveURL(/\/models\/planted_delay\/config/);
    await expect(page.getByLabel(`Configuration of ${model}`)).toContainText(
      /max_queue_delay_microseconds: \d{1,4} # for full batches/,
    );
    await unload(model);
  });

  test("batch sizes that are met for the first time", async ({ page }) => {
    const model = "planted_cold";
    await serveScript({
      name: model,
      config: "max_batch_size: 64",
      work: "if (!met.has(size)) { met.add(size); spin(size === 1 ? 1 : 120); } spin(1);",
    });
    const from = now();
    await callers(model, { count: 1, enough: 400 });
    for (let rows = 2; rows <= 16; rows++) await ask(model, rows);
    const report = await diagnose(page, model, from);
    expect(report.verdict.cause, way(report)).toBe("cold-batch-size");
    const slow = (await flights(page, model, "slow")).filter(({ totalNs }) => totalNs > 100e6);
    expect(slow.length).toBeGreaterThan(10);
    expect(slow.filter(({ batch }) => batch?.first === true).length).toBeGreaterThan(slow.length * 0.8);
    await unload(model);
  });

  test("another model that takes the processors", async ({ page }) => {
    const [model, loud] = ["planted_victim", "planted_loud"];
    const group = (count: number) => `instance_group [ { count: ${count} kind: KIND_CPU } ]`;
    await serveScript({
      name: model,
      config: `max_batch_size: 1 ${group(1)}`,
      work: "spin(0); let n = 0; for (let i = 0; i < 4e6; i++) n += i % 7; met.add(n);",
    });
    await serveScript({ name: loud, config: `max_batch_size: 1 ${group(cpus().length + 1)}`, work: "spin(150);" });
    const from = now();
    let over = false;
    const victim = (async () => {
      while (!over) await ask(model);
    })();
    const seconds = async (count: number) => {
      const end = Date.now() + count * 1000;
      await expect.poll(() => Date.now() >= end, { intervals: [100] }).toBe(true);
    };
    await seconds(5);
    await callers(loud, { count: cpus().length + 1, enough: 45 * cpus().length });
    await seconds(5);
    over = true;
    await victim;
    const report = await diagnose(page, model, from);
    expect(report.verdict.cause, way(report)).toBe("noisy-neighbour");
    expect(report.verdict.title).toContain(loud);
    const slow = await flights(page, model, "slow");
    expect(slow.length).toBeGreaterThan(0);
    await Promise.all([unload(model), unload(loud)]);
  });

  test("a client that sends slowly", async ({ page }) => {
    const model = "planted_client";
    await serveScript({ name: model, config: "max_batch_size: 8", work: "spin(1);" });
    const from = now();
    for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 40 }, () => askSlowly(model, 150)));
    const report = await diagnose(page, model, from);
    expect(report.verdict.cause, way(report)).toBe("slow-client");
    const [flight] = await flights(page, model, "sampled");
    expect(flight?.receiveNs).toBeGreaterThan(100e6);
    await unload(model);
  });
});

test("the page says what it needs, what it cannot do, and who may keep", async ({ page, browser }) => {
  await page.goto(web("/diagnose"));
  await expect(page.getByText("Choose a model, and what you see of it")).toBeVisible();
  await expectAccessible(page, "diagnose, empty");
  await page.getByLabel("Model", { exact: true }).selectOption("simple");
  await expect(page.getByText("Too few requests to say")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("Choose a model, and what you see of it")).toBeVisible();
  await page.goto(web("/diagnose?model=simple&kept=none"));
  await expect(page.getByText("there is no kept diagnosis none")).toBeVisible();
  await page.goto(web("/diagnose?model=simple&from=1&to=999999"));
  await expect(page.getByText("by a day at most")).toBeVisible();

  const viewer = await contextOf(browser, await makePerson(page.request, { name: "Dora", role: "viewer" }));
  const looking = await viewer.newPage();
  await looking.goto(web("/diagnose?model=simple"));
  await expect(looking.getByText("Too few requests to say")).toBeVisible();
  await expect(looking.getByRole("button", { name: "Keep, to compare later" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await viewer.close();
});
