import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { Database } from "@nereid/db";
import { expect, it } from "vitest";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { testContext } from "../testing/service-context.ts";
import type { LatencyRow } from "./latency-row.ts";
import { MetricsHub } from "./metrics-hub.ts";
import { streamLatency } from "./stream-latency.ts";

const SECONDS = 900;

async function startWithMemory(): Promise<MetricsHub> {
  const hub = new MetricsHub({
    open: async function* ({ signal }) {
      for (let t = 1; t <= SECONDS; t += 1) yield bucketOf(t, seriesOf("m", [1, 2, 3]));
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
    clock: { now: () => Date.now() },
    pause: async () => undefined,
  });
  hub.start();
  while (hub.recent(0).length < SECONDS) await turnOfLoop();
  return hub;
}

async function readAll(hub: MetricsHub, seen: Set<LatencyRow>): Promise<number> {
  // Nothing here needs the database.
  const ctx = { ...testContext({} as Database, "viewer"), metrics: hub };
  const abort = new AbortController();
  let rows = 0;
  for await (const event of streamLatency({ ctx, input: { model: "m", after: 0 }, signal: abort.signal })) {
    if (event.kind !== "row") continue;
    seen.add(event.row);
    if (++rows === SECONDS) abort.abort();
  }
  return rows;
}

it("200 subscribers cost one computation per row, and the loop turns meanwhile (50 froze the dashboard)", async () => {
  const seen = new Set<LatencyRow>();
  const hub = await startWithMemory();
  expect(await readAll(hub, seen)).toBe(SECONDS);
  let turns = 0;
  let reading = true;
  const health = (async () => {
    while (reading) {
      await turnOfLoop();
      turns += 1;
    }
  })();
  const read = await Promise.all(Array.from({ length: 200 }, () => readAll(hub, seen)));
  reading = false;
  await health;
  hub.stop();
  expect(new Set(read)).toEqual(new Set([SECONDS]));
  // Each row is the same object for everybody.
  expect(seen.size).toBe(SECONDS);
  // One turn for each slice of 10 rows of each subscriber.
  expect(turns).toBeGreaterThan(200 * 80);
});
