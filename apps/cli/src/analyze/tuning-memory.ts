import {
  mergeMeasurements,
  type SearchSpace,
  type SpacePoint,
  type TuningCheckpoint,
  type TuningLive,
  type TuningMeasurement,
  type TuningProbe,
  type TuningSkip,
} from "@nereid/perf";

/** What a tuning has found out so far, this time and before. */
export class TuningMemory {
  /** By the id of the point. */
  readonly measured = new Map<string, TuningMeasurement>();
  /** Points that were tried, those beside the space too. */
  readonly points = new Map<string, SpacePoint>();
  readonly skipped = new Map<string, TuningSkip>();
  readonly probes: TuningProbe[];
  /** Seconds that earlier runs took. */
  readonly secondsBefore: number;
  live: TuningLive | null;

  /** With a checkpoint: its measurements count where the space has their places, whatever number their configuration has now. */
  constructor(space: SearchSpace, checkpoint: TuningCheckpoint | null) {
    this.probes = [...(checkpoint?.probes ?? [])];
    this.secondsBefore = checkpoint?.seconds ?? 0;
    this.live = checkpoint?.live ?? null;
    const byPlace = new Map(space.points.map((point) => [placeKey(point), point]));
    for (const { config, level, requestBatch, measurement } of checkpoint?.measured ?? []) {
      const point = byPlace.get(placeKey({ config, level, requestBatch }));
      if (point === undefined) continue;
      this.measured.set(point.id, measurement);
      this.points.set(point.id, point);
    }
  }

  /** Of all points, again where they were measured again. */
  get measurements(): number {
    return [...this.measured.values()].reduce((sum, { times }) => sum + times, 0);
  }

  /** Adds a measurement to what is known of the point. */
  add(point: SpacePoint, measurement: TuningMeasurement): void {
    const before = this.measured.get(point.id);
    this.points.set(point.id, point);
    this.measured.set(point.id, before === undefined ? measurement : mergeMeasurements(before, measurement));
  }

  checkpoint(of: { readonly model: string; readonly key: string; readonly seconds: number }): TuningCheckpoint {
    return {
      version: 1,
      ...of,
      measured: [...this.measured].flatMap(([id, measurement]) => {
        const point = this.points.get(id);
        if (point === undefined) return [];
        return [{ id, config: point.config, level: point.level, requestBatch: point.requestBatch, measurement }];
      }),
      skipped: [...this.skipped].map(([id, skip]) => ({ id, skip })),
      probes: this.probes,
      live: this.live,
    };
  }
}

/** The same for the same configuration under the same load. */
function placeKey({ config, level, requestBatch }: Pick<SpacePoint, "config" | "level" | "requestBatch">): string {
  return JSON.stringify([config.setting, config.fields, level, requestBatch]);
}
