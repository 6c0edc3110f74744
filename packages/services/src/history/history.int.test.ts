import { setImmediate as turn } from "node:timers/promises";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import type { SecondBucket } from "@nereid/telemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { HubEvent } from "../metrics/metrics-hub.ts";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { createHistory, forgetBeyondRetention } from "./create-history.ts";
import type { HistoryAnswer } from "./history-reader.ts";
import { HistoryRecorder } from "./history-recorder.ts";
import { HistoryStore } from "./history-store.ts";
import { ownReader } from "./own-reader.ts";
import { addSums } from "./series-sums.ts";
import { tiersFor } from "./step-tiers.ts";

/** A multiple of an hour, so that chunks are easy to count. */
const HOUR_START = 1_699_999_200;
const MS = 1_000;

/** A hub that has what is pushed into it. */
function fakeHub() {
  const buckets: SecondBucket[] = [];
  let wake = () => {};
  return {
    push: (...more: SecondBucket[]) => {
      buckets.push(...more);
      wake();
    },
    follow: async function* ({
      after,
      signal,
    }: {
      after: number;
      signal: AbortSignal;
    }): AsyncGenerator<HubEvent, void> {
      let at = buckets.findIndex(({ t }) => t > after);
      at = at < 0 ? buckets.length : at;
      while (!signal.aborted) {
        const bucket = buckets[at];
        if (bucket !== undefined) {
          at += 1;
          yield { kind: "bucket", bucket };
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
  };
}

/** One request of 4 ms each second, and one pending. */
function second(t: number, model = "m", version = "1"): SecondBucket {
  return { ...bucketOf(t, seriesOf(model, [4], { version, pending: 1 })), node: { cpu: 0.5, eventLoopLagMs: t % 7 } };
}
const seconds = (from: number, count: number, model?: string) =>
  Array.from({ length: count }, (_, i) => second(from + i, model));

/** Thousands of seconds are folded in a test, beside others on the same processors. */
const PATIENCE = { timeout: 60_000 };

const never = (_ms: number, signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));

const requestsOf = ({ series }: HistoryAnswer) =>
  series.reduce((sum, { points }) => sum + points.reduce((all, { merged }) => all + merged.success, 0), 0);

describe.each(await testDialects())("history on $dialect", (dialect) => {
  let test: TestDatabase;
  let now = HOUR_START;
  const clock = { now: () => now * MS };
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(async () => {
    now = HOUR_START;
    await test.db.metricChunk.deleteMany();
    await test.db.setting.deleteMany();
  });
  afterAll(() => test.drop());

  const record = (hub: ReturnType<typeof fakeHub>, store = new HistoryStore(test.db)) => {
    const errors: unknown[] = [];
    const recorder = new HistoryRecorder({
      nodeId: "local",
      hub,
      store,
      clock,
      tiers: tiersFor(30),
      pause: never,
      onError: (error) => errors.push(error),
    });
    recorder.start();
    const reader = ownReader({ store: new HistoryStore(test.db), clock, recorders: new Map([["local", recorder]]) });
    const upTo = async (t: number) => {
      now = t + 1;
      await vi.waitFor(() => expect(recorder.last).toBe(t), PATIENCE);
    };
    return { recorder, reader, upTo, errors };
  };
  const whole = { node: "local", model: "m", from: HOUR_START, to: HOUR_START + 7_200 };

  it("what was recorded is read back at every step, before and after it is written, and over a restart that fills the gap", async () => {
    const hub = fakeHub();
    hub.push(...seconds(HOUR_START, 1_000));
    const first = record(hub);
    await first.upTo(HOUR_START + 999);
    expect(requestsOf(await first.reader.range(whole))).toBe(1_000);
    await first.recorder.write();
    for (const length of [250, 999, 3_600, 7_200]) {
      const answer = await first.reader.range({ ...whole, to: HOUR_START + length });
      expect(requestsOf(answer)).toBe(Math.min(1_000, Math.ceil(length / answer.step) * answer.step));
    }
    await first.recorder.stop();

    // The node goes on; the dashboard comes back later and reads what the node remembers.
    hub.push(...seconds(HOUR_START + 1_000, 3_000));
    const second_ = record(hub);
    await second_.upTo(HOUR_START + 3_999);
    await second_.recorder.write();
    const after = await second_.reader.range({ ...whole, to: HOUR_START + 4_000 });
    expect(after.step).toBe(20);
    expect(requestsOf(after)).toBe(4_000);
    expect(after.series[0]?.points.every(({ seconds: one }) => one === 20)).toBe(true);
    await second_.recorder.stop();

    // All of it from the database alone, and from the minutes: the first hour is closed, the second only in the seconds.
    const third = record(fakeHub());
    await vi.waitFor(() => expect(third.recorder.last).toBe(HOUR_START + 3_999), PATIENCE);
    const minutes = await third.reader.range({ ...whole, to: HOUR_START + 4_000, maxPoints: 70 });
    expect(minutes.step).toBe(60);
    expect(requestsOf(minutes)).toBe(4_000);
    expect(minutes.series[0]?.points[3]?.merged).toMatchObject({ success: 60, pending: 1, pendingSum: 60 });
    await third.recorder.stop();
    expect(third.errors).toEqual([]);
  });

  it("splits by version and node, knows quiet steps from missing ones, and tells of the node itself", async () => {
    const hub = fakeHub();
    hub.push(
      second(HOUR_START),
      { t: HOUR_START + 1, series: [] },
      second(HOUR_START + 9, "m", "2"),
      second(HOUR_START + 10, "other"),
    );
    const { recorder, reader, upTo } = record(hub);
    await upTo(HOUR_START + 10);
    const query = { ...whole, to: HOUR_START + 30 };
    const { series } = await reader.range({ ...query, splitBy: "version" });
    expect(series.map(({ key, points }) => [key, points.map(({ merged }) => merged.success)])).toEqual([
      ["1", [1, 0, 0, 0]],
      ["2", [0, 0, 1, 0]],
    ]);
    const [all] = (await reader.range({ ...query, model: undefined, node: "all" })).series;
    expect(all?.points.map(({ t, merged }) => [t - HOUR_START, merged.success])).toEqual([
      [0, 1],
      [1, 0],
      [9, 1],
      [10, 1],
    ]);
    expect((await reader.range({ ...query, splitBy: "node", node: "all" })).series.map(({ key }) => key)).toEqual([
      "local",
    ]);
    expect(await reader.models({ node: "all", from: HOUR_START, to: HOUR_START + 30 })).toEqual(["m", "other"]);
    const totals = await reader.totals({ node: "all", from: HOUR_START, to: HOUR_START + 30 });
    expect(totals.map(({ model, sums }) => [model, sums.success])).toEqual([
      ["m", expect.any(Number)],
      ["other", expect.any(Number)],
    ]);
    const ofModel = async (model: string) =>
      (await reader.range({ ...query, node: "all", model })).series[0]?.points.map(({ merged }) => merged) ?? [];
    for (const { model, sums } of totals) expect(sums).toEqual((await ofModel(model)).reduce(addSums));
    const node = await reader.nodeRange({ node: "local", from: HOUR_START, to: HOUR_START + 600, maxPoints: 60 });
    expect(node.points).toEqual([
      {
        t: HOUR_START,
        seconds: 3,
        cpu: 0.5,
        eventLoopLagMs: (HOUR_START + 9) % 7 > HOUR_START % 7 ? (HOUR_START + 9) % 7 : HOUR_START % 7,
      },
      { t: HOUR_START + 10, seconds: 1, cpu: 0.5, eventLoopLagMs: (HOUR_START + 10) % 7 },
    ]);
    await recorder.stop();
  });

  it("models without traffic write nothing", async () => {
    const hub = fakeHub();
    hub.push(...Array.from({ length: 20 }, (_, i) => ({ t: HOUR_START + i, series: [] })));
    const { recorder, upTo } = record(hub);
    await upTo(HOUR_START + 19);
    await recorder.stop();
    expect(await test.db.metricChunk.findMany({ select: { model: true, step: true } })).toEqual([
      { model: "", step: 1 },
    ]);
  });

  it("keeps what a database that is down does not take, tells of it once, and gives up the oldest at a bound", async () => {
    const hub = fakeHub();
    const store = new HistoryStore(test.db);
    let down = true;
    const replace = store.replace.bind(store);
    store.replace = (...args) => (down ? Promise.reject(new Error("down")) : replace(...args));
    const waits: (() => void)[] = [];
    const errors: unknown[] = [];
    const recorder = new HistoryRecorder({
      nodeId: "local",
      hub,
      store,
      clock,
      tiers: tiersFor(30),
      pause: (_ms, signal) =>
        new Promise((resolve) => {
          waits.push(resolve);
          signal.addEventListener("abort", () => resolve(), { once: true });
        }),
      onError: (error) => errors.push(error),
    });
    recorder.start();
    hub.push(...seconds(HOUR_START, 3_600));
    await vi.waitFor(() => expect(recorder.last).toBe(HOUR_START + 3_599), PATIENCE);
    for (let round = 0; round < 3; round += 1) {
      await vi.waitFor(() => expect(waits.length).toBeGreaterThan(0), PATIENCE);
      waits.pop()?.();
      await turn();
    }
    await vi.waitFor(() => expect(recorder.memoryOf(1)?.starts()).toHaveLength(30), PATIENCE);
    expect(errors).toHaveLength(1);
    down = false;
    await recorder.stop();
    expect(await test.db.metricChunk.count({ where: { step: 1, model: "m" } })).toBe(30);
    expect(await test.db.metricChunk.count({ where: { step: 60, model: "m" } })).toBe(1);
  });

  it("throws away what is older than its tier is kept, and minutes by the setting", async () => {
    const store = new HistoryStore(test.db);
    const data = Uint8Array.from([1]);
    const at = (step: number, ago: number) =>
      store.replace({ node: "local", step, start: HOUR_START - ago }, [{ model: "m", version: "1", data }]);
    await at(1, 1_800);
    await at(1, 7_200);
    await at(10, 7_200);
    await at(10, 2 * 86_400);
    await at(60, 5 * 86_400);
    await at(60, 40 * 86_400);
    await forgetBeyondRetention(store, clock);
    const left = async () =>
      (await test.db.metricChunk.findMany({ orderBy: { start: "asc" } })).map(({ step }) => step);
    expect(await left()).toEqual([60, 10, 1]);
    await test.db.setting.create({ data: { key: "retention", value: '{"historyDays":2}' } });
    await forgetBeyondRetention(store, clock);
    expect(await left()).toEqual([10, 1]);
  });

  it("several nodes are recorded and read together and apart", async () => {
    const [a, b] = [fakeHub(), fakeHub()];
    const history = createHistory({ db: test.db, clock, pause: never });
    history.start("local", a);
    history.start("local", b);
    history.start("other", b);
    a.push(...seconds(HOUR_START, 30));
    b.push(...seconds(HOUR_START, 30));
    now = HOUR_START + 30;
    const query = { model: "m", from: HOUR_START, to: HOUR_START + 30 };
    await vi.waitFor(
      async () => expect(requestsOf(await history.reader.range({ node: "all", ...query }))).toBe(60),
      PATIENCE,
    );
    const { series } = await history.reader.range({ node: "all", ...query, splitBy: "node" });
    expect(series.map(({ key, points }) => [key, points.length])).toEqual([
      ["local", 30],
      ["other", 30],
    ]);
    const [both] = (await history.reader.range({ node: "all", ...query })).series;
    expect(both?.points[0]).toMatchObject({ seconds: 1, merged: { success: 2, pending: 2 } });
    await history.stopNode("other", { forget: true });
    await history.stop();
    expect(requestsOf(await history.reader.range({ node: "all", ...query }))).toBe(30);
  });
});
