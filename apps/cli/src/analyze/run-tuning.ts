import { NereidError } from "@nereid/errors";
import {
  CONFIRMING_SHARE,
  checkpointKey,
  chooseConfirmation,
  chooseNext,
  type Expected,
  levelWords,
  missedPercent,
  openSizes,
  planProbes,
  rankPoints,
  type SpacePoint,
  type TuningConfig,
  type TuningPhase,
  type TuningResult,
  type TuningSkip,
  tuningResult,
} from "@nereid/perf";
import { MeasurementGuard } from "./measurement-guard.ts";
import { SpaceSimulator } from "./space-simulator.ts";
import type { TuningDeps, TuningPlan } from "./tuning-deps.ts";
import { TuningMemory } from "./tuning-memory.ts";

const SHOWN_POINTS = 200;
/** A lonely request says what it says soon. */
const PROBE_SHARE = 0.3;

interface LoadedCandidate {
  readonly config: TuningConfig;
  readonly name: string;
  /** Nothing was measured on it yet. */
  fresh: boolean;
}

/**
 * Tunes: measures what the plan's mode chooses, one configuration at a time beside what is served, and says what is best. Everything that
 * was measured goes to the checkpoint at once; candidates are removed whatever happens. Throws what makes a tuning impossible.
 */
export async function runTuning(plan: TuningPlan, deps: TuningDeps): Promise<TuningResult> {
  const tuning = new Tuning(plan, deps);
  try {
    return await tuning.run();
  } finally {
    await tuning.close();
  }
}

class Tuning {
  readonly #plan: TuningPlan;
  readonly #deps: TuningDeps;
  readonly #key: string;
  readonly #guard: MeasurementGuard;
  readonly #memory: TuningMemory;
  readonly #simulator: SpaceSimulator;
  readonly #wanted: {
    readonly objectives: TuningPlan["spec"]["objectives"];
    readonly constraints: TuningPlan["spec"]["constraints"];
  };
  readonly #startedMs: number;
  /** Measurements that were ended for the sake of what serves: they took their time too. */
  #endedEarly = 0;
  #expected: ReadonlyMap<string, Expected> = new Map();
  #loaded: LoadedCandidate | undefined;

  constructor(plan: TuningPlan, deps: TuningDeps) {
    this.#plan = plan;
    this.#deps = deps;
    this.#startedMs = deps.nowMs();
    this.#key = checkpointKey(plan.spec, deps.model);
    this.#guard = new MeasurementGuard(plan.spec.guard, deps);
    this.#wanted = { objectives: plan.spec.objectives, constraints: plan.spec.constraints };
    this.#simulator = new SpaceSimulator(plan, deps);
    this.#memory = new TuningMemory(plan.space, plan.checkpoint?.key === this.#key ? plan.checkpoint : null);
  }

  async run(): Promise<TuningResult> {
    const { spec } = this.#plan;
    this.#tell("preparing", "Looking at the model");
    if (spec.mode === "simulated") await this.#learnCosts();
    for (;;) {
      if (this.#isOver()) return this.#result("stopped");
      if (this.#isOutOfTime(this.#confirmingShare)) return this.#confirmed("budget");
      this.#expected = this.#simulator.correct(this.#memory.measured);
      // So small a budget was spent before there was anything to choose with.
      if (spec.mode === "simulated" && this.#expected.size === 0) return this.#result("budget");
      const step = chooseNext({
        mode: spec.mode,
        wanted: this.#wanted,
        space: this.#plan.space,
        measured: this.#memory.measured,
        skipped: new Set(this.#memory.skipped.keys()),
        expected: this.#expected,
        left: this.#left - this.#kept,
        options: this.#plan.search,
        seed: spec.seed,
      });
      if (step.kind === "end") {
        // What there is now is what others are compared with.
        const missing = this.#presentPoint();
        if (missing === undefined) return this.#confirmed(step.ended);
        await this.#measure(missing, "measuring", "the present configuration, to compare with");
        continue;
      }
      await this.#measure(step.point, "measuring", step.why);
    }
  }

  /** Measures again, in turns, what looks best, and tells what came of it. */
  async #confirmed(ended: TuningResult["ended"]): Promise<TuningResult> {
    const without = new Set<string>();
    while (this.#plan.spec.mode === "simulated" && this.#left > 0 && !this.#isOutOfTime(0)) {
      if (this.#isOver()) return this.#result("stopped");
      const { points, measured } = this.#memory;
      const loaded = this.#loaded?.config.id;
      const point = chooseConfirmation({ points, measured, wanted: this.#wanted, without, loaded });
      if (point === undefined) break;
      const before = this.#memory.measurements;
      await this.#measure(point, "checking", "again, as the best ones lie close");
      if (this.#memory.measurements === before) without.add(point.id);
    }
    return this.#result(ended);
  }

  async close(): Promise<void> {
    this.#guard.close();
    await this.#unload();
  }

  /** Lonely requests and the two points under most load, then the whole space on the simulator. */
  async #learnCosts(): Promise<void> {
    const { spec, space } = this.#plan;
    const probes = planProbes(space, spec);
    const processors = await this.#deps.freeProcessors();
    for (const size of openSizes(probes, this.#memory.probes)) {
      if (this.#isOver() || this.#left <= 0) return;
      await this.#probe(probes.config, size);
    }
    for (const point of probes.loaded) {
      if (this.#memory.measured.has(point.id) || this.#memory.skipped.has(point.id)) continue;
      if (this.#isOver() || this.#left <= 0) return;
      await this.#measure(point, "probing", "to know what a full load costs");
    }
    this.#tell("simulating", `Simulating ${space.points.length} points`);
    await this.#simulator.run({
      probes: this.#memory.probes,
      loaded: probes.loaded,
      measured: this.#memory.measured,
      processors,
      onTurn: (done) => this.#tell("simulating", `Simulated ${done} of ${space.points.length} points`),
    });
  }

  async #probe(config: TuningConfig, requestBatch: number): Promise<void> {
    const { spec } = this.#plan;
    this.#tell("probing", `One request of ${requestBatch} at a time`);
    const loaded = await this.#load(config);
    const { measurement, executions, generatorUs } = await this.#deps.measurer.measure({
      model: loaded.name,
      fresh: loaded.fresh,
      load: "concurrency",
      level: 1,
      requestBatch,
      seconds: spec.measureSeconds * PROBE_SHARE,
      signal: this.#deps.signal,
    });
    loaded.fresh = false;
    if (this.#deps.signal.aborted) return;
    const { throughput, averageUs, p50Us, quantilesUs, seconds } = measurement;
    this.#memory.probes.push({
      requestBatch,
      concurrency: 1,
      setting: config.setting,
      executions,
      throughput,
      averageUs,
      p50Us,
      quantilesUs,
      generatorUs,
      seconds,
    });
    this.#save();
  }

  async #measure(point: SpacePoint, phase: TuningPhase, why: string): Promise<void> {
    const { spec } = this.#plan;
    const { config, level, requestBatch } = point;
    this.#memory.points.set(point.id, point);
    this.#tell(phase, `${config.id} with ${levelWords(spec, level)}: ${why}`, point.id);
    const forbidden = await this.#deps.machineAllows(spec.guard);
    if (forbidden !== undefined) return this.#skip([point], forbidden);
    let loaded: LoadedCandidate;
    try {
      loaded = await this.#load(config);
    } catch (error) {
      if (this.#isOver()) return;
      const { message, fix } = NereidError.from(error);
      const own = this.#plan.space.points.filter((one) => one.config.id === config.id);
      return this.#skip([point, ...own], { why: `it did not load: ${message}`, fix: fix ?? null });
    }
    try {
      const measured = await this.#guard.measure({
        model: loaded.name,
        fresh: loaded.fresh,
        load: spec.load.kind,
        level,
        requestBatch,
        seconds: spec.measureSeconds,
        signal: this.#deps.signal,
      });
      this.#memory.live = this.#guard.live;
      if (this.#deps.signal.aborted || measured.kind === "stopped") return;
      loaded.fresh = false;
      if (measured.kind === "skipped") {
        this.#endedEarly += 1;
        return this.#skip([point], measured.skip);
      }
      this.#memory.add(point, measured.measurement);
      this.#save();
    } catch (error) {
      if (this.#deps.signal.aborted) return;
      const { message, fix } = NereidError.from(error);
      this.#skip([point], { why: message, fix: fix ?? null });
    }
  }

  async #load(config: TuningConfig): Promise<LoadedCandidate> {
    if (this.#loaded?.config.id === config.id) {
      if ((await this.#deps.host.renew?.(config)) === "loaded") this.#loaded.fresh = true;
      return this.#loaded;
    }
    await this.#unload();
    const loaded = { config, name: await this.#deps.host.add(config), fresh: true };
    this.#loaded = loaded;
    return loaded;
  }

  async #unload(): Promise<void> {
    const { config } = this.#loaded ?? {};
    this.#loaded = undefined;
    if (config !== undefined) await this.#deps.host.remove(config);
  }

  #skip(points: readonly SpacePoint[], skip: TuningSkip): void {
    // What was measured before and could not be again is measured all the same.
    for (const { id } of points) if (!this.#memory.measured.has(id)) this.#memory.skipped.set(id, skip);
    this.#save();
  }

  /** The point of the present configuration that promises most, where none of it was measured. */
  #presentPoint(): SpacePoint | undefined {
    const [standard] = this.#plan.space.configs;
    const own = this.#plan.space.points.filter(({ config }) => config.id === standard?.id);
    if (own.some(({ id }) => this.#memory.measured.has(id)) || this.#left <= 0) return undefined;
    const open = own.filter(({ id }) => !this.#memory.skipped.has(id));
    const best = this.#bestId();
    const level = best === undefined ? undefined : this.#memory.points.get(best)?.level;
    return open.find((point) => point.level === level) ?? open.at(-1);
  }

  #bestId(): string | undefined {
    return this.#ranked(1)[0]?.id;
  }

  get #left(): number {
    const { measurements } = this.#plan.spec.budget;
    const made = this.#memory.measurements + this.#memory.probes.length + this.#endedEarly;
    return (measurements ?? Number.POSITIVE_INFINITY) - made;
  }

  /** Of the budget, for measuring the best again. */
  get #confirmingShare(): number {
    if (this.#plan.spec.mode !== "simulated") return 0;
    // Where nothing keeps the limits there is nothing to measure again: all of it is for finding something.
    const { constraints } = this.#wanted;
    const isNoneGood = [...this.#memory.measured.values()].every((figures) => missedPercent(figures, constraints) > 0);
    return isNoneGood ? 0 : CONFIRMING_SHARE;
  }

  /** Measurements for it. */
  get #kept(): number {
    return Math.floor((this.#plan.spec.budget.measurements ?? 0) * this.#confirmingShare);
  }

  #isOver(): boolean {
    return this.#deps.stopAsked() || this.#deps.signal.aborted;
  }

  /** `kept`: the part of the time that is not for what asks. */
  #isOutOfTime(kept: number): boolean {
    const { seconds } = this.#plan.spec.budget;
    return seconds !== null && this.#seconds >= seconds * (1 - kept);
  }

  get #seconds(): number {
    return this.#memory.secondsBefore + (this.#deps.nowMs() - this.#startedMs) / 1000;
  }

  #save(): void {
    this.#deps.checkpoint(
      this.#memory.checkpoint({ model: this.#plan.spec.model, key: this.#key, seconds: this.#seconds }),
    );
  }

  get #known() {
    return {
      space: this.#plan.space,
      wanted: this.#wanted,
      measured: this.#memory.measured,
      expected: this.#expected,
      skipped: this.#memory.skipped,
      extra: [...this.#memory.points.values()],
    };
  }

  #ranked(most: number) {
    return rankPoints(this.#known, most);
  }

  #tell(phase: TuningPhase, says: string, now: string | null = null): void {
    const points = this.#ranked(SHOWN_POINTS);
    const done = this.#memory.measurements + this.#memory.probes.length;
    const { measurements } = this.#plan.spec.budget;
    const atMost = measurements ?? (this.#plan.spec.mode === "brute" ? this.#plan.space.points.length : null);
    this.#deps.progress({
      version: 1,
      says,
      share: atMost === null ? 0 : Math.min(1, done / Math.max(1, atMost)),
      phase,
      measurements: done,
      atMost,
      space: this.#plan.space.points.length,
      seconds: this.#seconds,
      now,
      best: points.find(({ measured }) => measured !== null)?.id ?? null,
      points,
      live: this.#memory.live,
    });
  }

  #result(ended: TuningResult["ended"]): TuningResult {
    this.#expected = this.#simulator.correct(this.#memory.measured);
    this.#tell("finishing", "Writing down what came of it");
    return tuningResult({
      spec: this.#plan.spec,
      known: this.#known,
      probes: this.#memory.probes.length,
      seconds: this.#seconds,
      live: this.#memory.live,
      ended,
    });
  }
}
