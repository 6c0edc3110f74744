import { serviceCurve } from "./service-curve.ts";
import { type CostModel, type FrontCosts, type SimulatedLoad, simulateSetting } from "./simulate-setting.ts";
import type { TuningProbe, TuningSetting } from "./tuning-types.ts";

/** A measured point that a model of the costs must explain. */
export interface Explained {
  readonly setting: TuningSetting;
  readonly requestBatch: number;
  readonly load: SimulatedLoad;
  readonly throughput: number;
  readonly averageUs: number;
}

export interface FitInput {
  readonly probes: readonly TuningProbe[];
  readonly loaded: readonly Explained[];
  readonly processors: number;
  readonly onGpu: boolean;
}

/** Without a word of the generator: about what a request costs it. */
const CLIENT_US = 20;
const LOOKS = 14;
const ROUNDS = 2;

/**
 * What executions and the way of a request cost, so that the simulator says of the probes what was measured: executions and the wait of
 * a lonely request as they were, the front's work and the loss under load by search. Undefined when nothing was executed. Pure.
 */
export function fitCosts({ probes, loaded, processors, onGpu }: FitInput): CostModel | undefined {
  const curve = serviceCurve(probes);
  const [lonely] = probes.filter(({ concurrency }) => concurrency === 1);
  if (curve === undefined || lonely === undefined) return undefined;
  const known = probes.map(({ generatorUs }) => generatorUs).filter((us) => us !== null);
  const clientUs = known.length === 0 ? CLIENT_US : Math.min(...known);
  // What a request waits beside its execution is the most that its way can cost.
  const besideUs = Math.max(5, lonely.p50Us - curve.inferUs(lonely.requestBatch));
  const aroundUs = curve.aroundUs(lonely.requestBatch);
  const aroundShare = 0.5;
  const front = (frontUs: number, underLoad: number): FrontCosts => ({
    clientUs: Math.min(clientUs, besideUs),
    frontUs,
    transitUs: Math.max(0, besideUs - clientUs - frontUs - aroundUs),
    aroundShare,
    underLoad,
  });
  const model = (costs: FrontCosts): CostModel => ({
    curve,
    front: costs,
    processors,
    onGpu,
    measuredOn: lonely.setting,
  });
  const wrong = (costs: FrontCosts) => loaded.reduce((sum, one) => sum + distance(one, model(costs)), 0);
  let [frontUs, underLoad] = [besideUs / 4, 1];
  for (let round = 0; round < ROUNDS && loaded.length > 0; round++) {
    frontUs = lowest([besideUs / 50, besideUs * 2], (us) => wrong(front(us, underLoad)));
    underLoad = lowest([0.6, 3], (factor) => wrong(front(frontUs, factor)));
  }
  return model(front(frontUs, underLoad));
}

/** How far the simulator is off, in squared logarithms. */
function distance({ setting, requestBatch, load, throughput, averageUs }: Explained, model: CostModel): number {
  const figures = simulateSetting({ setting, requestBatch, load, goodWithinMs: null, seed: 1 }, model);
  const off = (said: number, was: number) => Math.log(Math.max(said, 1e-9) / Math.max(was, 1e-9)) ** 2;
  return off(figures.throughput, throughput) + (load.kind === "concurrency" ? 0 : off(figures.averageUs, averageUs));
}

/** Where between two values, on a scale of ratios, a function is lowest: golden sections. */
function lowest([from, to]: readonly [number, number], of: (value: number) => number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(from), Math.log(to)];
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
  let [ofLeft, ofRight] = [of(Math.exp(left)), of(Math.exp(right))];
  for (let look = 0; look < LOOKS; look++) {
    if (ofLeft <= ofRight) {
      [high, right, ofRight] = [right, left, ofLeft];
      left = high - golden * (high - low);
      ofLeft = of(Math.exp(left));
    } else {
      [low, left, ofLeft] = [left, right, ofRight];
      right = low + golden * (high - low);
      ofRight = of(Math.exp(right));
    }
  }
  return Math.exp((low + high) / 2);
}
