import { cpus } from "node:os";
import type { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import {
  GeneratorFleet,
  generatorWarnings,
  goodputWithin,
  gpuFigures,
  type LoadShape,
  type LoadWindow,
  latenciesUs,
  meanInterval,
  measureLevel,
  nowMs,
  percentilesOf,
  quantileAt,
  quantilesOf,
  throughputOf,
} from "@nereid/perf";
import { idleProcessorsMeter } from "../perf/idle-processors.ts";
import { INTERVAL_FACTOR } from "../perf/measure-once.ts";
import { parsePerfCommand } from "../perf/parse-perf-command.ts";
import { pauseUnless } from "../perf/pause-unless.ts";
import type { PerfCommand } from "../perf/perf-command.ts";
import { PerfServer } from "../perf/perf-server.ts";
import { prepareLoad } from "../perf/prepare-load.ts";
import { executionsOf, meanBatch, phasesOf } from "./statistics-difference.ts";
import type { MeasuredLoad, MeasureOrder, Measurer } from "./tuning-deps.ts";

/** Windows of a measurement that must agree, and most that are tried for it. */
const WINDOWS = { agree: 3, most: 5 };
const TOLERANCE = 0.15;
const WARM_UP = { share: 0.15, leastMs: 150, freshMs: 1_500 };
/** How often a measurement is made in which a window had no answer, and how much longer each time. */
const ATTEMPTS = 4;
const LONGER = 2.5;
const MB = 2 ** 20;

export interface MeasurerOptions {
  /** The built program of a load generator. */
  readonly generator: string;
  readonly client: NereidClient;
  /** How requests are sent: options of `nereid perf` but for model, load and measurement. */
  readonly perfArgs: readonly string[];
  readonly goodWithinMs: number | null;
  readonly offsetsMs: readonly number[];
  readonly seed: number;
  /** Page of GPU figures; undefined = not asked. */
  readonly metricsUrl: string | undefined;
}

/** Measures candidates with processes of its own, which end with it. */
export class CandidateMeasurer implements Measurer, Disposable {
  readonly #options: MeasurerOptions;
  readonly #fleet: GeneratorFleet;

  constructor(options: MeasurerOptions) {
    this.#options = options;
    this.#fleet = new GeneratorFleet(options.generator);
  }

  async measure(order: MeasureOrder): Promise<MeasuredLoad> {
    const { perfArgs } = this.#options;
    const command = parsePerfCommand(["-m", order.model, "-b", String(order.requestBatch), ...perfArgs]);
    await using server = new PerfServer(command);
    const load = await prepareLoad(command, server);
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const seconds = order.seconds * LONGER ** (attempt - 1);
          return await this.#run({ ...order, seconds }, { command, server, spec: load.spec });
        } catch (error) {
          // Slow answers need longer windows, as Model Analyzer gives them.
          const isTooShort = NereidError.from(error).message.startsWith("No valid requests");
          if (!isTooShort || attempt === ATTEMPTS || order.signal.aborted) throw error;
        }
      }
    } finally {
      await load.close();
    }
  }

  async #run(
    order: MeasureOrder,
    place: {
      readonly command: PerfCommand;
      readonly server: PerfServer;
      readonly spec: Awaited<ReturnType<typeof prepareLoad>>["spec"];
    },
  ): Promise<MeasuredLoad> {
    const { client } = this.#options;
    const startedMs = nowMs();
    const idle = idleProcessorsMeter();
    const before = await client.statistics(order.model);
    const windows: LoadWindow[] = [];
    const idleDuring = idleProcessorsMeter();
    const measured = await measureLevel(
      {
        spec: { ...place.spec, shape: this.#shape(order) },
        measurement: {
          kind: "time_windows",
          intervalMs: Math.max(20, (order.seconds * 1000) / WINDOWS.agree / INTERVAL_FACTOR),
        },
        rule: {
          tolerance: TOLERANCE,
          percentile: undefined,
          maxWindows: WINDOWS.most,
          latencyLimitMs: 0,
          batch: order.requestBatch,
        },
        warmUpRequests: 0,
        warmUpMs: Math.max(order.fresh ? WARM_UP.freshMs : WARM_UP.leastMs, order.seconds * 1000 * WARM_UP.share),
        processes: place.command.processes ?? 1,
        mostProcesses: place.command.processes ?? Math.max(1, cpus().length - 1),
        models: [order.model],
      },
      {
        fleet: this.#fleet,
        nowMs,
        pause: (ms) => pauseUnless(order.signal, ms),
        stopped: () => order.signal.aborted,
        counters: () => place.server.counters([order.model]).catch(() => []),
        idleProcessors: idle,
        onWindow: (_number, window) => windows.push(window),
      },
    );
    const cpuShare = Math.min(1, Math.max(0, 1 - idleDuring() / cpus().length));
    const after = await client.statistics(order.model);
    const last = windows.length === 0 ? [measured.window] : windows.slice(-WINDOWS.agree);
    return {
      measurement: {
        ...this.#figures(measured.window, order),
        ...this.#intervals(last, order),
        meanBatch: meanBatch(before, after),
        phases: phasesOf(before, after, measured.window),
        memoryMb: await this.#memoryMb(order.model),
        cpuShare,
        gpus: await this.#gpus(),
        stable: measured.verdict === "stable",
        warnings: generatorWarnings(measured.window, order.load === "concurrency" ? "closed" : "open"),
        seconds: (nowMs() - startedMs) / 1000,
      },
      executions: executionsOf(before, after),
      generatorUs: generatorUs(measured.window),
    };
  }

  #shape({ load, level }: MeasureOrder): LoadShape {
    if (load === "concurrency") return { kind: "closed", concurrency: level };
    if (load === "rate")
      return { kind: "open", arrivals: { kind: "poisson", perSecond: level, seed: this.#options.seed } };
    return {
      kind: "open",
      arrivals: { kind: "recorded", offsetsMs: this.#options.offsetsMs.map((offsetMs) => offsetMs / level) },
    };
  }

  #figures(window: LoadWindow, { requestBatch }: MeasureOrder) {
    const latencies = latenciesUs(window).sort();
    const quantilesUs = quantilesOf(latencies);
    const throughput = throughputOf(window, requestBatch);
    return {
      throughput,
      goodput: goodputWithin({ throughput, quantilesUs }, this.#options.goodWithinMs),
      averageUs: latencies.reduce((sum, one) => sum + one, 0) / Math.max(1, latencies.length),
      ...percentilesOf(quantilesUs),
      quantilesUs,
      failed: window.failed / Math.max(1, window.failed + window.requests.length),
    };
  }

  #intervals(windows: readonly LoadWindow[], order: MeasureOrder) {
    const figures = windows.map((window) => this.#figures(window, order));
    return {
      throughputInterval: meanInterval(figures.map(({ throughput }) => throughput)),
      goodputInterval: meanInterval(figures.map(({ goodput }) => goodput)),
      p99Interval: meanInterval(figures.map(({ quantilesUs }) => quantileAt(quantilesUs, 0.99))),
    };
  }

  /** Of the runner; a Triton does not say. */
  async #memoryMb(model: string): Promise<number | null> {
    try {
      const { versions } = await this.#options.client.model(model);
      const bytes = versions.reduce((sum, { runner }) => sum + (runner?.memory.currentBytes ?? 0), 0);
      return bytes === 0 ? null : bytes / MB;
    } catch {
      return null;
    }
  }

  async #gpus(): Promise<MeasuredLoad["measurement"]["gpus"]> {
    const { metricsUrl } = this.#options;
    if (metricsUrl === undefined) return [];
    try {
      const answer = await fetch(metricsUrl, { signal: AbortSignal.timeout(5_000) });
      return gpuFigures([await answer.text()]).map(({ uuid, usedBytes, utilization, powerWatts }) => ({
        uuid,
        usedMb: usedBytes / MB,
        utilization: utilization * 100,
        powerWatts,
      }));
    } catch {
      return [];
    }
  }

  [Symbol.dispose](): void {
    this.#fleet[Symbol.dispose]();
  }
}

function generatorUs({ generator, durationMs, requests }: LoadWindow): number | null {
  if (requests.length < 20) return null;
  return (generator.cpu * generator.processes * durationMs * 1000) / requests.length;
}
