/** What a server says a model has done since it was loaded; times in nanoseconds. One for each model and version. */
export interface ServerCounters {
  readonly name: string;
  readonly version: string;
  readonly inferences: number;
  readonly executions: number;
  readonly phases: Readonly<Record<ServerPhase, PhaseCounter>>;
}

export interface PhaseCounter {
  readonly count: number;
  readonly ns: number;
}

export const SERVER_PHASES = [
  "success",
  "queue",
  "computeInput",
  "computeInfer",
  "computeOutput",
  "cacheHit",
  "cacheMiss",
] as const;
export type ServerPhase = (typeof SERVER_PHASES)[number];

const NONE: PhaseCounter = { count: 0, ns: 0 };

/**
 * What the versions of one model did between two looks. A version that was not there before counts from 0, and one whose counters
 * fell (it was reloaded) too. Pure.
 */
export function serverDifference(
  model: string,
  before: readonly ServerCounters[],
  after: readonly ServerCounters[],
): ServerCounters {
  const differences = after
    .filter(({ name }) => name === model)
    .map((now) => {
      const then = before.find(({ name, version }) => name === now.name && version === now.version);
      const reloaded = then !== undefined && now.phases.success.count < then.phases.success.count;
      return reloaded || then === undefined ? now : combine(now, then, (a, b) => Math.max(0, a - b));
    });
  return sumServerFigures(model, differences);
}

/** Figures of several windows, or versions, together. Pure. */
export function sumServerFigures(name: string, all: readonly ServerCounters[]): ServerCounters {
  const versions = new Set(all.map((one) => one.version));
  const version = versions.size === 1 ? (all[0]?.version ?? "") : "";
  const empty = { name, version, inferences: 0, executions: 0, phases: phasesOf(() => NONE) };
  return all.reduce((sum, one) => ({ ...combine(sum, one, (a, b) => a + b), name, version }), empty);
}

/** A mean in microseconds for each request that a model answered. Pure. */
export function phaseMeanUs(figures: ServerCounters, phase: ServerPhase): number {
  const answered = figures.phases.success.count;
  return answered === 0 ? 0 : figures.phases[phase].ns / answered / 1000;
}

/** Counters by phase. */
export function phasesOf(of: (phase: ServerPhase) => PhaseCounter): Record<ServerPhase, PhaseCounter> {
  const entries = SERVER_PHASES.map((phase) => [phase, of(phase)] as const);
  return Object.fromEntries(entries) as Record<ServerPhase, PhaseCounter>;
}

function combine(a: ServerCounters, b: ServerCounters, by: (a: number, b: number) => number): ServerCounters {
  return {
    name: a.name,
    version: a.version,
    inferences: by(a.inferences, b.inferences),
    executions: by(a.executions, b.executions),
    phases: phasesOf((phase) => ({
      count: by(a.phases[phase].count, b.phases[phase].count),
      ns: by(a.phases[phase].ns, b.phases[phase].ns),
    })),
  };
}
