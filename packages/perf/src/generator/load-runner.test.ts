import { describe, expect, it } from "vitest";
import { unpackRecords } from "../load/load-record.ts";
import { nowMs } from "./clock.ts";
import { DueClock } from "./due-clock.ts";
import type { Answer, Lane } from "./lane.ts";
import { LoadRun } from "./load-runner.ts";
import type { RequestSource } from "./request-source.ts";
import { runClosedLoop } from "./run-closed-loop.ts";
import { runOpenLoop } from "./run-open-loop.ts";
import { spec } from "./testing/spec.ts";

const source: RequestSource = {
  next: () => ({ bytes: new Uint8Array(), input: 0, sequenceId: 0, sequenceEnd: false, done: () => undefined }),
  ends: () => [],
};

/** Lanes whose answers come when they are let go; a lane takes one request at a time. */
function heldLanes() {
  const held: (() => void)[] = [];
  const lane = (): Lane => {
    let busy = false;
    return {
      open: async () => undefined,
      send: () => {
        if (busy) throw new Error("a lane got two requests at once");
        busy = true;
        return new Promise<Answer>((resolve) => {
          held.push(() => {
            busy = false;
            const endMs = nowMs();
            resolve({ sentMs: endMs, firstMs: endMs, endMs, responsesMs: [endMs], outputTokens: 0, error: undefined });
          });
        });
      },
      close: () => undefined,
    };
  };
  const release = () => {
    for (const go of held.splice(0)) go();
  };
  return { lane, held, release };
}

/** Lets whatever is ready happen, until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe("runClosedLoop()", () => {
  it("keeps one request on each lane, and sends exactly as many as are wanted", async () => {
    const { lane, held, release } = heldLanes();
    const run = new LoadRun({ ...spec, total: 10 }, source);
    const going = runClosedLoop(run, [lane(), lane(), lane()]);
    const most: number[] = [];
    while (run.wants || run.underWay > 0) {
      await until(() => held.length === Math.min(3, run.underWay) && (held.length === 3 || !run.wants));
      most.push(held.length);
      release();
      await until(() => held.length > 0 || run.underWay === 0);
    }
    await going;
    await run.ended();
    expect(most).toEqual([3, 3, 3, 1]);
    expect(unpackRecords(run.records.take())).toHaveLength(10);
  });

  it("sends nothing more once it is stopped", async () => {
    const { lane, held, release } = heldLanes();
    const run = new LoadRun(spec, source);
    const going = runClosedLoop(run, [lane()]);
    run.stop();
    release();
    await going;
    await run.ended();
    expect([held.length, run.underWay]).toEqual([0, 0]);
  });
});

describe("runOpenLoop()", () => {
  it("sends what is due although nothing is answered, and counts from when it was due", async () => {
    const { lane, held, release } = heldLanes();
    const run = new LoadRun(spec, source);
    using clock = await DueClock.start();
    const startMs = nowMs() + 5;
    await runOpenLoop(run, { arrivals: { kind: "recorded", offsetsMs: [0, 0, 4, 8] }, startMs, clock }, lane);
    expect(held).toHaveLength(4);
    release();
    await until(() => run.underWay === 0);
    const due = unpackRecords(run.records.take()).map(({ dueMs }) => dueMs);
    expect(due.map((ms) => Math.round(ms - startMs))).toEqual([0, 0, 4, 8]);
  });
});
