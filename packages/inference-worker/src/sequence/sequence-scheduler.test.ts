import { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import type { SequencePolicy } from "./sequence-policy.ts";
import { IDLE, MS, policyOf, SequenceWorld, tensorOf } from "./testing/sequence-world.ts";

const NEEDS_START =
  "inference request for sequence 1 to model 'm' must specify the START flag on the first request of the sequence";
const STOPPING = "Server is stopping, scheduler for model has stopped accepting new inference requests";
const EXPIRED = "timeout of the corresponding sequence has been expired";

function oldest(fields: { slots?: number; maxBatchSize?: number; delayNs?: number; preferred?: number[] } = {}) {
  const maxBatchSize = fields.maxBatchSize ?? 4;
  return {
    slotsPerInstance: fields.slots ?? 4,
    strategy: {
      kind: "oldest",
      maxCandidateSequences: fields.slots ?? 4,
      preserveOrdering: false,
      batch: {
        maxBatchSize,
        preferredBatchSizes: fields.preferred ?? [maxBatchSize],
        maxQueueDelayNs: fields.delayNs ?? 0,
      },
    },
  } satisfies Partial<SequencePolicy>;
}

function direct(slots: number, delayNs = 0, minimumSlotUtilization = 0): Partial<SequencePolicy> {
  return {
    slotsPerInstance: slots,
    strategy: { kind: "direct", maxQueueDelayNs: delayNs, minimumSlotUtilization },
  };
}

function turns(world: SequenceWorld): string[] {
  return world.executions.flatMap(({ instance, entries }) =>
    entries.map(({ place }) => {
      const flags = `${place.start ? "S" : ""}${place.end ? "E" : ""}${place.ready ? "R" : ""}`;
      return `${instance}/${place.slot} ${place.id} ${flags}`;
    }),
  );
}

describe("slots and the backlog", () => {
  it("gives the lowest slot numbers first, across instances", () => {
    const world = new SequenceWorld({ instances: 2, policy: direct(2) });
    for (const id of [1, 2, 3, 4]) world.enqueue(`${id}s`);
    for (const instance of [0, 1]) world.finish(instance);
    expect(turns(world)).toEqual(["0/0 1 SR", "1/0 2 SR", "0/0 0 ", "0/1 3 SR", "1/0 0 ", "1/1 4 SR"]);
  });

  it("keeps a sequence on its slot", () => {
    const world = new SequenceWorld({ instances: 2, policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.finish(0);
    world.finish(1);
    world.enqueue("2");
    world.enqueue("1e");
    expect(turns(world)).toEqual(["0/0 1 SR", "1/0 2 SR", "1/0 2 R", "0/0 1 ER"]);
  });

  it("lets sequences without a slot wait, first come first served, with all their requests", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.enqueue("3s");
    world.enqueue("2e");
    expect(world.scheduler.occupancy).toMatchObject({ backlogSequences: 2, liveSequences: 2, slotsInUse: 1 });
    world.enqueue("1e");
    world.finishAll();
    expect(world.batches).toEqual(["0", "4", "1", "3", "2"]);
  });

  it("frees the slot when END is taken, not when it comes", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("1e");
    world.enqueue("2s");
    expect(world.scheduler.occupancy.backlogSequences).toBe(1);
    world.finish();
    expect(world.scheduler.occupancy.backlogSequences).toBe(0);
    expect(world.batches).toEqual(["0", "1"]);
    world.finish();
    expect(world.batches).toEqual(["0", "1", "2"]);
  });

  it("takes START and END in one request", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1se");
    world.enqueue("1se");
    world.finishAll();
    expect(turns(world)).toEqual(["0/0 1 SER", "0/0 1 SER"]);
    expect(world.scheduler.remembered).toBe(0);
  });

  it("begins another sequence with an id whose END is still waiting", () => {
    const world = new SequenceWorld({ policy: direct(2) });
    world.enqueue("1s");
    world.enqueue("1e");
    world.enqueue("1s");
    world.finishAll();
    expect(world.batches).toEqual(["0", "1 2"]);
    expect(world.scheduler.liveIds).toEqual([1n]);
  });

  it("tells numbers and texts apart", () => {
    const world = new SequenceWorld({ policy: direct(2) });
    world.enqueue("1s");
    world.enqueue("one:s");
    expect(world.scheduler.has(1n)).toBe(true);
    expect(world.scheduler.has("1")).toBe(false);
    expect(world.scheduler.has("one")).toBe(true);
  });

  it("says how many waited before", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    expect(["1s", "1", "2s"].map((place) => world.scheduler.enqueue(world.item(place)))).toEqual([0, 0, 1]);
    expect(world.scheduler.queued).toBe(2);
  });
});

describe("what a sequence must begin with", () => {
  it("refuses a request that neither starts a sequence nor belongs to one", () => {
    const world = new SequenceWorld();
    expect(() => world.enqueue("1")).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: NEEDS_START }),
    );
    expect(() => world.enqueue("a:e")).toThrow("inference request for sequence a to model 'm' must specify the START");
    expect(world.scheduler.remembered).toBe(0);
  });

  it("refuses what follows END", () => {
    const world = new SequenceWorld();
    world.enqueue("1s");
    world.enqueue("1e");
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
  });

  it("starts a live sequence anew in its slot, and says so in the log", () => {
    const world = new SequenceWorld({ policy: direct(2) });
    world.enqueue("1s");
    world.enqueue("1");
    world.enqueue("1s");
    world.finishAll();
    expect(turns(world)).toEqual(["0/0 1 SR", "0/0 1 R", "0/0 1 SR"]);
    expect(world.logs).toEqual(["sequence 1 of model 'm' was started again before its END; it starts anew"]);
  });

  it("starts a sequence of the backlog anew in its place", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.enqueue("3s");
    world.enqueue("2s");
    expect(world.scheduler.occupancy.backlogSequences).toBe(2);
    world.enqueue("1e");
    world.enqueue("2e");
    world.finishAll();
    expect(world.batches).toEqual(["0", "4", "1", "3", "5", "2"]);
  });
});

describe("idle sequences", () => {
  it("releases the slot silently, and asks for START afterwards", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.finish();
    world.enqueue("2s");
    world.pass(IDLE - 1);
    expect(world.batches).toEqual(["0"]);
    world.pass(1);
    expect(world.batches).toEqual(["0", "1"]);
    expect(world.refused.size).toBe(0);
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
    expect(world.scheduler.has(1n)).toBe(false);
  });

  it("counts from the last request", () => {
    const world = new SequenceWorld();
    world.enqueue("1s");
    world.enqueue("2s");
    world.finishAll();
    for (let round = 0; round < 5; round++) {
      world.pass(IDLE * 0.6);
      world.enqueue("1");
      world.finishAll();
    }
    expect(world.scheduler.liveIds).toEqual([1n]);
  });

  it("executes what the idle sequence still has before the slot is free", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("1");
    world.enqueue("2s");
    world.pass(IDLE);
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
    world.finishAll();
    expect(world.batches).toEqual(["0", "1", "2"]);
    expect(world.refused.size).toBe(0);
  });

  it("does not expire in the backlog, and counts anew from the slot", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    for (let round = 0; round < 4; round++) {
      world.pass(IDLE * 0.9);
      world.enqueue("1");
    }
    expect(world.scheduler.has(2n)).toBe(true);
    world.enqueue("1e");
    world.finishAll();
    world.pass(IDLE - 1);
    world.enqueue("2");
    world.pass(IDLE);
    expect(world.scheduler.liveSequences).toBe(0);
  });

  it("is late by nothing when the alarm is: the request itself finds the sequence over", () => {
    const world = new SequenceWorld();
    world.enqueue("1s");
    world.nowNs += IDLE;
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
  });
});

describe("time-outs in the backlog", () => {
  it("refuses the whole sequence at its smallest deadline", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s", { timeoutNs: 50 * MS });
    world.enqueue("3s", { timeoutNs: 500 * MS });
    world.enqueue("2", { timeoutNs: 20 * MS });
    world.enqueue("2");
    world.pass(20 * MS - 1);
    expect(world.refused.size).toBe(0);
    world.pass(1);
    expect([...world.refused.keys()]).toEqual([1, 3, 4]);
    for (const refusal of world.refused.values()) {
      expect(refusal).toMatchObject({ reason: "REJECTED", error: { code: "UNAVAILABLE", message: EXPIRED } });
    }
    expect(() => world.enqueue("2")).toThrow("must specify the START flag");
    world.enqueue("1e");
    world.finishAll();
    expect(world.batches.at(-1)).toBe("2");
  });

  it("has no effect once a slot is held", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s", { timeoutNs: 50 * MS });
    world.enqueue("1e", { timeoutNs: 1 });
    world.pass(10 * MS);
    world.finish();
    world.pass(100 * MS);
    world.finishAll();
    expect(world.refused.size).toBe(0);
    expect(world.batches).toEqual(["0", "2", "1"]);
  });
});

describe("cancellation", () => {
  it("cancels all that waits of the sequence, with an empty text, and frees its slot", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("1");
    const cancelled = world.enqueue("1");
    world.enqueue("2s");
    world.scheduler.cancel(cancelled);
    expect([...world.refused.keys()]).toEqual([1, 2]);
    for (const refusal of world.refused.values()) {
      expect(refusal).toMatchObject({ reason: "CANCELED", error: { code: "CANCELLED", message: "" } });
    }
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
    world.finishAll();
    expect(world.batches).toEqual(["0", "3"]);
  });

  it("cancels in the backlog", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    const cancelled = world.enqueue("2s", { timeoutNs: MS });
    world.scheduler.cancel(cancelled);
    expect([...world.refused.keys()]).toEqual([1]);
    world.enqueue("1e");
    world.finishAll();
    expect(world.scheduler.remembered).toBe(0);
  });

  it("does not disturb a request that is being executed", () => {
    const world = new SequenceWorld();
    const item = world.enqueue("1s");
    world.scheduler.cancel(item);
    world.finish();
    world.enqueue("1e");
    expect(world.refused.size).toBe(0);
    expect(world.batches).toEqual(["0", "1"]);
  });
});

describe("the direct strategy", () => {
  it("executes once at a time on an instance, at most one request of each slot, with null requests between", () => {
    const world = new SequenceWorld({ policy: direct(4) });
    for (const id of [1, 2, 3, 4]) world.enqueue(`${id}s`);
    world.finishAll();
    world.enqueue("2");
    world.enqueue("2");
    world.enqueue("4");
    world.finishAll();
    expect(world.batches).toEqual(["0", "- 1 2 3", "- 4", "- 5 - 6"]);
    expect(world.executions.every(({ notes }) => notes.reason === "sequence-slots")).toBe(true);
  });

  it("waits for enough slots or for the delay of the oldest request", () => {
    const world = new SequenceWorld({ policy: direct(4, 5 * MS, 0.5) });
    world.enqueue("1s");
    world.pass(3 * MS);
    world.enqueue("1");
    expect(world.batches).toEqual([]);
    world.enqueue("2s");
    expect(world.batches).toEqual(["0 2"]);
    world.finish();
    world.pass(5 * MS - 1);
    expect(world.batches).toEqual(["0 2"]);
    world.pass(1);
    expect(world.batches).toEqual(["0 2", "1"]);
  });

  it("keeps requests of another shape for the next batch", () => {
    const world = new SequenceWorld({ policy: direct(3) });
    world.enqueue("1s", { shapeKey: "a" });
    for (const [place, shapeKey] of [
      ["1", "b"],
      ["2s", "a"],
      ["3s", "b"],
    ] as const) {
      world.pass(MS);
      world.enqueue(place, { shapeKey });
    }
    world.finishAll();
    expect(world.batches).toEqual(["0", "1 - 3", "- 2"]);
  });

  it("goes on with the other instance while one executes", () => {
    const world = new SequenceWorld({ instances: 2, policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.enqueue("1");
    world.enqueue("2");
    world.finish(1);
    expect(world.batches).toEqual(["0", "1", "3"]);
  });
});

describe("the oldest strategy", () => {
  it("has one request of each sequence in flight and batches what is ready", () => {
    const world = new SequenceWorld({ policy: oldest() });
    world.enqueue("1s");
    world.enqueue("1");
    world.enqueue("2s");
    world.enqueue("3s");
    world.finishAll();
    expect(world.batches).toEqual(["0", "2 3 1"]);
    expect(turns(world)).toEqual(["0/0 1 SR", "0/1 2 SR", "0/2 3 SR", "0/0 1 R"]);
  });

  it("prefers sizes and waits for the delay, counted from when a request is ready", () => {
    const world = new SequenceWorld({ policy: oldest({ preferred: [2, 4], delayNs: 5 * MS }) });
    world.enqueue("1s");
    world.enqueue("1");
    expect(world.batches).toEqual([]);
    world.enqueue("2s");
    expect(world.batches).toEqual(["0 2"]);
    world.pass(50 * MS);
    world.finish();
    world.pass(5 * MS - 1);
    expect(world.batches).toEqual(["0 2"]);
    world.pass(1);
    expect(world.batches).toEqual(["0 2", "1"]);
    expect(world.executions.map(({ notes }) => notes.reason)).toEqual(["preferred", "delay-over"]);
  });

  it("holds more sequences than a batch takes", () => {
    const world = new SequenceWorld({ policy: oldest({ slots: 6, maxBatchSize: 2 }) });
    for (const id of [1, 2, 3, 4, 5]) world.enqueue(`${id}s`);
    expect(world.scheduler.occupancy.backlogSequences).toBe(0);
    world.finishAll();
    expect(world.batches).toEqual(["0", "1 2", "3 4"]);
  });

  it("does not execute a new sequence of a slot before the END before it is done", () => {
    const world = new SequenceWorld({ policy: oldest({ slots: 1 }) });
    world.enqueue("1se");
    world.enqueue("2s");
    expect(world.batches).toEqual(["0"]);
    world.finish();
    expect(world.batches).toEqual(["0", "1"]);
  });

  it("counts the delay of a sequence from when the END before it was done", () => {
    const world = new SequenceWorld({ policy: oldest({ slots: 1, delayNs: 5 * MS }) });
    world.enqueue("1se");
    world.pass(5 * MS);
    world.enqueue("2s");
    world.pass(20 * MS);
    world.finish();
    world.pass(5 * MS - 1);
    expect(world.batches).toEqual(["0"]);
    world.pass(1);
    expect(world.batches).toEqual(["0", "1"]);
  });
});

describe("implicit state", () => {
  const state = {
    input: tensorOf("S", "INT32", [1]),
    output: tensorOf("S_OUT", "INT32", [1]),
    visible: false,
    initial: { shape: [1], bytes: new Uint8Array([9, 0, 0, 0]) },
  };
  const produced = (value: number) => [
    { name: "S_OUT", datatype: "INT32", shape: [1, 1], bytes: new Uint8Array([value, 0, 0, 0]) },
  ];
  const seen = (world: SequenceWorld) =>
    world.executions.map(({ entries }) => entries.map(({ place }) => place.state?.inputs()[0]?.bytes[0]));

  it("goes from one request to the next, stays as it was on a failure, and begins anew with START", () => {
    const world = new SequenceWorld({ policy: { ...direct(1), states: [state] } });
    const values: unknown[] = [];
    world.onStart = ({ entries }) => values.push(entries[0]?.place.state?.inputs()[0]?.bytes[0]);
    for (const place of ["1s", "1", "1", "1s", "1"]) world.enqueue(place);
    world.finish(0, () => produced(1));
    world.finish(0, () => undefined);
    world.finish(0, () => produced(2));
    world.finish(0, () => produced(3));
    expect(values).toEqual([9, 1, 1, 9, 3]);
  });

  it("keeps states of another shape apart, and shows null requests the shape of the batch", () => {
    const variable = { ...state, input: tensorOf("S", "INT32", [-1]) };
    const world = new SequenceWorld({ policy: { ...direct(3), states: [variable] } });
    for (const id of [1, 2, 3]) world.enqueue(`${id}s`);
    world.finishAll();
    const long = [{ name: "S_OUT", datatype: "INT32", shape: [1, 2], bytes: new Uint8Array(8) }];
    world.enqueue("3");
    world.finish(0, () => long);
    for (const id of [2, 3, 1]) {
      world.pass(MS);
      world.enqueue(String(id));
    }
    world.finish();
    expect(world.batches.slice(2)).toEqual(["- - 3", "- 4", "- - 5"]);
    expect(seen(world).at(-1)).toEqual([0, 0, 0]);
    expect(world.executions.at(-1)?.entries.map(({ place }) => place.state?.inputs()[0]?.shape)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });
});

describe("iterative sequences", () => {
  const iterative = { ...direct(2), iterative: true };

  it("makes an id and START for a request without one, and ends with its final response", () => {
    const world = new SequenceWorld({ policy: iterative });
    const item = world.enqueue(undefined);
    const other = world.enqueue(undefined);
    for (let round = 0; round < 2; round++) {
      for (const one of world.running.get(0)?.entries ?? []) {
        if (one.kind === "request" && one.item === item) world.scheduler.reschedule(item);
      }
      world.finish();
    }
    world.scheduler.reschedule(item);
    world.finishAll();
    expect(other.serial).toBe(1);
    expect(turns(world).map((turn) => turn.replace(/\d{10,}/, (id) => String(BigInt(id) - (1n << 63n))))).toEqual([
      "0/0 0 SR",
      "0/0 0 R",
      "0/1 1 SR",
      "0/0 0 R",
      "0/0 0 R",
    ]);
    expect(world.scheduler.remembered).toBe(0);
  });

  it("makes a text where the model wants one", () => {
    const controls = [{ kind: "corrid" as const, tensor: tensorOf("C", "BYTES", [1]), shape: [1, 1] }];
    const world = new SequenceWorld({ policy: { ...iterative, controls } });
    world.enqueue(undefined);
    expect(typeof world.executions[0]?.entries[0]?.place.id).toBe("string");
  });

  it("does not become idle between its rounds, however long they take", () => {
    const world = new SequenceWorld({ policy: iterative });
    const item = world.enqueue(undefined);
    world.pass(3 * IDLE);
    world.scheduler.reschedule(item);
    world.finish();
    expect(world.batches).toEqual(["0", "0"]);
    world.finish();
    expect(world.scheduler.remembered).toBe(0);
  });

  it("is cancelled when it comes back", () => {
    const world = new SequenceWorld({ policy: iterative });
    const item = world.enqueue(undefined);
    world.scheduler.cancel(item);
    world.scheduler.reschedule(item);
    world.finish();
    expect(world.refused.get(0)).toMatchObject({ reason: "CANCELED", error: { code: "CANCELLED", message: "" } });
    expect(world.scheduler.remembered).toBe(0);
  });

  it("is refused when it comes back after all was ended", () => {
    const world = new SequenceWorld({ policy: iterative });
    const item = world.enqueue(undefined);
    world.scheduler.endAll(new NereidError("UNAVAILABLE", "version 1 was replaced"));
    world.scheduler.reschedule(item);
    world.finish();
    expect(world.refused.get(0)).toMatchObject({ reason: "OTHER", error: { message: "version 1 was replaced" } });
    expect(world.scheduler.queued).toBe(0);
  });

  it("refuses to reschedule for a model that is not iterative", () => {
    const world = new SequenceWorld();
    const item = world.enqueue("1s");
    expect(() => world.scheduler.reschedule(item)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("the end of a scheduler", () => {
  it("refuses only new sequences after stopAccepting", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.scheduler.stopAccepting();
    for (const place of ["3s", "1s", "4se"]) {
      expect(() => world.enqueue(place)).toThrow(expect.objectContaining({ code: "UNAVAILABLE", message: STOPPING }));
    }
    world.enqueue("1e");
    world.enqueue("2e");
    world.finishAll();
    expect(world.scheduler.liveSequences).toBe(0);
    expect(world.scheduler.remembered).toBe(0);
  });

  it("tells every live id once that all is over", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("1");
    world.enqueue("2s");
    const error = new NereidError("UNAVAILABLE", "version 1 was replaced");
    world.scheduler.endAll(error);
    expect([...world.refused.keys()]).toEqual([1, 2]);
    world.finishAll();
    expect(world.batches).toEqual(["0"]);
    expect([world.scheduler.liveSequences, world.scheduler.has(1n)]).toEqual([0, true]);
    expect(() => world.enqueue("1")).toThrow("version 1 was replaced");
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
    world.pass(IDLE);
    expect(() => world.enqueue("2")).toThrow("must specify the START flag");
    expect(world.scheduler.remembered).toBe(0);
  });

  it("forgets the error when the id starts anew", () => {
    const world = new SequenceWorld();
    world.enqueue("1s");
    world.scheduler.endAll(new NereidError("UNAVAILABLE", "over"));
    world.finishAll();
    world.enqueue("1s");
    world.enqueue("1e");
    world.finishAll();
    expect(world.scheduler.remembered).toBe(0);
  });

  it("refuses all that waits, which ends the sequences it belonged to", () => {
    const world = new SequenceWorld({ policy: direct(2) });
    world.enqueue("1s");
    world.enqueue("1");
    world.enqueue("2s");
    world.enqueue("3s");
    world.scheduler.refuseAll(new NereidError("UNAVAILABLE", "no runner"), "OTHER");
    expect([...world.refused.keys()]).toEqual([1, 2, 3]);
    expect(world.scheduler.queued).toBe(0);
    expect(world.scheduler.liveSequences).toBe(0);
    world.finishAll();
    expect(world.scheduler.remembered).toBe(0);
  });

  it("lets go of an id that is used elsewhere, after what it has", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("1");
    world.scheduler.release(1n);
    expect(world.scheduler.has(1n)).toBe(false);
    world.finishAll();
    expect(world.batches).toEqual(["0", "1"]);
    expect(world.scheduler.remembered).toBe(0);
  });
});

describe("instances that come and go", () => {
  const removed =
    /^sequence \d of model 'm' cannot continue: the instance that held this sequence was removed; start the sequence again$/;

  it("keeps sequences and their states while the runner is restarted, however long it takes", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("1");
    world.instances = 0;
    world.finish(0, () => undefined);
    world.pass(5 * IDLE);
    expect(world.batches).toEqual(["0"]);
    world.resize(1);
    expect(world.batches).toEqual(["0", "1"]);
    world.pass(IDLE - 1);
    world.enqueue("1e");
    world.finishAll();
    expect(world.refused.size).toBe(0);
    expect(world.scheduler.remembered).toBe(0);
  });

  it("ends them where the model itself remembers sequences", () => {
    const world = new SequenceWorld({ policy: direct(1), modelKeepsState: true });
    world.enqueue("1s");
    world.enqueue("1");
    world.enqueue("2s");
    world.instances = 0;
    world.finish(0, () => undefined);
    expect(world.refused.get(1)?.error.message).toContain("the process that held this sequence has ended");
    world.resize(1);
    world.finishAll();
    expect(world.batches).toEqual(["0", "2"]);
    expect(() => world.enqueue("1")).toThrow("start the sequence again");
    expect(() => world.enqueue("1")).toThrow(NEEDS_START);
  });

  it("lets sequences wait until there are instances", () => {
    const world = new SequenceWorld({ instances: 0, policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.pass(3 * IDLE);
    world.resize(2);
    expect(world.batches).toEqual(["0", "1"]);
  });

  it("gives new instances to the backlog", () => {
    const world = new SequenceWorld({ policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.resize(2);
    expect(turns(world)).toEqual(["0/0 1 SR", "1/0 2 SR"]);
  });

  it("moves the sequences of an instance that goes to free slots", () => {
    const world = new SequenceWorld({ instances: 2, policy: direct(2) });
    for (const id of [1, 2]) world.enqueue(`${id}s`);
    world.enqueue("2");
    world.resize(1);
    world.finish(0);
    // What the instance is doing goes on; the sequence must not run in two places.
    expect(world.batches).toEqual(["0", "1"]);
    world.finish(1);
    expect(turns(world).slice(2)).toEqual(["0/0 0 ", "0/1 2 R"]);
  });

  it("ends those without a free slot, and lets those that were not begun wait first in the backlog", () => {
    const world = new SequenceWorld({ instances: 2, policy: direct(1) });
    world.enqueue("1s");
    world.enqueue("2s");
    world.enqueue("2");
    world.enqueue("3s");
    world.resize(1);
    expect([...world.refused.keys()]).toEqual([2]);
    expect(world.refused.get(2)?.error.message).toMatch(removed);
    expect(world.refused.get(2)?.error.code).toBe("UNAVAILABLE");
    expect(() => world.enqueue("2")).toThrow(removed);
    world.finish(1);
    world.enqueue("1e");
    world.finishAll();
    expect(world.batches).toEqual(["0", "1", "5", "3"]);
  });

  it("puts sequences no instance has seen back before the backlog, where they do not become idle", () => {
    const world = new SequenceWorld({ instances: 3, policy: direct(1) });
    for (const instance of [0, 1, 2]) {
      world.running.set(instance, { instance, entries: [], notes: { reason: "full", leftWaiting: 0 } });
    }
    for (const id of [1, 2, 3, 4]) world.enqueue(`${id}s`);
    world.resize(1);
    expect(world.refused.size).toBe(0);
    expect(world.scheduler.occupancy).toMatchObject({ slots: 1, backlogSequences: 3 });
    world.pass(2 * IDLE);
    expect(world.scheduler.liveIds).toEqual([2n, 3n, 4n]);
    for (const id of [2, 3, 4]) world.enqueue(`${id}e`);
    world.running.clear();
    world.scheduler.dispatch();
    world.finishAll();
    expect(world.batches).toEqual(["0", "1", "4", "2", "5", "3", "6"]);
  });

  it("starts nothing on an instance whose execution is not reported as done", () => {
    const world = new SequenceWorld({ policy: direct(2) });
    const item = world.enqueue("1s");
    world.running.clear();
    world.enqueue("2s");
    expect(world.batches).toEqual(["0"]);
    world.scheduler.executed([item]);
    expect(world.batches).toEqual(["0", "- 1"]);
  });
});

describe("memory", () => {
  it("remembers nothing of many short sequences", () => {
    const world = new SequenceWorld({ policy: policyOf(direct(8)) });
    for (let id = 1; id <= 20_000; id++) {
      world.enqueue(`${id}s`);
      world.enqueue(`${id}e`);
      world.finishAll();
      world.executions.length = 0;
    }
    expect(world.scheduler.remembered).toBe(0);
    expect(world.scheduler.occupancy).toMatchObject({ slotsInUse: 0, queued: 0, executing: 0 });
  });

  it("expires many idle sequences", () => {
    const world = new SequenceWorld({ policy: oldest({ slots: 5000, maxBatchSize: 64 }) });
    for (let id = 1; id <= 5000; id++) world.enqueue(`${id}s`);
    world.finishAll();
    expect(world.scheduler.liveSequences).toBe(5000);
    world.pass(IDLE);
    expect(world.scheduler.remembered).toBe(0);
  });
});
