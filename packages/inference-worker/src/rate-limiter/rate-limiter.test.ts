import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LimitedInstance, type Membership, RateLimiter } from "./rate-limiter.ts";

const step = () => new Promise<void>((resolve) => setImmediate(resolve));

function instance(
  model: string,
  needs: Readonly<Record<string, number>>,
  more: { priority?: number; device?: number; global?: boolean } = {},
): LimitedInstance {
  const { priority = 1, device = 0, global = true } = more;
  const resources = Object.entries(needs).map(([name, count]) => ({ name, count, global }));
  return { model, device, limit: { priority, resources } };
}

describe("RateLimiter.check()", () => {
  const limiter = (...given: { name: string; count: number; device?: number }[]) =>
    new RateLimiter(given.map(({ device, ...rest }) => ({ ...rest, device })));

  it.each([
    [
      "less than an instance needs",
      limiter({ name: "R", count: 2 }),
      instance("m", { R: 3 }),
      'Resource count for "R" is limited to 2 which will prevent scheduling of one or more model instances, the minimum required count is 3',
    ],
    [
      "none, because only others are named",
      limiter({ name: "S", count: 9 }),
      instance("m", { R: 1 }),
      'Resource count for "R" is limited to 0',
    ],
    [
      "another letter case",
      limiter({ name: "r", count: 9 }),
      instance("m", { R: 1 }),
      'Resource count for "R" is limited to 0',
    ],
    [
      "too few on its own device",
      limiter({ name: "R", count: 9, device: 0 }),
      instance("m", { R: 1 }, { device: 1, global: false }),
      "is limited to 0",
    ],
  ])("refuses %s", (_what, subject, one, text) => {
    expect(() => subject.check([one])).toThrow(text);
  });

  it.each([
    ["exactly enough", limiter({ name: "R", count: 3 }), instance("m", { R: 3 })],
    [
      "the count of every device",
      limiter({ name: "R", count: 1 }),
      instance("m", { R: 1 }, { device: 7, global: false }),
    ],
    [
      "a global resource that is given with a device",
      limiter({ name: "R", count: 1, device: 3 }),
      instance("m", { R: 1 }),
    ],
    ["anything when nothing is given", limiter(), instance("m", { R: 1000 })],
  ])("takes %s", (_what, subject, one) => {
    expect(() => subject.check([one])).not.toThrow();
  });

  it("refuses a resource that is global here and of a device there, in one model or in two", () => {
    const text = 'Resource "R" is present as both global and device-specific resource in the model configuration.';
    const global = instance("m", { R: 1 });
    const local = instance("n", { R: 1 }, { global: false });
    expect(() => limiter().check([global, { ...local, model: "m" }])).toThrow(text);
    const subject = limiter();
    subject.join(global);
    expect(() => subject.check([local])).toThrow(text);
  });

  it("does not hold against a model what it needed before its reload", () => {
    const subject = limiter();
    subject.join(instance("m", { R: 1 }));
    expect(() => subject.check([instance("m", { R: 1 }, { global: false })])).not.toThrow();
  });
});

/** Memberships with a log of the grants, by name. */
class World {
  readonly limiter: RateLimiter;
  readonly grants: string[] = [];
  readonly members = new Map<string, Membership>();

  constructor(given: ConstructorParameters<typeof RateLimiter>[0] = []) {
    this.limiter = new RateLimiter(given);
  }

  join(name: string, one: LimitedInstance): Membership {
    const membership = this.limiter.join(one);
    this.members.set(name, membership);
    return membership;
  }

  ask(name: string): boolean {
    return this.members.get(name)?.ask(() => this.grants.push(name)) === true;
  }

  finish(name: string): void {
    this.members.get(name)?.executed();
    this.members.get(name)?.giveBack();
  }
}

describe("RateLimiter", () => {
  it("gives as much as the most demanding instance needs, when nothing is given", async () => {
    const world = new World();
    world.join("small", instance("a", { R: 1 }));
    world.join("other", instance("b", { R: 1 }));
    world.join("large", instance("c", { R: 2 }));
    expect([world.ask("small"), world.ask("other"), world.ask("large")]).toEqual([true, true, false]);
    expect(world.limiter.resources).toEqual([{ name: "R", device: undefined, total: 2, used: 2 }]);
    world.finish("small");
    await step();
    expect(world.grants).toEqual([]);
    world.finish("other");
    await step();
    expect(world.grants).toEqual(["large"]);
  });

  it("counts a device's resources apart from those of another", () => {
    const world = new World();
    for (const device of [0, 1]) world.join(`on ${device}`, instance("m", { R: 1 }, { device, global: false }));
    expect([world.ask("on 0"), world.ask("on 1")]).toEqual([true, true]);
    expect(world.limiter.resources.map(({ device, used, total }) => [device, used, total])).toEqual([
      [0, 1, 1],
      [1, 1, 1],
    ]);
  });

  it("tries only the head: who needs less does not pass it", async () => {
    const world = new World([{ name: "R", count: 2, device: undefined }]);
    world.join("running", instance("a", { R: 1 }));
    world.join("head", instance("b", { R: 2 }));
    world.join("small", instance("c", { R: 1 }));
    world.ask("running");
    expect([world.ask("head"), world.ask("small")]).toEqual([false, false]);
    world.finish("running");
    await step();
    expect(world.grants).toEqual(["head"]);
    world.finish("head");
    await step();
    expect(world.grants).toEqual(["head", "small"]);
  });

  it("asks those behind a head that wants no more, or that has gone", async () => {
    const world = new World([{ name: "R", count: 2, device: undefined }]);
    world.join("running", instance("a", { R: 1 }));
    for (const name of ["unwilling", "gone", "small"])
      world.join(name, instance(name, { R: name === "small" ? 1 : 2 }));
    world.ask("running");
    for (const name of ["unwilling", "gone", "small"]) world.ask(name);
    world.members.get("unwilling")?.giveBack();
    world.members.get("gone")?.leave();
    await step();
    expect(world.grants).toEqual(["small"]);
  });

  it("lets a model of priority 1 execute twice as often as one of priority 2, while both are busy", async () => {
    const world = new World();
    world.join("first", instance("a", { R: 1 }, { priority: 1 }));
    world.join("second", instance("b", { R: 1 }, { priority: 2 }));
    const turns: string[] = [];
    let running = world.ask("first") ? "first" : "";
    world.ask("second");
    for (let turn = 0; turn < 30; turn++) {
      turns.push(running);
      world.finish(running);
      // It has more to do, and says so in the same step.
      const again = world.ask(running);
      await step();
      if (!again) running = world.grants.at(-1) ?? "";
    }
    expect(turns.filter((name) => name === "first")).toHaveLength(20);
  });

  it("takes a priority of 0 for 1", () => {
    const world = new World();
    world.join("zero", instance("a", { R: 1 }, { priority: 0 }));
    world.join("one", instance("b", { R: 1 }, { priority: 1 }));
    expect(world.ask("zero")).toBe(true);
    world.finish("zero");
    world.ask("zero");
    world.finish("zero");
    expect(world.ask("one")).toBe(true);
  });

  it("does not let a newcomer catch up on executions from before it came", async () => {
    const world = new World();
    world.join("old", instance("a", { R: 1 }));
    for (let turn = 0; turn < 1000; turn++) {
      world.ask("old");
      world.finish("old");
    }
    world.join("new", instance("b", { R: 1 }));
    world.ask("old");
    world.ask("new");
    world.finish("old");
    await step();
    world.ask("old");
    world.finish("new");
    await step();
    expect(world.grants).toEqual(["new", "old"]);
  });

  it("gets the resources of an instance back that goes in the middle of an execution, once", async () => {
    const world = new World([{ name: "R", count: 1, device: undefined }]);
    const gone = world.join("gone", instance("a", { R: 1 }));
    world.join("next", instance("b", { R: 1 }));
    world.ask("gone");
    world.ask("next");
    gone.leave();
    gone.giveBack();
    gone.leave();
    await step();
    expect(world.grants).toEqual(["next"]);
    expect(world.limiter.resources).toEqual([{ name: "R", device: undefined, total: 1, used: 1 }]);
    expect(gone.ask(() => world.grants.push("gone"))).toBe(false);
  });

  it("counts a resource once that an instance names twice", () => {
    const world = new World();
    const resources = [2, 3].map((count) => ({ name: "R", global: true, count }));
    world.join("a", { model: "m", device: 0, limit: { priority: 1, resources } });
    expect(world.ask("a")).toBe(true);
    expect(world.limiter.resources[0]).toMatchObject({ total: 3, used: 3 });
  });

  it("lets instances execute that need nothing", () => {
    const world = new World([{ name: "R", count: 1, device: undefined }]);
    world.join("a", instance("m", {}));
    expect(world.ask("a")).toBe(true);
  });
});

const shape = fc.record({
  r: fc.integer({ min: 0, max: 3 }),
  s: fc.integer({ min: 0, max: 2 }),
  priority: fc.integer({ min: 0, max: 3 }),
});
const action = fc.record({
  kind: fc.constantFrom(
    "ask" as const,
    "ask" as const,
    "finish" as const,
    "drop" as const,
    "leave" as const,
    "join" as const,
  ),
  at: fc.nat(),
  shape,
});

/** What an onlooker knows of one instance. */
interface Seen {
  readonly one: LimitedInstance;
  readonly membership: Membership;
  state: "idle" | "waits" | "holds" | "gone";
  executions: number;
  asked: number;
}

describe("RateLimiter, whatever happens", () => {
  it("never exceeds a count, grants to the head only, and grants whatever it could", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { minLength: 1, maxLength: 5 }),
        fc.array(action, { maxLength: 60 }),
        fc.boolean(),
        async (first, actions, given) => {
          const counts = { R: 3, S: 2 };
          const limiter = new RateLimiter(
            given ? Object.entries(counts).map(([name, count]) => ({ name, count, device: undefined })) : [],
          );
          const seen: Seen[] = [];
          let asked = 0;
          const live = () => seen.filter(({ state }) => state !== "gone");
          const need = ({ one }: Seen, name: string) =>
            one.limit.resources.find((resource) => resource.name === name)?.count ?? 0;
          const total = (name: "R" | "S") =>
            given ? counts[name] : Math.max(0, ...live().map((member) => need(member, name)));
          const used = (name: string) =>
            live().reduce((sum, member) => sum + (member.state === "holds" ? need(member, name) : 0), 0);
          const scaled = ({ one, executions }: Seen) => executions * Math.max(1, one.limit.priority);
          const head = () =>
            live()
              .filter(({ state }) => state === "waits")
              .sort((a, b) => scaled(a) - scaled(b) || a.asked - b.asked)[0];
          const fits = (member: Seen) =>
            (["R", "S"] as const).every((name) => used(name) + need(member, name) <= total(name));
          const take = (member: Seen) => {
            expect(head()).toBe(member);
            expect(fits(member)).toBe(true);
            member.state = "holds";
          };
          const join = ({ r, s, priority }: { r: number; s: number; priority: number }) => {
            const one = instance(`m${seen.length}`, { R: r, S: s }, { priority });
            const least = Math.min(...live().map(scaled));
            const executions = live().length === 0 ? 0 : Math.floor(least / Math.max(1, priority));
            seen.push({ one, membership: limiter.join(one), state: "idle", executions, asked: 0 });
          };
          for (const one of first) join(one);
          for (const { kind, at, shape: fresh } of actions) {
            const member = live()[at % Math.max(1, live().length)];
            if (kind === "join" && seen.length < 10) join(fresh);
            else if (member === undefined) continue;
            else if (kind === "ask" && member.state !== "holds") {
              if (member.state === "idle") member.asked = ++asked;
              member.state = "waits";
              if (member.membership.ask(() => take(member))) take(member);
            } else if (kind === "finish" && member.state === "holds") {
              member.executions += 1;
              member.state = "idle";
              member.membership.executed();
              member.membership.giveBack();
            } else if (kind === "drop") {
              member.state = "idle";
              member.membership.giveBack();
            } else if (kind === "leave") {
              member.state = "gone";
              member.membership.leave();
            }
            // Half of the actions follow each other in one step.
            if (at % 2 === 0) await step();
          }
          await step();
          const waiting = head();
          // No lost grants: at rest, the head waits only for what others hold.
          if (waiting !== undefined) expect(fits(waiting)).toBe(false);
          for (const { name, used: held, total: all } of limiter.resources) {
            expect(held).toBe(used(name));
            expect(all).toBe(total(name === "R" ? "R" : "S"));
          }
          for (const member of live()) member.membership.leave();
          expect(limiter.resources).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});
