import { closedShare, goTogether, slowOnes } from "../figures.ts";
import type { StatsWindow, WindowConfig, WindowSlice } from "../stats-window.ts";
import type { Step } from "../step.ts";
import type { Thresholds } from "../thresholds.ts";
import type { Verdict } from "../verdict.ts";
import { ms, number, percent } from "../words.ts";

/** Why batches were closed, among the slow requests where they are remembered, else of all. */
function closedAmongSlow(window: StatsWindow): Pick<WindowSlice, "closed"> {
  const closed: Record<string, number> = {};
  for (const { batch } of slowOnes(window))
    if (batch !== undefined) closed[batch.reason] = (closed[batch.reason] ?? 0) + 1;
  return Object.keys(closed).length === 0 ? window.whole : { closed };
}

function queueBranch(window: StatsWindow, bars: Thresholds): string {
  const { whole, config } = window;
  const closed = { ...whole, ...closedAmongSlow(window) };
  const over = (reasons: readonly string[]) => (closedShare(closed, reasons) ?? 0) >= bars.closedShare;
  const busy = whole.busyShare ?? 0;
  if (over(["delay-over"]) && busy < bars.busyShare) return "delay";
  if (over(["other-shape"])) return "shapes";
  const limit = config?.maxBatchSize ?? 0;
  const batches = limit > 1 && (config?.batches ?? false);
  if (batches && over(["full", "preferred", "next-too-large"]) && leftWaiting(window)) return "full";
  if (busy >= bars.busyShare) return "saturated";
  if ((goTogether(window, "pending", "p99") ?? 0) >= bars.correlation && isBursty(window)) return "bursts";
  if (batches && over(["full", "preferred", "next-too-large"])) return "full";
  return "others";
}

/** Whether requests stayed in the queue when the slow ones' batches were sent, or came behind others. */
function leftWaiting(window: StatsWindow): boolean {
  const slow = slowOnes(window);
  const behind = slow.filter(({ batch, queue }) => (batch?.leftWaiting ?? 0) > 0 || queue.position > 0);
  return slow.length === 0 ? window.timeline.some(({ pending }) => pending > 0) : behind.length >= slow.length / 2;
}

function isBursty({ timeline }: StatsWindow): boolean {
  const rates = timeline.map(({ requests }) => requests);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length);
  return mean > 0 && Math.max(...rates) >= 3 * mean;
}

/** Why requests wait: for a batch to fill, for an instance, or behind a full batch. */
export const queue: Step = {
  id: "queue",
  question: "What do they wait for?",
  decide: (window, bars) => {
    const { whole, config } = window;
    const closed = { ...whole, ...closedAmongSlow(window) };
    const reasons = Object.entries(closed.closed).toSorted(([, a], [, b]) => b - a);
    const branch = queueBranch(window, bars);
    return {
      branch,
      says:
        {
          delay: "Instances are free while requests wait: the batcher holds them back for more to come.",
          shapes: "Batches are closed because the next request has another shape.",
          full: "Batches leave full, and requests stay behind.",
          saturated: "All instances are executing nearly all the time.",
          bursts: "Requests come in bursts that the instances work off afterwards.",
          others: "Neither the batcher nor full instances explain the wait.",
        }[branch] ?? "",
      evidence: [
        { label: "Instances busy", value: percent(whole.busyShare), bar: percent(bars.busyShare) },
        {
          label: "Mean batch",
          value: number(whole.meanBatch),
          ...(config !== null && { bar: `at most ${config.maxBatchSize}` }),
        },
        ...(config !== null ? [{ label: "Queue delay", value: ms(config.queueDelayUs / 1000) }] : []),
        ...reasons.slice(0, 4).map(([reason, count]) => ({ label: `Closed: ${reason}`, value: number(count) })),
      ],
      chart: branch === "saturated" || branch === "bursts" ? "queue" : "batches",
    };
  },
  branches: {
    delay: { label: "For the batch to fill", onward: { verdict: delayVerdict } },
    shapes: { label: "For requests of their own shape", onward: { verdict: shapesVerdict } },
    full: { label: "Behind a full batch", onward: { verdict: fullVerdict } },
    saturated: { label: "For an instance", onward: { verdict: saturatedVerdict } },
    bursts: { label: "Behind a burst", onward: { verdict: burstsVerdict } },
    others: { label: "For something else", onward: { verdict: othersVerdict } },
  },
};

/** The delay that costs no more than a tenth of an execution, in whole microseconds. */
function shorterDelayUs({ queueDelayUs }: WindowConfig, inferMs: number): number {
  return Math.max(0, Math.min(Math.round(queueDelayUs / 10), Math.round((inferMs * 1000) / 10)));
}

function delayVerdict({ whole, config }: StatsWindow): Verdict {
  const delay = config?.queueDelayUs ?? 0;
  const shorter = config === null ? 0 : shorterDelayUs(config, whole.means?.infer ?? 0);
  const gain = (delay - shorter) / 1000;
  return {
    cause: "delay-too-long",
    title: "The batcher waits too long",
    explanation:
      `Requests are held back up to ${ms(delay / 1000)} (max_queue_delay_microseconds) for a batch of ${config?.maxBatchSize ?? "?"}, but so few come that it ` +
      `leaves with ${number(whole.meanBatch)} and the instances are busy only ${percent(whole.busyShare)} of the time. An execution takes ${ms(whole.means?.infer ?? null)}.`,
    confidence: 0.92,
    suggestion: {
      says: `Set max_queue_delay_microseconds to ${shorter}.`,
      effect: `Requests that wait for the whole delay are answered about ${ms(gain)} sooner: the 99th percentile falls from ${ms(whole.p99)} to about ${ms(Math.max((whole.p99 ?? gain) - gain, whole.means?.infer ?? 0))}.`,
      edits: [{ path: "dynamic_batching.max_queue_delay_microseconds", value: shorter }],
    },
  };
}

function shapesVerdict({ whole }: StatsWindow): Verdict {
  return {
    cause: "shapes-prevent-batches",
    title: "Different shapes keep batches small",
    explanation: `${percent(closedShare(whole, ["other-shape"]))} of the batches were sent because the next request has another shape; they hold ${number(whole.meanBatch)} on average.`,
    confidence: 0.85,
    suggestion: {
      says: "Pad inputs to a few sizes, or allow ragged batches for the inputs that vary.",
      effect: "Requests of one bucket share batches; how many sizes are worth it stands on the page of shapes.",
      edits: [],
      link: "shapes",
    },
  };
}

function fullVerdict({ whole, config }: StatsWindow): Verdict {
  const limit = config?.maxBatchSize ?? 1;
  const instances = config?.instances ?? 1;
  const wait = whole.means?.queue ?? null;
  return {
    cause: "full-batch",
    title: "Batches are full, and requests wait for the next one",
    explanation:
      `Batches leave with ${number(whole.meanBatch)} of at most ${limit}, others stay behind, and a request waits ${ms(wait)} on average while one ` +
      `execution takes ${ms(whole.means?.infer ?? null)}. Instances are busy ${percent(whole.busyShare)} of the time.`,
    confidence: 0.9,
    suggestion: {
      says: `Raise max_batch_size from ${limit} to ${limit * 2}; or run ${instances + 1} instances, where processors are free.`,
      effect: `If an execution of ${limit * 2} takes less than twice one of ${limit}, each clears more of the queue: the wait of ${ms(wait)} falls by up to a half.`,
      edits: [{ path: "max_batch_size", value: limit * 2 }],
    },
  };
}

function saturatedVerdict({ whole, config, machine }: StatsWindow): Verdict {
  const instances = config?.instances ?? 1;
  const free = machine?.cpu == null ? null : 1 - machine.cpu;
  const room = free === null || free > 0.25 || config?.kind === "gpu";
  return {
    cause: "saturated",
    title: "All instances are busy",
    explanation: `The ${instances === 1 ? "one instance executes" : `${instances} instances execute`} ${percent(whole.busyShare)} of the time; requests wait ${ms(whole.means?.queue ?? null)} for their turn.`,
    confidence: 0.88,
    suggestion: room
      ? {
          says: `Run ${instances + 1} instances instead of ${instances}.`,
          effect: `Each is busy ${percent((whole.busyShare ?? 1) * (instances / (instances + 1)))} of the time then, if processors suffice; waiting falls faster than that.`,
          edits: [{ path: "instance_group[0].count", value: instances + 1 }],
        }
      : {
          says: "Add a node, or refuse what cannot be answered in time: the processors are in use too.",
          effect: `${percent(machine?.cpu ?? null)} of the processors are in use, so more instances here would only share them.`,
          edits: [],
          link: "/nodes",
        },
  };
}

function burstsVerdict({ timeline }: StatsWindow): Verdict {
  const most = Math.max(...timeline.map(({ pending }) => pending));
  return {
    cause: "bursts",
    title: "Requests come in bursts",
    explanation: `Up to ${number(most)} requests wait at times although the instances are free on average: what comes at once is worked off one batch after the other.`,
    confidence: 0.7,
    suggestion: {
      says: "Spread the requests at their source, allow larger batches, or bound the queue so that the tail is refused early.",
      effect: "The wait is the burst divided by what a second of execution clears; larger batches clear more.",
      edits: [],
    },
  };
}

function othersVerdict({ whole, config }: StatsWindow): Verdict {
  return {
    cause: "waits-behind-others",
    title: "Requests wait although instances are free",
    explanation: `Instances are busy ${percent(whole.busyShare)} of the time and the delay is ${ms((config?.queueDelayUs ?? 0) / 1000)}. Priorities, the rate limiter, admission classes or sequences may hold requests back.`,
    confidence: 0.5,
    suggestion: {
      says: "Open a slow request: its record says how many waited before it and why its batch was sent.",
      effect: "The record decides between them.",
      edits: [],
      link: "requests",
    },
  };
}
