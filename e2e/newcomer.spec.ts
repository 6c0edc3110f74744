import { expect, type Locator } from "@playwright/test";
import { contextOf, makePerson } from "./people.ts";
import { ask, serveScript, unload } from "./planted.ts";
import { expectAccessible, expectNoSidewaysScroll, web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "planted_newcomer";
const MOST_CLICKS = 12;
const QUICK = "max_queue_delay_microseconds: 500";
const SLOW = "max_queue_delay_microseconds: 400000";

interface History {
  readonly totals: { readonly count: number; readonly p99: number | null };
}

test("somebody new on call finds the slowest model, since when and why, undoes it and proves it", async ({
  page,
  browser,
}) => {
  await serveScript({ name: MODEL, config: `max_batch_size: 8 dynamic_batching { ${QUICK} }`, work: "spin(1);" });
  let over = false;
  const caller = (async () => {
    while (!over) await ask(MODEL);
  })();
  try {
    const startS = Math.floor(Date.now() / 1000);
    await answered({ from: startS, enough: 100 });

    // Another person saves a change while requests come in.
    const otto = await contextOf(browser, await makePerson(page.request, { name: "Otto", role: "operator" }));
    const state = await (await otto.request.get(web(`/api/v1/models/${MODEL}/config`))).json();
    const text = String(state.text).replace(QUICK, SLOW);
    const saved = await otto.request.put(web(`/api/v1/models/${MODEL}/config`), {
      data: { text, ifDigest: state.digest, reason: "fuller batches" },
    });
    expect(saved.status(), await saved.text()).toBe(200);
    await otto.close();
    const changedS = Math.ceil(Date.now() / 1000);
    const slow = await answered({ from: changedS, enough: 12 });
    expect(slow.totals.p99).toBeGreaterThan(300);

    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await page.goto(web("/"));

    // Which model is slowest: the table of the first page says it, and leads to its charts.
    const worst = page.getByRole("region", { name: "Worst models first" });
    const mine = worst.getByRole("row").filter({ hasText: MODEL });
    await expect(mine).toBeVisible();
    await click(mine.getByRole("link", { name: `Latency of ${MODEL}` }));

    // Since when: the mark of the change stands where the latency rises.
    await expect(page).toHaveURL(new RegExp(`/models/${MODEL}/latency`));
    const changes = page.getByRole("list", { name: "Changes in this range" });
    const change = changes.getByRole("listitem").filter({ hasText: "Configuration changed, Otto" });
    await expect(change).toBeVisible();
    await expectAccessible(page, "latency with marks");

    // What changed.
    await click(change.getByRole("link", { name: "What changed" }));
    const compared = page.getByRole("dialog", { name: "Two configurations compared" });
    await expect(compared).toContainText(SLOW);
    await expect(compared).toContainText(QUICK);
    await expectAccessible(page, "the change");

    // Undo it.
    await click(compared.getByRole("button", { name: "Restore the older text" }));
    await click(page.getByRole("alertdialog").getByRole("button", { name: "Restore it" }));
    await expect(page.getByText("The configuration is restored")).toBeVisible();
    const restoredS = Math.ceil(Date.now() / 1000);
    const now = await (await page.request.get(web(`/api/v1/models/${MODEL}/config`))).json();
    expect(now.text).toContain(QUICK);
    await answered({ from: restoredS + 1, enough: 100 });

    // Prove it: as long after the change as before it.
    await click(page.getByRole("navigation", { name: `Pages of ${MODEL}` }).getByRole("link", { name: "Latency" }));
    const undone = changes.getByRole("listitem").filter({ hasText: "Configuration restored, Ada" });
    await click(undone.getByRole("link", { name: "Before and after" }));
    await expect(page).toHaveURL(/compare=true/);
    const p99 = page.locator("dl > div").filter({ hasText: "p99 latency" });
    await expect(p99).toContainText(/before: .*−9\d %/);
    await expectNoSidewaysScroll(page);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);

    // The trail of it all is one line of time.
    await page.goto(web(`/events?model=${MODEL}`));
    await expect(page.getByText("fuller batches")).toBeVisible();
    await expect(page.getByText("Configuration restored")).toBeVisible();
  } finally {
    over = true;
    await caller;
    await unload(MODEL);
  }

  /** The figures of what was measured since a moment, once there are so many requests. */
  async function answered({ from, enough }: { readonly from: number; readonly enough: number }): Promise<History> {
    let history: History = { totals: { count: 0, p99: null } };
    await expect
      .poll(
        async () => {
          const to = Math.floor(Date.now() / 1000) + 1;
          const answer = await page.request.get(
            web(`/api/v1/history?model=${MODEL}&from=${from}&to=${Math.max(to, from + 1)}`),
          );
          expect(answer.status(), await answer.text()).toBe(200);
          history = await answer.json();
          return history.totals.count;
        },
        { intervals: [500], timeout: 120_000 },
      )
      .toBeGreaterThanOrEqual(enough);
    return history;
  }
});
