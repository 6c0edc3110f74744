import { setTimeout as sleep } from "node:timers/promises";
import type { SecondBucket } from "@nereid/client";
import { afterEach, describe, expect, it } from "vitest";
import { bucketOf } from "../testing/buckets.ts";
import { type HubEvent, MetricsHub } from "./metrics-hub.ts";

/** An upstream that says what it is told, and breaks when it is told. */
function fakeUpstream() {
  const opened: (number | undefined)[] = [];
  let push: (item: SecondBucket | "break") => void = () => {};
  const open = async function* ({ after, signal }: { after?: number; signal: AbortSignal }) {
    opened.push(after);
    const queue: (SecondBucket | "break")[] = [];
    let wake = () => {};
    push = (item) => {
      queue.push(item);
      wake();
    };
    signal.addEventListener("abort", () => wake());
    while (!signal.aborted) {
      const item = queue.shift();
      if (item === "break") throw new Error("upstream broke");
      if (item !== undefined) yield item;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { opened, open, push: (item: SecondBucket | "break") => push(item) };
}

const hubs: MetricsHub[] = [];
afterEach(() => {
  for (const hub of hubs.splice(0)) hub.stop();
});

function startHub(capacity = 3) {
  const upstream = fakeUpstream();
  const errors: unknown[] = [];
  const hub = new MetricsHub({
    open: upstream.open,
    clock: { now: () => Date.now() },
    pause: () => sleep(1),
    onError: (error) => errors.push(error),
    capacity,
  });
  hubs.push(hub);
  hub.start();
  return { hub, upstream, errors };
}

async function take(events: AsyncGenerator<HubEvent>, count: number): Promise<number[]> {
  const seconds: number[] = [];
  while (seconds.length < count) {
    const { value } = await events.next();
    if (value?.kind === "bucket") seconds.push(value.bucket.t);
  }
  return seconds;
}

describe("MetricsHub", () => {
  it("opens one upstream stream for any number of followers and resumes it after a break", async () => {
    const { hub, upstream, errors } = startHub();
    const signal = new AbortController().signal;
    const followers = [hub.follow({ after: 0, signal }), hub.follow({ after: 0, signal })];
    await sleep(5);
    upstream.push(bucketOf(1));
    expect(await Promise.all(followers.map((events) => take(events, 1)))).toEqual([[1], [1]]);
    upstream.push("break");
    await sleep(20);
    upstream.push(bucketOf(1));
    upstream.push(bucketOf(2));
    expect(await Promise.all(followers.map((events) => take(events, 1)))).toEqual([[2], [2]]);
    expect(upstream.opened).toEqual([undefined, 1]);
    expect(errors).toHaveLength(1);
  });

  it("remembers only its capacity and hands a late follower what is left", async () => {
    const { hub, upstream } = startHub(3);
    await sleep(5);
    for (const t of [1, 2, 3, 4, 5]) upstream.push(bucketOf(t));
    await sleep(10);
    expect(hub.recent(0).map((bucket) => bucket.t)).toEqual([3, 4, 5]);
    expect(await take(hub.follow({ after: 3, signal: new AbortController().signal }), 2)).toEqual([4, 5]);
  });

  it("begins with the connection and tells its changes", async () => {
    const { hub, upstream } = startHub();
    const events = hub.follow({ after: 0, signal: new AbortController().signal });
    expect((await events.next()).value).toMatchObject({ kind: "connection", connection: { state: "connecting" } });
    await sleep(5);
    upstream.push(bucketOf(1));
    expect((await events.next()).value).toMatchObject({ kind: "connection", connection: { state: "live" } });
  });

  it("ends followers when their signal aborts and when the hub stops", async () => {
    const { hub } = startHub();
    const abort = new AbortController();
    const first = hub.follow({ after: 0, signal: abort.signal });
    const second = hub.follow({ after: 0, signal: new AbortController().signal });
    await Promise.all([first.next(), second.next()]);
    const ends = [first.next(), second.next()];
    abort.abort();
    expect(await ends[0]).toMatchObject({ done: true });
    hub.stop();
    expect(await ends[1]).toMatchObject({ done: true });
  });
});
