import { correlation, median } from "../figures.ts";
import type { StatsWindow, WindowPoint } from "../stats-window.ts";
import type { Step } from "../step.ts";
import type { Verdict } from "../verdict.ts";
import { ms, number } from "../words.ts";

export interface Rhythm {
  /** Seconds from spike to spike. */
  readonly every: number;
  readonly spikes: number;
  /** What happened at most of them; undefined when nothing known did. */
  readonly event: string | undefined;
}

/** Spikes of the 99th percentile at regular intervals: at least four, whose distances differ by a fifth at most. */
export function rhythmOf({ timeline, events }: StatsWindow): Rhythm | undefined {
  const values = timeline.flatMap(({ p99 }) => (p99 === null ? [] : [p99]));
  const middle = median(values);
  if (middle === null) return undefined;
  const spikes = timeline.filter((point, i) => isSpike(point, timeline[i - 1], middle));
  const gaps = spikes.slice(1).map(({ t }, i) => t - (spikes[i]?.t ?? t));
  const every = median(gaps);
  if (every === null || spikes.length < 4 || gaps.some((gap) => Math.abs(gap - every) > Math.max(1, every / 5)))
    return undefined;
  const near = spikes.flatMap(({ t }) =>
    events.filter((event) => Math.abs(event.t - t) <= 3).map(({ label }) => label),
  );
  const event = near.find((label) => near.filter((other) => other === label).length >= spikes.length / 2);
  return { every, spikes: spikes.length, event };
}

function isSpike(point: WindowPoint, before: WindowPoint | undefined, middle: number): boolean {
  const high = (p99: number | null | undefined) => (p99 ?? 0) >= middle * 2.5;
  return high(point.p99) && !high(before?.p99);
}

/** Whether it comes and goes by the clock, or with something else that is measured. */
export const periodic: Step = {
  id: "periodic",
  question: "Does it come and go by the clock?",
  decide: (window, bars) => {
    const rhythm = rhythmOf(window);
    const lag = window.machine?.eventLoopLagMs ?? 0;
    const branch = rhythm !== undefined ? "clock" : lag >= bars.eventLoopLagMs ? "lag" : "steady";
    return {
      branch,
      says:
        rhythm !== undefined
          ? `${rhythm.spikes} spikes, ${number(rhythm.every)} s apart.`
          : branch === "lag"
            ? `The server's event loop stood still for up to ${ms(lag)}.`
            : "No regular spikes.",
      evidence: [
        {
          label: "Event-loop lag, greatest",
          value: ms(window.machine?.eventLoopLagMs ?? null),
          bar: ms(bars.eventLoopLagMs),
        },
      ],
      chart: "latency",
    };
  },
  branches: {
    clock: {
      label: "Yes, regularly",
      onward: {
        verdict: (window) => {
          const rhythm = rhythmOf(window);
          return {
            cause: "periodic",
            title: `Every ${number(rhythm?.every ?? null)} s something interrupts`,
            explanation:
              rhythm?.event === undefined
                ? "Nothing that is recorded happens at these moments: garbage collection, a scheduled job or another process may."
                : `At most of these moments: ${rhythm.event}.`,
            confidence: rhythm?.event === undefined ? 0.6 : 0.8,
            suggestion: {
              says: "Look at what runs on the machine with this period; scrapes, jobs and reloads first.",
              effect: "Between the spikes the latency is as it should be.",
              edits: [],
              link: "/events",
            },
          };
        },
      },
    },
    lag: {
      label: "The server's event loop lags",
      onward: {
        verdict: ({ machine }) => ({
          cause: "event-loop-lag",
          title: "The server's event loop lags",
          explanation: `It stood still for up to ${ms(machine?.eventLoopLagMs ?? null)}: requests are read and answers written late.`,
          confidence: 0.65,
          suggestion: {
            says: "Send binary tensors instead of JSON, and divide the clients over more nodes.",
            effect: "Decoding JSON is what the event loop does most; binary tensors need none.",
            edits: [],
          },
        }),
      },
    },
    steady: { label: "No", onward: { verdict: steadyVerdict } },
  },
};

const FIGURES = ["queue", "infer", "pending", "meanBatch", "neighbours", "cpu", "eventLoopLagMs", "requests"] as const;

const NAMES: Readonly<Record<(typeof FIGURES)[number], string>> = {
  queue: "waiting in the queue",
  infer: "executing",
  pending: "waiting requests",
  meanBatch: "the batch size",
  neighbours: "other models' computing",
  cpu: "processors in use",
  eventLoopLagMs: "event-loop lag",
  requests: "requests a second",
};

function steadyVerdict(window: StatsWindow): Verdict {
  const { whole, timeline } = window;
  const infer = whole.means?.infer ?? 0;
  const total = whole.means === null ? 0 : Object.values(whole.means).reduce((sum, value) => sum + value, 0);
  if (total > 0 && infer / total >= 0.6 && (whole.p99 ?? infer) <= infer * 3) {
    return {
      cause: "slow-model",
      title: "The model takes this long",
      explanation: `Executing takes ${ms(infer)} of ${ms(total)} on average, evenly: nothing around it makes it slow.`,
      confidence: 0.7,
      suggestion: {
        says: "Profile it: which operators take the time, on which provider? Then quantise it, use an accelerator, or give it more threads.",
        effect: "A profile says how much each operator could give back.",
        edits: [],
        link: "graph",
      },
    };
  }
  const together = FIGURES.flatMap((key) => {
    const found = correlation(timeline.map((point) => [point.p99, point[key]]));
    return found === null ? [] : [{ key, found }];
  }).toSorted((a, b) => Math.abs(b.found) - Math.abs(a.found));
  const top = together.slice(0, 3).map(({ key, found }) => `${NAMES[key]} (${found.toFixed(2)})`);
  return {
    cause: "unknown",
    title: "No known cause fits",
    explanation:
      top.length === 0
        ? "Nothing that is measured goes with the latency."
        : `What goes with the 99th percentile most: ${top.join(", ")}.`,
    confidence: 0.2,
    suggestion: {
      says: "Open the slowest remembered requests, and send a steady load while you look.",
      effect: "A steady load takes the clients' rhythm out of the picture.",
      edits: [],
      link: "requests",
    },
  };
}
