import type { startTuningInput } from "@nereid/services";
import type { z } from "zod";
import { readShapes } from "../lab/shapes-text.ts";
import { readList, readListOr } from "./read-list.ts";

export type TuningRequest = z.input<typeof startTuningInput>;

/** What the form has, as it was typed. */
export interface TuningDraft {
  readonly goodWithinMs: string;
  readonly loadKind: "concurrency" | "rate" | "recorded";
  readonly levels: string;
  readonly instances: string;
  readonly maxBatchSizes: string;
  readonly delaysUs: string;
  readonly threads: string;
  readonly mode: "simulated" | "brute" | "quick" | "optimiser";
  readonly measurements: string;
  readonly measureSeconds: string;
  readonly liveP99Ms: string;
  readonly shapes: string;
  readonly note: string;
}

export type TuningField = keyof TuningDraft;

export interface ReadDraft {
  /** Null while something is wrong. */
  readonly request: TuningRequest | null;
  readonly errors: Readonly<Partial<Record<TuningField, string>>>;
  /** Configurations times levels, before those that make no sense are left out; null while something is wrong. */
  readonly points: number | null;
}

const RECENT_SECONDS = 300;

/** Where a form begins, for a model with this largest batch on a machine with so many processors. */
export function firstDraft(of: {
  readonly maxBatchSize: number;
  readonly cores: number;
  readonly promisedMs: number | null;
}): TuningDraft {
  const { maxBatchSize, cores, promisedMs } = of;
  return {
    goodWithinMs: promisedMs === null ? "" : String(promisedMs),
    loadKind: "concurrency",
    levels: "1-64",
    instances: cores > 1 ? `1-${Math.min(8, cores)}` : "1",
    maxBatchSizes: maxBatchSize === 0 ? "0" : maxBatchSize === 1 ? "1" : `1-${maxBatchSize}`,
    delaysUs: maxBatchSize > 1 ? "–, 0, 500, 2000" : "–",
    threads: "–",
    mode: "simulated",
    measurements: "",
    measureSeconds: "3",
    liveP99Ms: promisedMs === null ? "" : String(promisedMs),
    shapes: "",
    note: "",
  };
}

/** The request that a form makes, or what is wrong with it, by field. Pure. */
export function readDraft(model: string, draft: TuningDraft): ReadDraft {
  const errors: Partial<Record<TuningField, string>> = {};
  const must = <T>(field: TuningField, value: T | null, says: string): T | null => {
    if (value === null) errors[field] = says;
    return value;
  };
  const levels = must(
    "levels",
    readList(draft.levels, { least: 1, largest: draft.loadKind === "concurrency" ? 4096 : 1_000_000 }),
    "must be whole numbers from 1, such as 1, 4, 16 or 1-64",
  );
  const instances = must(
    "instances",
    readList(draft.instances, { least: 1, largest: 256 }),
    "must be whole numbers from 1 to 256",
  );
  const maxBatchSizes = must(
    "maxBatchSizes",
    readList(draft.maxBatchSizes, { least: 0, largest: 4096 }),
    "must be whole numbers from 0 to 4096",
  );
  const queueDelaysUs = must(
    "delaysUs",
    readListOr(draft.delaysUs, { least: 0, largest: 60_000_000 }),
    "must be microseconds, or – for no batching by the server",
  );
  const threads = must(
    "threads",
    readListOr(draft.threads, { least: 1, largest: 256 }),
    "must be whole numbers from 1, or – for what the model has",
  );
  const shapes = must("shapes", readShapes(draft.shapes), "is written INPUT:16 or INPUT:3,224,224, one a line");
  const goodWithinMs = optional(draft.goodWithinMs);
  const liveP99Ms = optional(draft.liveP99Ms);
  const measurements = optional(draft.measurements);
  const measureSeconds = Number(draft.measureSeconds);
  if (goodWithinMs === undefined) errors.goodWithinMs = "must be milliseconds, or empty";
  if (liveP99Ms === undefined) errors.liveP99Ms = "must be milliseconds, or empty";
  if (measurements === undefined || (measurements !== null && !Number.isInteger(measurements))) {
    errors.measurements = "must be a whole number, or empty";
  }
  if (!(measureSeconds >= 0.5 && measureSeconds <= 3600)) errors.measureSeconds = "must be seconds from 0.5 to 3600";
  if (
    levels === null ||
    instances === null ||
    maxBatchSizes === null ||
    queueDelaysUs === null ||
    threads === null ||
    shapes === null ||
    goodWithinMs === undefined ||
    liveP99Ms === undefined ||
    measurements === undefined ||
    Object.keys(errors).length > 0
  ) {
    return { request: null, errors, points: null };
  }
  const load =
    draft.loadKind === "recorded"
      ? ({ kind: "recorded", source: { kind: "server", seconds: RECENT_SECONDS }, levels } as const)
      : { kind: draft.loadKind, levels };
  return {
    errors,
    points: levels.length * instances.length * maxBatchSizes.length * queueDelaysUs.length * threads.length,
    request: {
      spec: {
        model,
        load,
        space: { instances, maxBatchSizes, queueDelaysUs, threads },
        mode: draft.mode,
        goodWithinMs,
        budget: { measurements, seconds: null },
        measureSeconds,
        shapes,
        guard: { liveP99Ms, freeMemoryMb: 256, busyShare: 0.95 },
      },
      ...(draft.note.trim() !== "" && { note: draft.note.trim() }),
    },
  };
}

/** A number above 0; null for nothing, undefined for anything else. */
function optional(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
