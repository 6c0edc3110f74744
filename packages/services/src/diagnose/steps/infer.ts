import type { FlightRecord } from "@nereid/client";
import { executionsOf, goTogether, median, phaseMs, rankTogether, slowOnes } from "../figures.ts";
import type { StatsWindow } from "../stats-window.ts";
import type { Step } from "../step.ts";
import type { Thresholds } from "../thresholds.ts";
import type { Verdict } from "../verdict.ts";
import { ms, number, percent } from "../words.ts";

const inferMs = (record: FlightRecord) => phaseMs(record, "infer");

interface Cold {
  /** Slow executions that were the first of their batch size or shape, and all slow ones. */
  readonly first: number;
  readonly slow: number;
  readonly sizes: readonly number[];
  /** Milliseconds of such a first execution, and of later ones. */
  readonly firstMs: number | null;
  readonly laterMs: number | null;
}

/** What of the slow executions were the first of their kind since the model was loaded. */
export function coldExecutions(window: StatsWindow): Cold {
  const slow = executionsOf(slowOnes(window));
  const first = slow.filter(({ batch }) => batch?.first === true);
  const later = executionsOf(window.sampled).filter(({ batch }) => batch?.first !== true);
  return {
    first: first.length,
    slow: slow.length,
    sizes: [...new Set(first.flatMap(({ batch }) => (batch === undefined ? [] : [batch.size])))].toSorted(
      (a, b) => a - b,
    ),
    firstMs: median(first.map(inferMs)),
    laterMs: median(later.map(inferMs)),
  };
}

/** Milliseconds an item takes in small and in large batches; null where the sample has only one size. */
export function byBatchSize({ sampled, slow }: StatsWindow): readonly { size: number; ms: number; count: number }[] {
  const sizes = new Map<number, number[]>();
  for (const record of executionsOf([...sampled, ...slow])) {
    if (record.batch === undefined || record.batch.first === true) continue;
    sizes.set(record.batch.size, [...(sizes.get(record.batch.size) ?? []), inferMs(record)]);
  }
  return [...sizes]
    .flatMap(([size, values]) => {
      const middle = median(values);
      return middle === null ? [] : [{ size, ms: middle, count: values.length }];
    })
    .toSorted((a, b) => a.size - b.size);
}

function throttled({ machine }: StatsWindow): boolean {
  return machine?.gpus.some(({ temperatureCelsius }) => (temperatureCelsius ?? 0) >= 85) ?? false;
}

/** Processors that others kept busy in the seconds in which this model was slowest, and in those in which it was fastest. */
export function neighbourContrast({ timeline }: StatsWindow): { slow: number; fast: number } | null {
  const known = timeline.flatMap(({ infer, neighbours }) =>
    infer === null || neighbours === null ? [] : [{ infer, neighbours }],
  );
  if (known.length < 6) return null;
  const sorted = known.toSorted((a, b) => a.infer - b.infer);
  const third = Math.floor(sorted.length / 3);
  const mean = (points: typeof sorted) => points.reduce((sum, point) => sum + point.neighbours, 0) / points.length;
  return { fast: mean(sorted.slice(0, third)), slow: mean(sorted.slice(-third)) };
}

function isNoisy(window: StatsWindow, bars: Thresholds): boolean {
  const contrast = neighbourContrast(window);
  if (contrast === null) return false;
  const together = Math.max(
    goTogether(window, "infer", "neighbours") ?? 0,
    rankTogether(window, "infer", "neighbours") ?? 0,
  );
  return together >= bars.correlation && contrast.slow >= 0.2 && contrast.slow >= contrast.fast * 1.5;
}

function branchOf(window: StatsWindow, bars: Thresholds): string {
  const cold = coldExecutions(window);
  if (cold.slow > 0 && cold.first / cold.slow >= 0.5) return "cold";
  if (throttled(window)) return "throttled";
  if (isNoisy(window, bars)) return "neighbour";
  const { config, machine } = window;
  const wanted = (config?.instances ?? 1) * (config?.threads ?? 1);
  const cores = machine?.cores ?? null;
  if (config?.kind === "cpu" && config.threads !== null && cores !== null && wanted > cores * 1.5) return "threads";
  const sizes = byBatchSize(window);
  const [small, large] = [sizes[0], sizes.at(-1)];
  if (small !== undefined && large !== undefined && large.size >= small.size * 2 && large.ms >= small.ms * 1.5)
    return "batch";
  return "model";
}

const SAYS: Readonly<Record<string, string>> = {
  cold: "The slow executions are the first of their batch size since the model was loaded.",
  throttled: "A GPU is as hot as it may become.",
  neighbour: "It is slow in the seconds in which other models compute.",
  threads: "Its instances want more threads than there are processors.",
  batch: "Executions take longer the larger the batch is.",
  model: "Executions take this long whatever happens around them.",
};

/** Why executing takes long. */
export const infer: Step = {
  id: "infer",
  question: "Why does executing take long?",
  decide: (window, bars) => {
    const cold = coldExecutions(window);
    const contrast = neighbourContrast(window);
    const branch = branchOf(window, bars);
    return {
      branch,
      says: SAYS[branch] ?? "",
      evidence: [
        { label: "Slow executions that were the first of their size", value: `${cold.first} of ${cold.slow}` },
        ...(contrast === null
          ? []
          : [
              {
                label: "Processors others used while it was slow",
                value: number(contrast.slow),
                bar: `${number(contrast.fast)} while it was fast`,
              },
            ]),
        { label: "Processors in use", value: percent(window.machine?.cpu ?? null), bar: percent(bars.cpuShare) },
        ...byBatchSize(window)
          .slice(0, 5)
          .map(({ size, ms: took, count }) => ({ label: `Batch of ${size}`, value: `${ms(took)} (${count} seen)` })),
      ],
      chart: branch === "neighbour" ? "neighbours" : branch === "batch" ? "batches" : "phases",
    };
  },
  branches: {
    cold: { label: "First of its kind", onward: { verdict: coldVerdict } },
    neighbour: { label: "Another model computes meanwhile", onward: { verdict: neighbourVerdict } },
    throttled: { label: "The GPU is throttled", onward: { verdict: throttledVerdict } },
    threads: { label: "Too many threads", onward: { verdict: threadsVerdict } },
    batch: { label: "Larger batches take longer", onward: { verdict: batchVerdict } },
    model: { label: "The model itself", onward: { to: "periodic" } },
  },
};

function coldVerdict(window: StatsWindow): Verdict {
  const cold = coldExecutions(window);
  const sizes = cold.sizes.join(", ");
  return {
    cause: "cold-batch-size",
    title: "Batch sizes are met for the first time",
    explanation: `${cold.first} of ${cold.slow} slow executions were the first of their batch size (${sizes}) since the model was loaded: ${ms(cold.firstMs)} instead of ${ms(cold.laterMs)}.`,
    confidence: Math.min(0.95, 0.6 + (cold.first / Math.max(1, cold.slow)) * 0.35),
    suggestion: {
      says: `Warm these sizes up when the model is loaded (model_warmup, or --warm-up-batch-sizes).`,
      effect: `Requests no longer pay ${ms(cold.firstMs)}; the load takes that much longer once for each size.`,
      edits: [],
      link: "shapes",
    },
  };
}

function neighbourVerdict(window: StatsWindow): Verdict {
  const [worst] = window.neighbours;
  const contrast = neighbourContrast(window);
  const name = worst?.model ?? "another model";
  return {
    cause: "noisy-neighbour",
    title: `${name} takes its processors`,
    explanation:
      `When this model was slow, other models kept ${number(contrast?.slow ?? null)} processors busy; when it was fast, ${number(contrast?.fast ?? null)}. ` +
      `${name} computed ${ms(worst?.computeMsPerSecond ?? null)} of every second.`,
    confidence: 0.85,
    suggestion: {
      says: `Give ${name} fewer instances or threads, bound it by the rate limiter or host policies, or serve it from another node.`,
      effect: `Executions take as long as in the quiet seconds again.`,
      edits: [],
      link: `/models/${encodeURIComponent(name)}/instances`,
    },
  };
}

function throttledVerdict({ machine }: StatsWindow): Verdict {
  const hottest = machine?.gpus.toSorted((a, b) => (b.temperatureCelsius ?? 0) - (a.temperatureCelsius ?? 0))[0];
  return {
    cause: "gpu-throttled",
    title: `GPU ${hottest?.index ?? 0} is throttled`,
    explanation: `It is at ${number(hottest?.temperatureCelsius ?? null)} °C and lowers its clocks.`,
    confidence: 0.7,
    suggestion: {
      says: "Look at its cooling and power limit.",
      effect: "Executions return to full clock speed.",
      edits: [],
      link: "/nodes",
    },
  };
}

function threadsVerdict({ config, machine }: StatsWindow): Verdict {
  const instances = config?.instances ?? 1;
  const cores = machine?.cores ?? 1;
  const fewer = Math.max(1, Math.floor(cores / Math.max(1, config?.threads ?? 1)));
  return {
    cause: "too-many-threads",
    title: "More threads than processors",
    explanation: `${instances} instances of ${number(config?.threads ?? null)} threads each share ${cores} processors and take turns.`,
    confidence: 0.75,
    suggestion: {
      says: `Run ${fewer} instance${fewer === 1 ? "" : "s"}.`,
      effect: "Each execution has its processors for itself; the number of executions a second stays about the same.",
      edits: [{ path: "instance_group[0].count", value: fewer }],
    },
  };
}

function batchVerdict(window: StatsWindow): Verdict {
  const sizes = byBatchSize(window);
  const [small, large] = [sizes[0], sizes.at(-1)];
  const half = Math.max(1, Math.floor((window.config?.maxBatchSize ?? 2) / 2));
  const gains = small !== undefined && large !== undefined && large.ms / large.size < small.ms / small.size;
  return {
    cause: "grows-with-batch",
    title: "Large batches take long",
    explanation: `A batch of ${large?.size ?? "?"} takes ${ms(large?.ms ?? null)}, one of ${small?.size ?? "?"} ${ms(small?.ms ?? null)}.`,
    confidence: 0.7,
    suggestion: {
      says: `Lower max_batch_size to ${half}${gains ? ", if the answers that come in time matter more than their number" : ""}.`,
      effect: gains
        ? "Each request is answered sooner; fewer are executed a second."
        : "Each request is answered sooner, and nothing is lost: large batches are no cheaper an item.",
      edits: [{ path: "max_batch_size", value: half }],
    },
  };
}
