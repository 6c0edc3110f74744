import type { NereidError } from "@nereid/errors";
import type { FlightBatch, FlightRecord } from "../flight/flight-record.ts";
import type { BatchNotes } from "../scheduler/request-scheduler.ts";
import type { ExecutionContext } from "./execution-context.ts";
import type { ExecutionMoments } from "./infer-ticket.ts";
import type { ModelInstance } from "./instance-pool.ts";
import type { BatchEntry, Job } from "./job.ts";
import { itemsOf } from "./lay-out.ts";

/** A batch under way, as its requests' records tell of it. */
export interface BatchFlight {
  readonly serial: number;
  readonly entries: readonly BatchEntry[];
  readonly notes: BatchNotes;
  readonly first: boolean;
  readonly instance: ModelInstance;
  readonly copiedBytes: number;
}

export interface FlightEnd {
  readonly endNs: number;
  readonly batch?: BatchFlight | undefined;
  readonly moments?: ExecutionMoments;
  readonly outputBytes?: number;
  readonly error?: NereidError;
  readonly cached?: boolean;
}

const MOST_MATES = 16;

/** Offers the end of a request to the flight recorder; returns the record where it was kept. */
export function recordFlight(context: ExecutionContext, job: Job, end: FlightEnd): FlightRecord | undefined {
  const { flights, spec } = context;
  if (flights === undefined) return undefined;
  const totalNs = end.endNs - job.enqueuedNs;
  const outcome = { model: spec.name, version: spec.version, failed: end.error !== undefined, totalNs };
  return flights.offer(outcome, (causes) => {
    const { request } = job;
    const { moments, batch, error } = end;
    return {
      serial: job.serial,
      id: request.id,
      model: spec.name,
      version: spec.version,
      causes,
      atMs: context.clock.wallMs() - totalNs / 1e6,
      outcome: error === undefined ? "answered" : "failed",
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
      totalNs,
      queue: {
        position: job.position,
        waitedNs: (moments?.computeStartNs ?? end.endNs) - job.enqueuedNs,
        priority: request.priority,
      },
      ...(batch !== undefined && {
        batch: batchOf(batch, job),
        instance: { name: batch.instance.name, device: batch.instance.spec?.device ?? 0 },
      }),
      ...(moments !== undefined && {
        phases: {
          inputNs: moments.inputEndNs - moments.computeStartNs,
          inferNs: moments.outputStartNs - moments.inputEndNs,
          outputNs: moments.endNs - moments.outputStartNs,
        },
      }),
      bytes: {
        input: request.byteLength,
        output: end.outputBytes ?? 0,
        copied: batch === undefined || batch.copiedBytes === 0 ? 0 : copiedOf(batch, job),
      },
      ...(request.sequence !== undefined && { sequence: String(request.sequence.id) }),
      shapes: request.inputs.map(({ spec: { name }, shape }) => ({ name, shape })),
      ...(end.cached === true && { cached: true }),
    };
  });
}

function batchOf({ serial, entries, notes, first }: BatchFlight, job: Job): FlightBatch {
  const jobs = entries.flatMap((entry) => entry.job ?? []);
  const mates = jobs.filter((mate) => mate !== job).slice(0, MOST_MATES);
  return {
    serial,
    requests: jobs.length,
    size: itemsOf(entries),
    reason: notes.reason,
    leftWaiting: notes.leftWaiting,
    ...(first && { first }),
    mates: mates.map((mate) => (mate.request.id === "" ? `#${mate.serial}` : mate.request.id)),
  };
}

/** A batch of several copies all its inputs; a lone request perhaps only some. */
function copiedOf({ entries, copiedBytes }: BatchFlight, job: Job): number {
  return entries.length === 1 ? copiedBytes : job.request.byteLength;
}
