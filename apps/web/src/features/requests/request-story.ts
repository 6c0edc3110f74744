import type { FlightRecord } from "@nereid/client";
import { formatDuration, formatShare } from "@nereid/ui";
import { reasonWords } from "./reason-words.ts";

const NS_PER_MS = 1e6;

export type PartKind = "queue" | "input" | "infer" | "output" | "receive" | "write";

/** A piece of a request's time, nanoseconds after it was queued; before that where it is negative. */
export interface FlightPart {
  readonly kind: PartKind;
  readonly label: string;
  readonly startNs: number;
  readonly ns: number;
}

/** The pieces of a request's time, in order. What was received before, and written after, is not part of its latency. */
export function partsOf(record: FlightRecord): FlightPart[] {
  const { queue, phases, receiveNs, writeNs, totalNs } = record;
  const parts: FlightPart[] = [];
  let at = 0;
  const push = (kind: PartKind, label: string, ns: number) => {
    parts.push({ kind, label, startNs: at, ns });
    at += ns;
  };
  if (receiveNs !== undefined) parts.push({ kind: "receive", label: "Receiving", startNs: -receiveNs, ns: receiveNs });
  push("queue", "Queue", queue.waitedNs);
  if (phases !== undefined) {
    push("input", "Compute input", phases.inputNs);
    push("infer", "Compute infer", phases.inferNs);
    push("output", "Compute output", phases.outputNs);
  }
  if (writeNs !== undefined)
    parts.push({ kind: "write", label: "Sending the answer", startNs: Math.max(at, totalNs), ns: writeNs });
  return parts;
}

/** In plain words where the time of a request went, and why. */
export function storyOf(record: FlightRecord): string {
  const { totalNs, queue, error, batch, cached, steps = [] } = record;
  const total = ms(totalNs);
  if (error !== undefined) {
    const where =
      batch === undefined ? "It never reached an instance" : `It failed on its instance in a batch of ${batch.size}`;
    const waited =
      queue.waitedNs > totalNs / 2 ? `, after ${ms(queue.waitedNs)} in the queue${behind(queue.position)}` : "";
    return `Failed after ${total}. ${where}${waited}: ${error.message}`;
  }
  if (cached === true) return `Answered from the response cache in ${total}; no model ran.`;
  if (steps.length > 0) return `${total} in all. ${slowestStep(steps)}`;
  const longest = partsOf(record)
    .filter(({ kind }) => kind !== "receive" && kind !== "write")
    .reduce((most, part) => (part.ns > most.ns ? part : most));
  const share = totalNs === 0 ? "" : ` (${formatShare(longest.ns / totalNs)})`;
  switch (longest.kind) {
    case "queue": {
      const why = batch === undefined ? "" : ` Its batch was then sent because ${reasonWords(batch.reason)}.`;
      return `Of ${total} it waited ${ms(longest.ns)}${share} in the queue${behind(queue.position)}.${why}`;
    }
    case "infer": {
      const first =
        batch?.first === true
          ? " It was the first of its size and shape since the load, which engines often prepare for."
          : "";
      const together =
        batch === undefined || batch.requests === 1
          ? "alone"
          : `in a batch of ${batch.size} from ${batch.requests} requests`;
      return `Of ${total} the model computed for ${ms(longest.ns)}${share}, ${together}.${first}`;
    }
    case "input":
      return `Of ${total} its inputs took ${ms(longest.ns)}${share}: ${bytesWords(record)}`;
    default:
      return `Of ${total} its outputs took ${ms(longest.ns)}${share} to be gathered: ${record.bytes.output} bytes.`;
  }
}

function slowestStep(steps: NonNullable<FlightRecord["steps"]>): string {
  const longest = steps.reduce((most, step) =>
    step.queueNs + step.computeNs > most.queueNs + most.computeNs ? step : most,
  );
  const waited = longest.queueNs > longest.computeNs ? "most of it waiting" : "most of it computing";
  return `Its longest step was ${longest.model} with ${ms(longest.queueNs + longest.computeNs)}, ${waited}.`;
}

function behind(position: number): string {
  if (position === 0) return "";
  return position === 1 ? " behind one other request" : ` behind ${position} other requests`;
}

function bytesWords({ bytes }: FlightRecord): string {
  return bytes.copied === 0
    ? `${bytes.input} bytes, none copied.`
    : `${bytes.copied} of ${bytes.input} bytes were copied.`;
}

function ms(ns: number): string {
  return formatDuration(ns / NS_PER_MS);
}
