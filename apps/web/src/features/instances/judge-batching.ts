import type { VersionBatching } from "@nereid/client";
import type { SpanFacts } from "./span-facts.ts";

/** What the facts say about where requests wait. */
export interface BatchingVerdict {
  readonly kind: "quiet" | "instances" | "batcher" | "shapes" | "fine";
  readonly title: string;
  readonly text: string;
}

const BUSY = 0.85;
const MANY = 0.5;

/** Answers "is it the instances or the batcher?" from the facts of a span. Pure. */
export function judgeBatching(version: VersionBatching, facts: SpanFacts, pending: number): BatchingVerdict {
  const batches = facts.closed.reduce((sum, [, count]) => sum + count, 0);
  if (batches === 0)
    return { kind: "quiet", title: "No batches in this span", text: "Choose a longer span, or send some requests." };
  const shareOf = (reason: string) => (facts.closed.find(([one]) => one === reason)?.[1] ?? 0) / batches;
  const busy = facts.busy ?? 0;
  if (busy >= BUSY) {
    return {
      kind: "instances",
      title: "It is the instances",
      text: `They were executing ${percent(busy)} of the time${pending > 0 ? `, and ${pending} ${pending === 1 ? "request waits" : "requests wait"} now` : ""}. More instances help while there are free cores; larger batches help where an execution of two takes less than two of one.`,
    };
  }
  if (shareOf("other-shape") >= MANY) {
    return {
      kind: "shapes",
      title: "It is the shapes",
      text: `${percent(shareOf("other-shape"))} of the batches were closed because the next request had another shape. Pad inputs to a few lengths; the page Shapes suggests some.`,
    };
  }
  if (version.maxQueueDelayUs > 0 && shareOf("delay-over") >= MANY) {
    return {
      kind: "batcher",
      title: "It is the batcher",
      text: `${percent(shareOf("delay-over"))} of the batches waited for the whole delay of ${version.maxQueueDelayUs} µs without reaching a preferred size, while the instances were executing only ${percent(busy)} of the time. A shorter delay, or smaller preferred sizes, would send them earlier.`,
    };
  }
  return {
    kind: "fine",
    title: "Neither holds requests back",
    text: `The instances were executing ${percent(busy)} of the time, and batches were sent without waiting in vain.`,
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** What closed a batch, for people. */
export const CLOSED_WORDS: Readonly<Record<string, string>> = {
  single: "The model does not batch",
  full: "Full: the largest size",
  preferred: "A preferred size",
  "no-delay": "No delay is set: sent at once",
  "delay-over": "The delay was over",
  "deadline-near": "A client’s deadline came near",
  "other-shape": "The next had another shape",
  "next-too-large": "The next did not fit",
  "sequence-slots": "Slots of sequences were ready",
};
