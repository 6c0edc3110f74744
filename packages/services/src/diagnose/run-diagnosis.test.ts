import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pointsOf, recordOf, windowOf } from "../testing/stats-window.ts";
import { runDiagnosis } from "./run-diagnosis.ts";
import type { StatsWindow } from "./stats-window.ts";
import { thresholds } from "./thresholds.ts";
import { SYMPTOMS, type Symptom, TREES } from "./trees.ts";
import type { Cause } from "./verdict.ts";

const bars = thresholds.parse({});
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const diagnose = (window: StatsWindow, symptom: Symptom = "p99-high") => runDiagnosis({ symptom, window, bars });
const busyWait = { means: { queue: 20, input: 0.1, infer: 4, output: 0.1 } };
const sampled = many(20, () => recordOf({ causes: ["sampled"] }));

const PLANTED: readonly (readonly [Cause, StatsWindow, Symptom?])[] = [
  ["not-enough-data", windowOf({ whole: { succeeded: 12 } })],
  ["queue-refuses", windowOf({ whole: { failed: 100, failures: { REJECTED: 90, OTHER: 10 } } })],
  ["deadline-too-short", windowOf({ whole: { failed: 100, failures: { CANCELED: 100 } } })],
  ["model-fails", windowOf({ whole: { failed: 100, failures: { BACKEND: 100 } } })],
  ["one-version", windowOf({ slow: many(10, () => recordOf({ version: "2" })), sampled })],
  ["one-instance", windowOf({ slow: many(10, () => recordOf({ instance: "m_0_1" })), sampled })],
  ["one-shape", windowOf({ slow: many(10, () => recordOf({ shape: [512] })), sampled })],
  ["slow-client", windowOf({ whole: { network: { receive: 300, send: 1 } } })],
  [
    "full-batch",
    windowOf({
      whole: { ...busyWait, closed: { full: 950, "no-delay": 50 }, meanBatch: 7.8, busyShare: 0.99 },
      slow: many(10, () => recordOf({ queueMs: 20, reason: "full", leftWaiting: 9, size: 8 })),
    }),
  ],
  [
    "delay-too-long",
    windowOf({
      whole: { ...busyWait, closed: { "delay-over": 990, full: 10 }, busyShare: 0.05 },
      slow: many(10, () => recordOf({ queueMs: 50, reason: "delay-over" })),
    }),
  ],
  ["shapes-prevent-batches", windowOf({ whole: { ...busyWait, closed: { "other-shape": 900, full: 100 } } })],
  ["saturated", windowOf({ whole: { ...busyWait, closed: { single: 1000 }, busyShare: 0.97 } })],
  [
    "bursts",
    windowOf({
      whole: busyWait,
      timeline: pointsOf(
        many(20, (i) =>
          i % 10 === 0 ? { requests: 900, pending: 300, p99: 90 } : { requests: 10, pending: 0, p99: 3 },
        ),
      ),
    }),
  ],
  ["waits-behind-others", windowOf({ whole: busyWait })],
  [
    "cold-batch-size",
    windowOf({ slow: many(10, (i) => recordOf({ inferMs: 150, first: true, size: i + 2 })), sampled }),
  ],
  [
    "noisy-neighbour",
    windowOf({
      slow: many(10, () => recordOf({ inferMs: 20 })),
      neighbours: [{ model: "loud", computeMsPerSecond: 900 }],
      timeline: pointsOf(
        many(12, (i) => (i >= 4 && i < 8 ? { infer: 12 + (i % 2), neighbours: 1.9 } : { infer: 4, neighbours: 0.05 })),
      ),
    }),
  ],
  [
    "too-many-threads",
    windowOf({ config: { ...windowConfig(), instances: 4, threads: 8 }, whole: { means: slowModel() } }),
  ],
  [
    "grows-with-batch",
    windowOf({
      whole: { means: slowModel() },
      sampled: [
        ...many(10, () => recordOf({ causes: ["sampled"], size: 1, inferMs: 2 })),
        ...many(10, () => recordOf({ causes: ["sampled"], size: 16, inferMs: 40 })),
      ],
      slow: many(4, () => recordOf({ size: 16, inferMs: 44 })),
    }),
  ],
  ["slow-model", windowOf({ whole: { means: slowModel(), p99: 60 } })],
  ["input-handling", windowOf({ whole: { means: { queue: 0, input: 30, infer: 2, output: 0 } } })],
  ["output-handling", windowOf({ whole: { means: { queue: 0, input: 1, infer: 2, output: 30 } } })],
  [
    "periodic",
    windowOf({
      whole: { means: slowModel(), p99: 400 },
      timeline: pointsOf(many(60, (i) => ({ p99: i % 10 === 5 ? 90 : 8 }))),
    }),
  ],
  [
    "event-loop-lag",
    windowOf({
      whole: { means: slowModel(), p99: 400 },
      machine: { cpu: 0.5, cores: 8, memoryShare: 0.4, eventLoopLagMs: 220, gpus: [] },
    }),
  ],
  ["too-little-load", windowOf({ whole: { busyShare: 0.02 } }), "throughput-low"],
  [
    "batches-too-small",
    windowOf({ whole: { busyShare: 0.9, meanBatch: 1 }, timeline: pointsOf(many(10, () => ({ pending: 4 }))) }),
    "throughput-low",
  ],
  ["gpu-errors", windowOf({ machine: gpu({ xidErrors: 2 }) }), "gpu-high-errors-high"],
  ["memory-short", windowOf({ machine: gpu({ memoryShare: 0.98 }) }), "gpu-high-errors-high"],
  [
    "gpu-throttled",
    windowOf({ machine: gpu({ temperatureCelsius: 91 }), slow: many(6, () => recordOf({ inferMs: 30 })) }),
    "gpu-high-errors-high",
  ],
];

function windowConfig() {
  const { config } = windowOf();
  if (config === null) throw new Error("the window has no configuration");
  return config;
}

function slowModel() {
  return { queue: 0.5, input: 0.1, infer: 40, output: 0.1 };
}

function gpu(more: Partial<NonNullable<StatsWindow["machine"]>["gpus"][number]>): StatsWindow["machine"] {
  const one = {
    index: 0,
    utilization: 0.95,
    memoryShare: 0.5,
    temperatureCelsius: 60,
    eccErrors: 0,
    xidErrors: 0,
    ...more,
  };
  return { cpu: 0.3, cores: 8, memoryShare: 0.4, eventLoopLagMs: 2, gpus: [one] };
}

it("a machine that stood still for a second hid the neighbour that slowed all others", () => {
  const point = (i: number) => {
    if (i === 1) return { infer: 250, neighbours: 0.05 };
    return i >= 6 && i < 14 ? { infer: 12 + (i % 2), neighbours: 1.9 } : { infer: 4, neighbours: 0.05 };
  };
  const window = windowOf({
    slow: many(10, () => recordOf({ inferMs: 20 })),
    neighbours: [{ model: "loud", computeMsPerSecond: 900 }],
    timeline: pointsOf(many(18, point)),
  });
  expect(diagnose(window).verdict.cause).toBe("noisy-neighbour");
});

describe("runDiagnosis()", () => {
  it.each(PLANTED.map(([cause, window, symptom]) => ({ cause, window, symptom })))(
    "finds $cause",
    ({ cause, window, symptom }) => {
      const { verdict, steps } = diagnose(window, symptom);
      expect(verdict.cause, JSON.stringify(steps.map(({ id, branch }) => [id, branch]))).toBe(cause);
      expect(verdict.explanation).not.toMatch(/undefined|NaN|null/);
      expect(verdict.suggestion?.says).toBeTruthy();
    },
  );

  it("says that nothing fits, and what goes with the latency, instead of guessing", () => {
    const { verdict } = diagnose(
      windowOf({ whole: { p99: 400 }, timeline: pointsOf(many(10, (i) => ({ p99: 10 + i, requests: 100 + i * 10 }))) }),
    );
    expect(verdict.cause).toBe("unknown");
    expect(verdict.explanation).toContain("requests a second (1.00)");
    expect(verdict.confidence).toBeLessThan(0.5);
  });

  it("suggests edits of fields that the configuration language knows", () => {
    const edits = PLANTED.flatMap(([, window, symptom]) => diagnose(window, symptom).verdict.suggestion?.edits ?? []);
    expect(edits.length).toBeGreaterThan(4);
    for (const { path } of edits) {
      expect(path).toMatch(
        /^(max_batch_size|instance_group\[0\]\.count|dynamic_batching\.max_queue_delay_microseconds)$/,
      );
    }
  });

  it("follows the branch that a person chose, says what it would have chosen, and is less sure", () => {
    const window = windowOf({ whole: { means: slowModel(), p99: 60 } });
    const own = diagnose(window);
    const other = runDiagnosis({ symptom: "p99-high", window, bars, choices: { phases: "queue" } });
    expect(own.verdict.cause).toBe("slow-model");
    expect(other.verdict.cause).toBe("waits-behind-others");
    expect(other.steps.find(({ id }) => id === "phases")).toMatchObject({ branch: "queue", overruled: "infer" });
    expect(() => runDiagnosis({ symptom: "p99-high", window, bars, choices: { phases: "sideways" } })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", fix: expect.stringContaining("queue") }),
    );
  });

  it("holds figures against the thresholds it is given", () => {
    const window = windowOf({ whole: { failed: 20, failures: { BACKEND: 20 } } });
    expect(diagnose(window).verdict.cause).toBe("model-fails");
    const lenient = { ...bars, failureShare: 0.05 };
    expect(runDiagnosis({ symptom: "p99-high", window, bars: lenient }).verdict.cause).not.toBe("model-fails");
  });

  it("ends with a verdict for any window, in every tree, however the branches are chosen", () => {
    const figure = fc.option(fc.double({ min: 0, max: 1e4, noNaN: true }), { nil: null });
    const slice = fc.record({
      succeeded: fc.nat(1e5),
      failed: fc.nat(1e4),
      p99: figure,
      busyShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
      means: fc.option(fc.record({ queue: fc.nat(99), input: fc.nat(99), infer: fc.nat(99), output: fc.nat(99) }), {
        nil: null,
      }),
      closed: fc.dictionary(fc.constantFrom("full", "delay-over", "other-shape", "single"), fc.nat(100)),
    });
    const points = fc.array(fc.record({ p99: figure, infer: figure, neighbours: figure, pending: fc.nat(9) }), {
      maxLength: 30,
    });
    const choice = fc.array(fc.nat(9), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...SYMPTOMS), slice, points, choice, (symptom, whole, timeline, picks) => {
        const window = windowOf({ whole, timeline: pointsOf(timeline), machine: null, config: null });
        const choices: Record<string, string> = {};
        let index = 0;
        for (const [id, step] of Object.entries(TREES[symptom].steps)) {
          const keys = Object.keys(step.branches);
          const pick = picks[index++ % picks.length] ?? 0;
          const key = keys[pick % keys.length];
          if (pick > 4 && key !== undefined) choices[id] = key;
        }
        const { verdict, steps } = runDiagnosis({ symptom, window, bars, choices });
        expect(verdict.confidence).toBeGreaterThanOrEqual(0);
        expect(verdict.confidence).toBeLessThanOrEqual(1);
        expect(steps.length).toBeLessThan(12);
      }),
    );
  });
});
