import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { SecondBucket, SeriesBucket } from "@nereid/client";
import type { Database } from "@nereid/db";
import { expect, it } from "vitest";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { testContext } from "../testing/service-context.ts";
import { MetricsHub } from "./metrics-hub.ts";
import { streamLatency } from "./stream-latency.ts";

const SECONDS = 900;

/** A bucket that counts how often somebody reads its series, which every computation on it does. */
function countingBucket(t: number, reads: { count: number }): SecondBucket {
  const series: SeriesBucket[] = bucketOf(t, seriesOf("m", [1, 2, 3])).series.slice();
  return {
    t,
    get series() {
      reads.count += 1;
      return series;
    },
  };
}

async function startWithMemory(reads: { count: number }): Promise<MetricsHub> {
  const hub = new MetricsHub({
    open: async function* ({ signal }) {
      for (let t = 1; t <= SECONDS; t += 1) yield countingBucket(t, reads);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
    clock: { now: () => Date.now() },
    pause: async () => undefined,
  });
  hub.start();
  while (hub.recent(0).length < SECONDS) await turnOfLoop();
  return hub;
}

async function readAll(hub: MetricsHub): Promise<number> {
  // Nothing here needs the database.
  const ctx = { ...testContext({} as Database, "viewer"), metrics: hub };
  const abort = new AbortController();
  let rows = 0;
  for await (const event of streamLatency({ ctx, input: { model: "m", after: 0 }, signal: abort.signal })) {
    if (event.kind === "row" && ++rows === SECONDS) abort.abort();
  }
  return rows;
}

it("200 subscribers cost one computation per row, and the loop turns meanwhile (50 froze the dashboard)", async () => {
  const reads = { count: 0 };
  const hub = await startWithMemory(reads);
  expect(await readAll(hub)).toBe(SECONDS);
  const ofOne = reads.count;
  let turns = 0;
  let reading = true;
  const health = (async () => {
    while (reading) {
      await turnOfLoop();
      turns += 1;
    }
  })();
  const read = await Promise.all(Array.from({ length: 200 }, () => readAll(hub)));
  reading = false;
  await health;
  hub.stop();
  expect(new Set(read)).toEqual(new Set([SECONDS]));
  expect(reads.count).toBe(ofOne);
  // One turn for each slice of 10 rows of each subscriber.
  expect(turns).toBeGreaterThan(200 * 80);
});
