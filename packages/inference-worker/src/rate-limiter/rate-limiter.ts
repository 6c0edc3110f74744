import {
  checkResources,
  type GivenResource,
  keyOf,
  type LimitedInstance,
  type Need,
  needsOf,
  type ResourcePlace,
  totalsOf,
} from "./resource-counts.ts";

export type { GivenResource, LimitedInstance } from "./resource-counts.ts";

interface Member extends LimitedInstance {
  readonly needs: readonly Need[];
  readonly priority: number;
  executions: number;
  /** Order of asking, among equals. */
  asked: number;
  granted: (() => void) | undefined;
  holds: boolean;
}

export interface Membership {
  /** True when the instance may execute now; else `granted` is called once it may. */
  ask(granted: () => void): boolean;
  /** Does not want to execute any more, or has executed: gives its resources back. */
  giveBack(): void;
  /** Counts an execution; the more it has had, the later it is served next. */
  executed(): void;
  /** The instance is gone. */
  leave(): void;
}

export interface ResourceUse extends ResourcePlace {
  readonly total: number;
  readonly used: number;
}

/**
 * Lets instances execute only while the resources they name are free, the one with the fewest executions times its priority first;
 * only the first is tried, so that nobody with large needs is passed over for ever (scheduling.md §6). One for the whole server.
 */
export class RateLimiter {
  readonly #given: readonly GivenResource[];
  readonly #members = new Set<Member>();
  readonly #used = new Map<string, number>();
  #totals: ReadonlyMap<string, Need> = new Map();
  #asked = 0;
  #granting = false;

  constructor(given: readonly GivenResource[] = []) {
    this.#given = given;
  }

  /**
   * Checks instances of one model that are about to join. INVALID_ARGUMENT, with Triton's texts, when they could never execute. Those
   * that the same model has now are not looked at: it is being loaded anew.
   */
  check(instances: readonly LimitedInstance[]): void {
    const models = new Set(instances.map(({ model }) => model));
    checkResources(this.#given, [...[...this.#members].filter(({ model }) => !models.has(model)), ...instances]);
  }

  join(instance: LimitedInstance): Membership {
    const priority = Math.max(1, instance.limit.priority);
    const executions = Math.floor(this.#leastServed() / priority);
    const needs = needsOf(instance);
    const member: Member = { ...instance, needs, priority, executions, asked: 0, granted: undefined, holds: false };
    this.#members.add(member);
    this.#count();
    // There may be more of a resource now.
    this.#grantSoon();
    return {
      ask: (granted) => this.#ask(member, granted),
      giveBack: () => this.#giveBack(member),
      executed: () => {
        member.executions += 1;
      },
      leave: () => {
        if (!this.#members.delete(member)) return;
        this.#count();
        this.#giveBack(member);
      },
    };
  }

  /** Free and total count of every resource that an instance needs. */
  get resources(): readonly ResourceUse[] {
    return [...this.#totals].map(([key, { name, device, count }]) => ({
      name,
      device,
      total: count,
      used: this.#used.get(key) ?? 0,
    }));
  }

  #ask(member: Member, granted: () => void): boolean {
    if (member.holds) return true;
    if (!this.#members.has(member)) return false;
    if (member.granted === undefined) member.asked = ++this.#asked;
    member.granted = granted;
    if (this.#head() !== member || !this.#fits(member)) return false;
    this.#hold(member);
    return true;
  }

  #giveBack(member: Member): void {
    member.granted = undefined;
    if (member.holds) {
      member.holds = false;
      this.#use(member, -1);
    }
    this.#grantSoon();
  }

  /**
   * Not within the caller's own step: an instance that has executed asks again in it when there is more to do, and must be compared
   * with those that wait, or priorities would mean nothing between two busy models.
   */
  #grantSoon(): void {
    if (this.#granting) return;
    this.#granting = true;
    queueMicrotask(() => {
      this.#granting = false;
      this.#grant();
    });
  }

  /** Grants from the head on for as long as the head's resources are free. */
  #grant(): void {
    for (let head = this.#head(); head !== undefined && this.#fits(head); head = this.#head()) {
      const { granted } = head;
      this.#hold(head);
      granted?.();
    }
  }

  #head(): Member | undefined {
    let best: Member | undefined;
    for (const member of this.#members) {
      if (member.granted === undefined) continue;
      if (best === undefined || before(member, best)) best = member;
    }
    return best;
  }

  #hold(member: Member): void {
    member.granted = undefined;
    member.holds = true;
    this.#use(member, 1);
  }

  #use({ needs }: Member, sign: 1 | -1): void {
    for (const need of needs) this.#used.set(keyOf(need), (this.#used.get(keyOf(need)) ?? 0) + sign * need.count);
  }

  #fits({ needs }: Member): boolean {
    return needs.every((need) => {
      const key = keyOf(need);
      return (this.#used.get(key) ?? 0) + need.count <= (this.#totals.get(key)?.count ?? 0);
    });
  }

  #count(): void {
    this.#totals = totalsOf(this.#given, [...this.#members]);
  }

  /** A newcomer, such as a model whose runner was started again, takes no turn for executions it was not there for. */
  #leastServed(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { executions, priority } of this.#members) least = Math.min(least, executions * priority);
    return least === Number.POSITIVE_INFINITY ? 0 : least;
  }
}

function before(a: Member, b: Member): boolean {
  const difference = a.executions * a.priority - b.executions * b.priority;
  return difference === 0 ? a.asked < b.asked : difference < 0;
}
