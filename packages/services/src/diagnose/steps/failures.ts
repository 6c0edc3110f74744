import type { StatsWindow, WindowSlice } from "../stats-window.ts";
import type { Step } from "../step.ts";
import type { Verdict } from "../verdict.ts";
import { ms, number, percent } from "../words.ts";

function shareOf({ succeeded, failed }: WindowSlice): number {
  return succeeded + failed === 0 ? 0 : failed / (succeeded + failed);
}

function commonest({ failures }: WindowSlice): string | undefined {
  return Object.entries(failures).toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Failures come first: a time-out or a refusal explains a tail, and is worse than one. */
export function failures(then: string): Step {
  return {
    id: "failures",
    question: "Do requests fail?",
    decide: ({ whole }, { failureShare }) => {
      const share = shareOf(whole);
      const reason = commonest(whole);
      const branch =
        share < failureShare
          ? "no"
          : reason === "REJECTED"
            ? "refused"
            : reason === "CANCELED"
              ? "cancelled"
              : "failing";
      return {
        branch,
        says: `${percent(share)} of the requests failed.`,
        evidence: [
          { label: "Failed", value: percent(share), bar: `below ${percent(failureShare)}` },
          ...Object.entries(whole.failures).map(([name, count]) => ({ label: name, value: number(count) })),
        ],
        chart: "failures",
      };
    },
    branches: {
      no: { label: "Hardly any", onward: { to: then } },
      refused: { label: "They are refused or time out in the queue", onward: { verdict: refused } },
      cancelled: { label: "Their clients stop waiting", onward: { verdict: cancelled } },
      failing: { label: "The model fails", onward: { verdict: failing } },
    },
  };
}

function refused({ whole, config }: StatsWindow): Verdict {
  const instances = config?.instances ?? 1;
  const saturated = (whole.busyShare ?? 0) > 0.8;
  return {
    cause: "queue-refuses",
    title: "The queue refuses requests",
    explanation:
      `${percent(shareOf(whole))} of the requests were refused or timed out while they waited; the instances were busy ` +
      `${percent(whole.busyShare)} of the time. More arrives than is executed, or the time-out is shorter than a burst lasts.`,
    confidence: 0.85,
    suggestion: saturated
      ? {
          says: `Run ${instances + 1} instances instead of ${instances}.`,
          effect: `Capacity grows by up to ${percent(1 / instances)} as long as processors are free.`,
          edits: [{ path: "instance_group[0].count", value: instances + 1 }],
        }
      : {
          says: "Let requests wait longer: raise the default time-out or the size of the queue.",
          effect: "Bursts are answered late instead of being refused.",
          edits: [],
        },
  };
}

function cancelled({ whole }: StatsWindow): Verdict {
  return {
    cause: "deadline-too-short",
    title: "Clients stop waiting before they are answered",
    explanation: `Most failures are requests whose client left or whose deadline passed. Half of those that were answered took ${ms(whole.p50)} or more.`,
    confidence: 0.8,
    suggestion: {
      says: "Give clients a deadline above the 99th percentile, or make the model faster first.",
      effect: `With a deadline above ${ms(whole.p99)} no more than one request in a hundred would be left.`,
      edits: [],
    },
  };
}

function failing({ failed }: StatsWindow): Verdict {
  const message = failed.find(({ error }) => error !== undefined)?.error?.message;
  return {
    cause: "model-fails",
    title: "The model fails",
    explanation:
      message === undefined
        ? "Requests fail in the backend."
        : `Requests fail in the backend; the last one said: ${message}`,
    confidence: message === undefined ? 0.6 : 0.9,
    suggestion: {
      says: "Read the model's log, and go back to the version before if this one is new.",
      effect: "The version before had these failures or not: its own figures say.",
      edits: [],
      link: "logs",
    },
  };
}
