import { seededRandom } from "../../load/seeded-random.ts";
import { goodputWithin } from "../goodput.ts";
import { buildSpace, type SearchSpace, type SpacePoint } from "../search-space.ts";
import { percentilesOf } from "../simulate-setting.ts";
import { type TunedModel, tunedModel } from "../tuned-model.ts";
import { QUANTILES, type TuningFigures } from "../tuning-types.ts";

/** A made-up model and machine that answers at once: what it truly does, and what a simulator that is somewhat wrong says. */
export interface ResponseSurface {
  readonly model: TunedModel;
  readonly space: SearchSpace;
  readonly goodWithinMs: number;
  /** With the noise of a measurement. */
  measure(point: SpacePoint): TuningFigures;
  /** Without it. */
  truth(point: SpacePoint): TuningFigures;
  simulate(point: SpacePoint): TuningFigures;
}

interface Physics {
  /** Microseconds of an execution: whole, and for each item. */
  readonly fixedUs: number;
  readonly itemUs: number;
  readonly frontUs: number;
  readonly processors: number;
  /** Part of an execution that others slow down. */
  readonly contention: number;
  /** Width of the latencies, of their logarithm. */
  readonly spread: number;
}

/** One of endlessly many surfaces; the same for the same seed. */
export function responseSurface(seed: number): ResponseSurface {
  const random = seededRandom(seed);
  const between = (low: number, high: number) => low * (high / low) ** random();
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const physics: Physics = {
    fixedUs: between(30, 5000),
    itemUs: between(5, 800),
    frontUs: between(20, 150),
    processors: 2 + Math.floor(random() * 3),
    contention: random() * 0.6,
    spread: 0.1 + random() * 0.35,
  };
  const wrong = (value: number) => value * Math.exp(0.2 * normal());
  const believed: Physics = {
    ...physics,
    fixedUs: wrong(physics.fixedUs),
    itemUs: wrong(physics.itemUs),
    frontUs: wrong(physics.frontUs),
    contention: Math.min(0.9, wrong(physics.contention)),
    spread: wrong(physics.spread),
  };
  const model = tunedModel("m", {
    name: "m",
    max_batch_size: 64,
    instance_group: [{ count: 1, kind: "KIND_CPU" }],
    dynamic_batching: {},
  });
  const space = buildSpace(
    {
      space: {
        instances: [1, 2, 3, 4],
        maxBatchSizes: [1, 4, 16, 64],
        queueDelaysUs: [0, 1000],
        preferred: [[]],
        threads: [null],
        accelerators: [null],
      },
      load: { kind: "concurrency", levels: [1, 4, 16, 64] },
      requestBatches: [1],
    },
    model,
  );
  const lonelyMs = (physics.fixedUs + physics.itemUs + physics.frontUs) / 1000;
  const goodWithinMs = lonelyMs * between(2, 30);
  const figures = (point: SpacePoint, of: Physics, noise: number): TuningFigures =>
    figuresOf(point, of, { noise, goodWithinMs });
  return {
    model,
    space,
    goodWithinMs,
    measure: (point) => figures(point, physics, Math.exp(0.03 * normal())),
    truth: (point) => figures(point, physics, 1),
    simulate: (point) => figures(point, believed, 1),
  };
}

function figuresOf(
  { config: { setting }, level }: SpacePoint,
  of: Physics,
  { noise, goodWithinMs }: { readonly noise: number; readonly goodWithinMs: number },
): TuningFigures {
  const { instances, maxBatchSize, queueDelayUs } = setting;
  const most = queueDelayUs === null ? 1 : maxBatchSize;
  const batch = Math.max(1, Math.min(most, level / instances));
  const busy = Math.min(instances, level);
  const slower =
    busy <= of.processors ? 1 + of.contention * (busy - 1) * 0.3 : (busy / of.processors) * (1 + of.contention);
  const waits = queueDelayUs !== null && batch < most ? Math.min(queueDelayUs, 1000) : 0;
  const serviceUs = (of.fixedUs + of.itemUs * batch) * slower + waits;
  const byInstances = (busy * batch) / serviceUs;
  const byFront = 1 / of.frontUs;
  const byClients = level / (serviceUs + of.frontUs);
  const throughput = (1e6 * noise) / (1 / byInstances ** 4 + 1 / byFront ** 4 + 1 / byClients ** 4) ** 0.25;
  const averageUs = (level * 1e6) / throughput;
  const quantilesUs = QUANTILES.map((share) => averageUs * Math.exp(of.spread * (probit(share) - of.spread / 2)));
  return {
    throughput,
    goodput: goodputWithin({ throughput, quantilesUs }, goodWithinMs),
    averageUs,
    ...percentilesOf(quantilesUs),
    quantilesUs,
    meanBatch: batch,
    failed: 0,
  };
}

/** Deviations from the mean at a share of a normal distribution, roughly (Tukey's lambda). */
function probit(share: number): number {
  const p = Math.min(0.9999, Math.max(0.0001, share));
  return (p ** 0.135 - (1 - p) ** 0.135) / 0.1975;
}
