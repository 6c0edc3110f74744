import { type LoadOutcome, type LoadSetup, seededRandom, simulateLoad } from "@nereid/inference-worker/simulator";
import { goodputWithin, quantileAt, quantilesOf } from "./goodput.ts";
import type { ServiceCurve } from "./service-curve.ts";
import type { TuningFigures, TuningSetting } from "./tuning-types.ts";

/** What the way of a request costs beside its execution, fitted to probes. Microseconds. */
export interface FrontCosts {
  /** The client's thread, for each request. */
  readonly clientUs: number;
  /** The server's thread, for each request. */
  readonly frontUs: number;
  /** Waits that cost no processor. */
  readonly transitUs: number;
  /** Part of the time around an execution that the server's thread works. */
  readonly aroundShare: number;
  /** How much longer executions take under load than alone. */
  readonly underLoad: number;
}

export interface CostModel {
  readonly curve: ServiceCurve;
  readonly front: FrontCosts;
  /** Shared by client, server and instances. */
  readonly processors: number;
  readonly onGpu: boolean;
  /** Instances and threads of the setting whose executions were measured. */
  readonly measuredOn: TuningSetting;
}

/** A load on the simulator. */
export type SimulatedLoad =
  | { readonly kind: "concurrency"; readonly level: number }
  | { readonly kind: "rate"; readonly level: number }
  | { readonly kind: "recorded"; readonly offsetsMs: readonly number[]; readonly speed: number };

export interface SimulatedSetting {
  readonly setting: TuningSetting;
  readonly requestBatch: number;
  readonly load: SimulatedLoad;
  readonly goodWithinMs: number | null;
  readonly seed: number;
}

const US = 1000;
/** Part of an execution that more threads make shorter, where nothing else was measured (Amdahl's law). */
const PARALLEL_PART = 0.5;
/** Part of the front's work that is done before a request is queued. */
const INWARD = 0.6;
const REQUESTS = { least: 1_200, perClient: 8, most: 12_000 };

/** How a setting fares under a load: the real scheduler on a virtual clock with measured costs. The same question has the same answer. Pure. */
export function simulateSetting(question: SimulatedSetting, model: CostModel): TuningFigures {
  const outcome = simulateLoad(loadSetup(question, model));
  return figuresOf(outcome, question);
}

function loadSetup({ setting, requestBatch, load, seed }: SimulatedSetting, model: CostModel): LoadSetup {
  const { curve, front } = model;
  const threads = threadsOf(setting, model.processors);
  const faster = speedUp(threads) / speedUp(threadsOf(model.measuredOn, model.processors));
  const dynamic = setting.queueDelayUs !== null && setting.maxBatchSize > 1;
  const clients = load.kind === "concurrency" ? load.level : 0;
  const requests = Math.min(REQUESTS.most, Math.max(REQUESTS.least, clients * REQUESTS.perClient));
  return {
    scheduler: dynamic
      ? {
          kind: "dynamic",
          batch: {
            maxBatchSize: setting.maxBatchSize,
            // Without preferred sizes the largest is the one, as in the server.
            preferredBatchSizes: setting.preferred.length > 0 ? setting.preferred : [setting.maxBatchSize],
            maxQueueDelayNs: (setting.queueDelayUs ?? 0) * US,
          },
        }
      : { kind: "default" },
    instances: setting.instances,
    sendsAhead: dynamic && setting.instances === 1,
    processors: model.processors,
    costs: {
      clientNs: front.clientUs * US,
      frontInNs: front.frontUs * INWARD * US,
      frontOutNs: front.frontUs * (1 - INWARD) * US,
      batchNs: (size) => curve.aroundUs(size) * front.aroundShare * US,
      executeNs: (size, random) =>
        ((curve.inferUs(size) * front.underLoad) / faster +
          curve.aroundUs(size) * (1 - front.aroundShare) +
          curve.extraUs(random)) *
        US,
      threads: 1,
      onDevice: model.onGpu,
      transitNs: front.transitUs * US,
    },
    load:
      load.kind === "concurrency"
        ? { kind: "closed", concurrency: load.level }
        : { kind: "open", atNs: arrivalsNs(load, seed) },
    requestBatch,
    warmUp: load.kind === "recorded" ? 0 : Math.max(100, clients * 2),
    requests: load.kind === "recorded" ? load.offsetsMs.length : requests,
    seed,
  };
}

/** Threads of one execution: what is asked for, else the processors divided among the instances, as the server does. */
function threadsOf({ threads, instances }: TuningSetting, processors: number): number {
  return threads ?? Math.max(1, Math.floor(processors / instances));
}

function speedUp(threads: number): number {
  return 1 / (1 - PARALLEL_PART + PARALLEL_PART / threads);
}

function* arrivalsNs(load: Exclude<SimulatedLoad, { kind: "concurrency" }>, seed: number): Generator<number> {
  if (load.kind === "recorded") {
    for (const offsetMs of load.offsetsMs) yield (offsetMs / load.speed) * 1e6;
    return;
  }
  const random = seededRandom(seed);
  for (let atNs = 0; ; ) {
    atNs += (-Math.log(1 - random()) / load.level) * 1e9;
    yield atNs;
  }
}

function figuresOf(outcome: LoadOutcome, { goodWithinMs }: SimulatedSetting): TuningFigures {
  const { latenciesNs, throughput } = outcome;
  const quantilesUs = quantilesOf(latenciesNs, 1 / US);
  const averageUs = latenciesNs.reduce((sum, one) => sum + one, 0) / Math.max(1, latenciesNs.length) / US;
  return {
    throughput,
    goodput: goodputWithin({ throughput, quantilesUs }, goodWithinMs),
    averageUs,
    ...percentilesOf(quantilesUs),
    quantilesUs,
    meanBatch: Number.isNaN(outcome.meanBatch) ? null : outcome.meanBatch,
    failed: outcome.refused / Math.max(1, outcome.refused + latenciesNs.length),
  };
}

/** The percentiles that are always told. Pure. */
export function percentilesOf(quantilesUs: readonly number[]) {
  return {
    p50Us: quantileAt(quantilesUs, 0.5),
    p90Us: quantileAt(quantilesUs, 0.9),
    p95Us: quantileAt(quantilesUs, 0.95),
    p99Us: quantileAt(quantilesUs, 0.99),
  };
}
