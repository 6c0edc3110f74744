import { bucketIndex } from "@nereid/telemetry";
import { decideRollout } from "../decide-rollout.ts";
import { type Evidence, noEvidence } from "../evidence.ts";
import { foldSecond } from "../fold-second.ts";
import type { RolloutSecond, VersionSecond } from "../rollout-second.ts";
import type { RolloutSpec } from "../rollout-spec.ts";
import { isActive, type RolloutState, weightsOf } from "../rollout-state.ts";

/** Evenly spread numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface World {
  /** Requests a second of both versions together. */
  readonly rate: number;
  /** Milliseconds that a request takes. */
  readonly latencyMs: (random: () => number, version: "baseline" | "candidate") => number;
  readonly failureShare: (version: "baseline" | "candidate") => number;
  /** Share of the seconds in which a version stalls, so that all of its requests take three times as long. */
  readonly stalls?: number;
  /** Milliseconds of waiting in a second. */
  readonly queueMs?: (random: () => number) => number;
}

/** Around 10 ms, with a tail: the 99th percentile is some 32 ms. */
export function lognormalMs(random: () => number, factor = 1): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 10 * factor * Math.exp(0.5 * normal);
}

export interface Simulated {
  readonly state: RolloutState;
  readonly evidence: Evidence;
  readonly seconds: number;
  /** The candidate's requests of all steps. */
  readonly requests: number;
}

const SERVED = { baseline: true, candidate: true };

/** Runs a rollout through the pure parts alone, second by second, on a server that does what it is told. */
export function simulateRollout(spec: RolloutSpec, world: World, seed: number): Simulated {
  const random = randomOf(seed);
  let state: RolloutState = { kind: "preparing", since: 0 };
  let evidence = noEvidence(0, 1);
  let t = 0;
  while (isActive(state) && t < 20_000) {
    t += 1;
    const weights = weightsOf(spec, state) ?? { [spec.baseline]: 100 };
    evidence = foldSecond(spec, evidence, secondIn(world, { t, share: (weights[spec.candidate] ?? 0) / 100, random }));
    for (let turn = 0; turn < 3; turn += 1) {
      const stickyHeader = spec.stickyHeader;
      const facts = {
        server: { served: SERVED, weights: weightsOf(spec, state), stickyHeader, isApplied: true },
        refusal: null,
      };
      const decided = decideRollout(spec, { state, evidence, facts, nowMs: t * 1000 });
      ({ state, evidence } = decided);
      if (decided.says === null) break;
    }
  }
  const steps = [...evidence.past, ...(evidence.current === null ? [] : [evidence.current])];
  return { state, evidence, seconds: t, requests: steps.reduce((sum, { candidate }) => sum + candidate.requests, 0) };
}

interface Moment {
  readonly t: number;
  readonly share: number;
  readonly random: () => number;
}

function secondIn(world: World, { t, share, random }: Moment): RolloutSecond {
  const candidate = Math.floor(world.rate * share + random());
  const of = (version: "baseline" | "candidate", requests: number): VersionSecond => {
    const slow = random() < (world.stalls ?? 0) ? 3 : 1;
    const counts = new Map<number, number>();
    let failed = 0;
    for (let one = 0; one < requests; one += 1) {
      if (random() < world.failureShare(version)) {
        failed += 1;
        continue;
      }
      const index = bucketIndex(world.latencyMs(random, version) * slow * 1e6);
      counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    const latency = [...counts].sort(([a], [b]) => a - b);
    const waited = (world.queueMs?.(random) ?? 1) * 1e6 * requests * slow;
    return { requests, failed, queueNs: waited, latency };
  };
  return {
    t,
    candidate: of("candidate", candidate),
    baseline: of("baseline", world.rate - candidate),
    memoryShare: 0.5,
    gpus: [],
  };
}
