import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SequencePolicy } from "./sequence-policy.ts";
import { SequenceCheck } from "./testing/sequence-check.ts";
import { IDLE, type Item, MS, SequenceWorld, tensorOf } from "./testing/sequence-world.ts";

const RUNS = 120;
const REQUESTS_PER_RUN = 2000;

interface Setting {
  readonly seed: number;
  readonly slots: number;
  readonly maxBatchSize: number;
  readonly oldest: boolean;
  readonly delayNs: number;
  readonly utilization: number;
  readonly instances: number;
  readonly ids: number;
  readonly shapes: number;
  /** How often instances come and go, clients cancel, and time passes. */
  readonly unrest: number;
}

const settings: fc.Arbitrary<Setting> = fc.record({
  seed: fc.integer(),
  slots: fc.integer({ min: 1, max: 5 }),
  maxBatchSize: fc.integer({ min: 1, max: 5 }),
  oldest: fc.boolean(),
  delayNs: fc.constantFrom(0, 0, 3 * MS),
  utilization: fc.constantFrom(0, 0.5, 1),
  instances: fc.integer({ min: 1, max: 4 }),
  ids: fc.integer({ min: 1, max: 40 }),
  shapes: fc.constantFrom(1, 1, 3),
  unrest: fc.constantFrom(0, 0.05, 0.2),
});

function policyFor(setting: Setting): Partial<SequencePolicy> {
  const { slots, maxBatchSize, oldest, delayNs, utilization } = setting;
  return {
    slotsPerInstance: slots,
    strategy: oldest
      ? {
          kind: "oldest",
          maxCandidateSequences: slots,
          preserveOrdering: false,
          batch: { maxBatchSize, preferredBatchSizes: [maxBatchSize], maxQueueDelayNs: delayNs },
        }
      : { kind: "direct", maxQueueDelayNs: delayNs, minimumSlotUtilization: utilization },
    states: [
      {
        input: tensorOf("S", "INT32", [1]),
        output: tensorOf("S_OUT", "INT32", [1]),
        visible: false,
        initial: { shape: [1], bytes: new Uint8Array(4) },
      },
    ],
  };
}

/** Small numbers in a sequence that depends on the seed only. */
function randomOf(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.floor(((state >>> 8) / 2 ** 24) * below);
  };
}

class Simulation {
  readonly world: SequenceWorld;
  readonly check: SequenceCheck;
  readonly #setting: Setting;
  readonly #random: (below: number) => number;
  readonly #recent: Item[] = [];
  #value = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#random = randomOf(setting.seed);
    this.world = new SequenceWorld({ policy: policyFor(setting), instances: setting.instances });
    this.check = new SequenceCheck(this.world);
  }

  run(): void {
    for (let request = 0; request < REQUESTS_PER_RUN; request++) {
      this.#request();
      if (this.#random(3) > 0) this.#finishOne();
      if (this.#random(2) === 0) this.world.pass(this.#random(4 * MS));
      if (this.#random(1000) < this.#setting.unrest * 1000) this.#disturb();
    }
    this.#drain();
  }

  #request(): void {
    const id = 1 + this.#random(this.#setting.ids);
    const live = this.world.scheduler.has(BigInt(id));
    // Some clients start what is live, and some continue what is not.
    const start = this.#random(20) === 0 ? live : !live;
    const place = `${id}${start ? "s" : ""}${this.#random(5) === 0 ? "e" : ""}`;
    const timeoutNs = this.#random(4) === 0 ? this.#random(20 * MS) : 0;
    const item = this.world.item(place, { timeoutNs, shapeKey: String(this.#random(this.#setting.shapes)) });
    if (!this.check.enqueue(item)) return;
    this.#recent.push(item);
    if (this.#recent.length > 30) this.#recent.shift();
  }

  #finishOne(): void {
    const busy = [...this.world.running.keys()];
    const instance = busy[this.#random(busy.length)];
    // One of eight requests fails.
    if (instance !== undefined) this.check.finish(instance, () => (this.#random(8) === 0 ? undefined : ++this.#value));
  }

  #disturb(): void {
    const what = this.#random(5);
    const item = this.#recent[this.#random(this.#recent.length)];
    if (what === 0 && item !== undefined) this.world.scheduler.cancel(item);
    else if (what === 1) this.world.pass(IDLE * (0.5 + this.#random(2)));
    else if (what === 2) this.#resize(this.#random(this.#setting.instances + 2));
    else if (what === 3) this.world.scheduler.release(BigInt(1 + this.#random(this.#setting.ids)));
    else if (item !== undefined) this.world.scheduler.cancel(item);
  }

  /** Executions of an instance that goes end when they end. */
  #resize(count: number): void {
    if (count > 0) this.check.removing(count);
    this.world.resize(count);
  }

  /** Every sequence ends, everything is executed. */
  #drain(): void {
    this.#resize(this.#setting.instances);
    for (const id of this.world.scheduler.liveIds) this.world.scheduler.release(id);
    for (let rounds = 0; rounds < REQUESTS_PER_RUN * 4; rounds++) {
      this.world.pass(4 * MS);
      if (this.world.running.size === 0) break;
      for (const instance of [...this.world.running.keys()]) this.check.finish(instance, () => ++this.#value);
    }
    this.world.pass(2 * IDLE);
  }
}

describe("SequenceScheduler under random clients, failures and instances", () => {
  it(`answers ${RUNS * REQUESTS_PER_RUN} requests as a sequence batcher must, and remembers nothing`, () => {
    let answered = 0;
    fc.assert(
      fc.property(settings, (setting) => {
        const simulation = new Simulation(setting);
        simulation.run();
        const { check, world } = simulation;
        expect(check.answered).toBe(check.accepted);
        expect(world.scheduler.remembered).toBe(0);
        expect(world.scheduler.occupancy).toMatchObject({ slotsInUse: 0, queued: 0, executing: 0, liveSequences: 0 });
        answered += check.answered;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    // Most of what is offered is accepted: the properties are about something.
    expect(answered).toBeGreaterThan(0.8 * RUNS * REQUESTS_PER_RUN);
  }, 120_000);
});
