import { NereidError } from "@nereid/errors";
import type { RateLimit } from "../models/model-spec.ts";

/** Counts of `--rate-limit-resource`. */
export interface GivenResource {
  readonly name: string;
  readonly count: number;
  /** Undefined = of every device. A resource that models call global has no device, and this is not looked at. */
  readonly device: number | undefined;
}

/** One instance as the limiter knows it. */
export interface LimitedInstance {
  readonly model: string;
  readonly device: number;
  readonly limit: RateLimit;
}

/** A resource at the place where it is counted: of the whole server, or of one device. */
export interface ResourcePlace {
  readonly name: string;
  /** Undefined = global. */
  readonly device: number | undefined;
}

export interface Need extends ResourcePlace {
  readonly count: number;
}

/** What an instance needs while it executes; a resource that is named twice is needed once, in the larger count. */
export function needsOf({ limit, device }: LimitedInstance): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const { name, global, count } of limit.resources) {
    const need = { name, device: global ? undefined : device, count };
    const known = needs.get(keyOf(need));
    if (known === undefined || known.count < count) needs.set(keyOf(need), need);
  }
  return [...needs.values()];
}

export function keyOf({ name, device }: ResourcePlace): string {
  return `${device ?? "global"}/${name}`;
}

/**
 * How much there is of every resource that the instances need (scheduling.md §6): what the options say, and nothing of what they do
 * not name once they name any; without options, the most that any one instance needs.
 */
export function totalsOf(
  given: readonly GivenResource[],
  instances: readonly LimitedInstance[],
): ReadonlyMap<string, Need> {
  const totals = new Map<string, Need>();
  for (const need of instances.flatMap(needsOf)) {
    const count = given.length === 0 ? need.count : givenCount(given, need);
    const before = totals.get(keyOf(need))?.count ?? 0;
    totals.set(keyOf(need), { ...need, count: Math.max(before, count) });
  }
  return totals;
}

function givenCount(given: readonly GivenResource[], { name, device }: ResourcePlace): number {
  const counts = given.filter((one) => {
    if (one.name !== name) return false;
    return device === undefined || one.device === undefined || one.device === device;
  });
  return counts.reduce((most, { count }) => Math.max(most, count), 0);
}

/**
 * Whether every instance could ever execute. INVALID_ARGUMENT, with Triton's texts, when a resource is both global and of a device, or
 * when there is less of it than one of them needs.
 */
export function checkResources(given: readonly GivenResource[], instances: readonly LimitedInstance[]): void {
  const kinds = new Map<string, boolean>();
  for (const { name, global } of instances.flatMap(({ limit }) => limit.resources)) {
    if ((kinds.get(name) ?? global) !== global) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `Resource "${name}" is present as both global and device-specific resource in the model configuration.`,
      );
    }
    kinds.set(name, global);
  }
  if (given.length === 0) return;
  const needed = totalsOf([], instances);
  for (const { name, device, count: available } of totalsOf(given, instances).values()) {
    const least = needed.get(keyOf({ name, device }))?.count ?? 0;
    if (available >= least) continue;
    throw new NereidError(
      "INVALID_ARGUMENT",
      `Resource count for "${name}" is limited to ${available} which will prevent scheduling of one or more model instances, the minimum required count is ${least}`,
      { fix: `give --rate-limit-resource=${name}:${least}${device === undefined ? "" : `:${device}`}` },
    );
  }
}
