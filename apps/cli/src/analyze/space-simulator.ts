import { NereidError } from "@nereid/errors";
import {
  correctSimulated,
  type Expected,
  fitCosts,
  type SimulatedLoad,
  type SpacePoint,
  simulateSetting,
  type TuningFigures,
  type TuningProbe,
} from "@nereid/perf";
import type { TuningDeps, TuningPlan } from "./tuning-deps.ts";

/** Milliseconds of simulation after which others have a turn. */
const TURN_MS = 40;

export interface SimulatorInput {
  readonly probes: readonly TuningProbe[];
  /** Points under full load that the costs must explain, where they were measured. */
  readonly loaded: readonly SpacePoint[];
  readonly measured: ReadonlyMap<string, TuningFigures>;
  readonly processors: number;
  readonly onTurn: (done: number) => void;
}

/** What the simulator makes of a whole space. */
export class SpaceSimulator {
  readonly #plan: TuningPlan;
  readonly #deps: Pick<TuningDeps, "model" | "nowMs" | "pause" | "signal">;
  readonly #simulated = new Map<string, TuningFigures>();

  constructor(plan: TuningPlan, deps: Pick<TuningDeps, "model" | "nowMs" | "pause" | "signal">) {
    this.#plan = plan;
    this.#deps = deps;
  }

  /** Fits the costs and simulates every point. UNSUPPORTED when nothing was executed to fit them to. */
  async run({ probes, loaded, measured, processors, onTurn }: SimulatorInput): Promise<void> {
    const costs = fitCosts({
      probes,
      loaded: loaded.flatMap((point) => {
        const figures = measured.get(point.id);
        if (figures === undefined) return [];
        const { throughput, averageUs } = figures;
        const { requestBatch, config } = point;
        return [{ setting: config.setting, requestBatch, load: this.#loadOf(point), throughput, averageUs }];
      }),
      processors,
      onGpu: this.#deps.model.onGpu,
    });
    if (costs === undefined)
      throw new NereidError("UNSUPPORTED", "nothing was executed, so that there is nothing to simulate with", {
        fix: "use --run-config-search-mode brute, and look why requests fail",
      });
    const { goodWithinMs, seed } = this.#plan.spec;
    let turnMs = this.#deps.nowMs();
    for (const point of this.#plan.space.points) {
      const { requestBatch, config } = point;
      const question = {
        setting: config.setting,
        requestBatch,
        load: this.#loadOf(point),
        goodWithinMs,
        seed: seed + 1,
      };
      this.#simulated.set(point.id, simulateSetting(question, costs));
      if (this.#deps.nowMs() - turnMs < TURN_MS) continue;
      onTurn(this.#simulated.size);
      await this.#deps.pause(0);
      if (this.#deps.signal.aborted) return;
      turnMs = this.#deps.nowMs();
    }
  }

  /** What is expected of each point, given what was measured; nothing before `run`. */
  correct(measured: ReadonlyMap<string, TuningFigures>): ReadonlyMap<string, Expected> {
    if (this.#simulated.size === 0) return new Map();
    return correctSimulated({
      points: this.#plan.space.points,
      simulated: this.#simulated,
      measured,
      goodWithinMs: this.#plan.spec.goodWithinMs,
    });
  }

  #loadOf({ level }: SpacePoint): SimulatedLoad {
    const { kind } = this.#plan.spec.load;
    return kind === "recorded" ? { kind, offsetsMs: this.#plan.offsetsMs, speed: level } : { kind, level };
  }
}
